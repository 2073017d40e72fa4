import { serverInitiated } from '../../interfaces/server-initiated/interface.ts';
import type { Json } from '../../lib/json.ts';
import { countNoun, groupBy } from '../../lib/lists.ts';
import { renderPosition, type Rule, type RuleRef, renderRuleRef } from '../../model/rule.ts';
import type { ScriptedResponse } from '../../model/suite.ts';
import { renderCommand } from '../../report/shared/facts.ts';
import type { Page } from '../../report/shared/layout.ts';
import { messageKindWords } from '../../report/shared/prose.ts';
import { cutText, forTerminal } from '../../report/shared/sanitize.ts';
import { type Expectation, describeExpectation } from '../../suite/expectations/expectations.ts';
import { caseRuleIds, type Case, type Step } from '../../suite/suites.ts';
import { describeAct } from '../../suite/verbs/verb.ts';
import {
  type CatalogueEntry,
  type EntryFact,
  type EntryKind,
  matrixId,
  type NameCatalogue,
  renderFacts,
} from './catalogue.ts';

const maxCaseValue = 160;

/** Renders a suite value; a bare template is not quoted. */
function renderValue(source: Json, limit = maxCaseValue): string {
  const template = typeof source === 'string' && /^\{\{[^{}]*\}\}$/.test(source);
  return cutText(template ? source : JSON.stringify(source), limit);
}

function describeResponse({ status, body, headers = [], delay, reset }: ScriptedResponse): string {
  const late = delay === undefined ? '' : ` after ${delay} s`;
  if (reset === true) return `the connection is reset${late}`;
  const lines = headers.map(([name, { source }]) => `, ${name}: ${renderValue(source)}`);
  return `HTTP ${status}${late}${lines.join('')}${body === undefined ? '' : `, body ${renderValue(body)}`}`;
}

/** A rule reference with its level and description. */
function ruleFact(ref: RuleRef, rules: readonly Rule[]): EntryFact {
  const rule = rules.find(({ id }) => id === ref.rule);
  const part = rule?.aspects.find(({ id }) => id === ref.aspect) ?? rule;
  return ['rule', `${renderRuleRef(ref)}${part === undefined ? '' : ` (${part.level}): ${part.description}`}`];
}

const needDescriptions: Readonly<Record<string, (name: string) => string>> = {
  action: (name) => `a driver for ${name}`,
  client: (name) => `a client ${name}`,
  subscriber: (name) => `a subscriber ${name}`,
  'second-key': () => 'a client with two keys',
  secret: () => 'a client with a secret',
  'kid-length': (wanted) => `a key whose kid has ${wanted.replace(':', ' characters, of client ')}`,
  'redirect-uri': (kind) => `a redirect_uri with ${kind === 'https' ? 'https' : 'a custom scheme'}`,
  'virtual-clock': () => 'a virtual clock',
  'known-proof-format': () => 'a proof of possession of a format that is known',
  scope: (name) => `a client that is registered for the scope ${name}`,
};

/** Describes a requirement of a case. */
export function describeNeed(need: string): string {
  const [word = '', ...rest] = need.split(':');
  return needDescriptions[word]?.(rest.join(':')) ?? need;
}

const describeCaseClient = (client: Case['client']): string =>
  typeof client === 'string'
    ? client
    : `the first with ${Object.entries(client)
        .map(([flag, on]) => `${flag} ${on ? 'on' : 'off'}`)
        .join(', ')}`;

/** The `with:` values of a row, without its name, which is in the id. */
const rowValues = ({ each }: Case): readonly string[] =>
  each.flatMap(([name, { source }]) => (name === 'name' ? [] : [`${name} = ${renderValue(source)}`]));

const receiverFact = (of: string, responses: readonly ScriptedResponse[]): EntryFact => [
  'receiver',
  responses.length === 0 ? undefined : `responds to ${of} with ${responses.map(describeResponse).join('; then ')}`,
];

function caseEntryFacts(
  [given, ...others]: readonly [Case, ...Case[]],
  name: string,
  { suites: { rules }, detected, flags }: NameCatalogue,
): readonly EntryFact[] {
  const { client, subscriber, requires, exclusive, receiver, eventReceiver = [], position } = given;
  const ids = [given, ...others].map(({ id }) => id);
  return [
    ...given.rules.map((ref) => ruleFact(ref, rules)),
    ['client', describeCaseClient(client)],
    ['subscriber', `${subscriber}${exclusive ? ', exclusively for this case' : ''}`],
    ['requires', requires.map(describeNeed)],
    receiverFact('callbacks', receiver),
    receiverFact('events', eventReceiver),
    ...rowValues(given).map((value): EntryFact => ['each', value]),
    ['detects', [...new Set(ids.flatMap((id) => detected().get(id) ?? []))]],
    ['where', renderPosition(position)],
    ['run it', `${renderCommand(name)}${flags}`],
  ];
}

function renderExpectation(page: Page, expectation: Expectation, control: boolean): readonly string[] {
  const rules = control ? '' : ` (${expectation.rules.map(renderRuleRef).join(', ')})`;
  return describeExpectation(expectation, renderValue).flatMap((words) =>
    page.fact(control ? 'must' : 'expected', `${words}${rules}`, { indent: 5 }),
  );
}

const describeStepAct = ({ act }: Step) => describeAct(act, serverInitiated.verbs, renderValue);

/** Renders a step; a control without expectations is marked as required to succeed. */
function renderStep(page: Page, step: Step, number: number): readonly string[] {
  const { name, at, control, over, times, expectations, record } = step;
  const { act, details } = describeStepAct(step);
  const often = times === undefined ? '' : `, ${times} times`;
  const each = over === undefined ? '' : `, for each entry of ${renderValue(over.source)}`;
  const when = at === undefined ? '' : `at ${at.source}: `;
  const needed = control && expectations.length === 0;
  return [
    `${String(number).padStart(2)}. ${forTerminal(name)}${control ? page.paint.yellow('  control') : ''}`,
    ...page.paragraph(`${when}${act}${often}${each}`, { indent: 5 }),
    ...details.flatMap((detail) => page.paragraph(detail, { indent: 7 })),
    ...expectations.flatMap((expectation) => renderExpectation(page, expectation, control)),
    ...(needed ? page.fact('must', 'succeed, or the case is inconclusive', { indent: 5 }) : []),
    ...renderFacts(
      page,
      record.map(([key, { source }]): EntryFact => ['records', `${key} = ${renderValue(source)}`]),
      5,
    ),
  ];
}

/** Differences between the rows of a matrix: their values and acts. */
function renderRows(page: Page, rows: readonly Case[]): readonly string[] {
  if (rows.length < 2) return [];
  const actsOf = ({ steps }: Case): readonly string[] => steps.map((step) => describeStepAct(step).details.join('; '));
  const shared = rows.map(actsOf).reduce((left, right) => left.filter((words) => right.includes(words)));
  const rendered = rows.flatMap((row) => {
    const own = [...rowValues(row), ...actsOf(row).filter((words) => !shared.includes(words))];
    return page.paragraph([row.id.slice(row.id.indexOf('/') + 1), ...own].join('  '));
  });
  return [...page.heading('Rows', `${rows.length}; the steps are those of the first`), ...rendered];
}

/** Entry for a case, or for a whole matrix, described by its first row. */
function caseEntry(name: string, rows: readonly [Case, ...Case[]], catalogue: NameCatalogue): CatalogueEntry {
  const [given] = rows;
  const { title, area, suite } = given;
  return {
    name,
    description: title,
    columns: { rules: [...new Set(rows.flatMap((row) => [...caseRuleIds(row)]))].join(', ') },
    more: `${area} ${suite}`,
    is: `a case of ${area}, ${suite}`,
    facts: () => caseEntryFacts(rows, name, catalogue),
    below: (page) => [
      ...renderRows(page, rows),
      ...page.heading('Steps', countNoun(given.steps.length, 'step')),
      ...given.steps.flatMap((step, at) => renderStep(page, step, at + 1)),
    ],
  };
}

export const caseKind: EntryKind = (catalogue) =>
  [...groupBy(catalogue.suites.cases, ({ id }) => matrixId(id))].flatMap(([matrix, [first, ...rest]]) => {
    if (first === undefined) return [];
    const rows = first.id === matrix && rest.length === 0 ? [] : [first, ...rest];
    return [caseEntry(matrix, [first, ...rest], catalogue), ...rows.map((row) => caseEntry(row.id, [row], catalogue))];
  });

export const invariantKind: EntryKind = ({ suites: { invariants, rules }, detected }) =>
  invariants.map(({ id, title, area, suite, on, expectations, seenIn, position }) => {
    const refs = new Map(expectations.flatMap((one) => one.rules.map((ref) => [renderRuleRef(ref), ref] as const)));
    const [word] = messageKindWords[on];
    return {
      name: id,
      description: title,
      columns: { on },
      more: `${area} ${suite}`,
      is: `an invariant of ${area}, ${suite}`,
      facts: () => [
        ...[...refs.values()].map((ref) => ruleFact(ref, rules)),
        ['on', on === 'run' ? 'the whole run, once' : `every ${word}`],
        ['seen in', seenIn],
        ['detects', detected().get(id)],
        ['where', renderPosition(position)],
      ],
      below: (page) => [
        ...page.heading('Expected', on === 'run' ? 'of the run' : `of every ${word}`),
        ...expectations.flatMap((expectation) => renderExpectation(page, expectation, false)),
      ],
    };
  });
