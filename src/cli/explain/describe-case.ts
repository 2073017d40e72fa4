import { serverInitiated } from '../../interfaces/server-initiated/interface.ts';
import type { Json } from '../../lib/json.ts';
import { countOf } from '../../lib/lists.ts';
import { renderPosition } from '../../model/position.ts';
import { type Rule, type RuleRef, renderRuleRef } from '../../model/rule.ts';
import type { ScriptedResponse } from '../../model/suite.ts';
import { renderCommand } from '../../report/shared/facts.ts';
import { messageKindWords } from '../../report/shared/prose.ts';
import { cutText } from '../../report/shared/sanitize.ts';
import { type Expectation, describeExpectation } from '../../suite/expectations/expectations.ts';
import type { Case, Invariant, Step } from '../../suite/suites.ts';
import { describeAct } from '../../suite/verbs/define.ts';
import { type Block, fact, gap, head, heading, type Names, nameOf, namesOf, paragraph } from './blocks.ts';

/** Characters of a value beside a step. */
const valueLimit = 160;

/** A value as the suite has it; one that is a template alone stands without quotes. */
function renderValue(source: Json, limit = valueLimit): string {
  const template = typeof source === 'string' && /^\{\{[^{}]*\}\}$/.test(source);
  return cutText(template ? source : JSON.stringify(source), limit);
}

function describeResponse({ status, body, headers = [], delay, reset }: ScriptedResponse): string {
  const late = delay === undefined ? '' : ` after ${delay} s`;
  if (reset === true) return `the connection is reset${late}`;
  const lines = headers.map(([name, { source }]) => `, ${name}: ${renderValue(source)}`);
  return `HTTP ${status}${late}${lines.join('')}${body === undefined ? '' : `, body ${renderValue(body)}`}`;
}

type RulesById = ReadonlyMap<string, Rule>;

/** A reference with the level that decides its severity, and what it says. */
function renderRef(ref: RuleRef, rules: RulesById): readonly Block[] {
  const rule = rules.get(ref.rule);
  const part = rule?.aspects.find(({ id }) => id === ref.aspect) ?? rule;
  const said = part === undefined ? '' : ` (${part.level}): ${part.description}`;
  return fact('rule', [nameOf('rule', ref.rule, renderRuleRef(ref)), said]);
}

const needWords: Readonly<Record<string, (name: string) => string>> = {
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

/** A word of `requires` as a reader understands it. */
export function needInWords(need: string): string {
  const [word = '', ...rest] = need.split(':');
  return needWords[word]?.(rest.join(':')) ?? need;
}

const clientWords = (client: Case['client']): string =>
  typeof client === 'string'
    ? client
    : `the first with ${Object.entries(client)
        .map(([flag, on]) => `${flag} ${on ? 'on' : 'off'}`)
        .join(', ')}`;

/** The `with:` values of a row; its name stands in the id. */
const valuesOf = ({ each }: Case): readonly string[] =>
  each.flatMap(([name, { source }]) => (name === 'name' ? [] : [`${name} = ${renderValue(source)}`]));

const renderReceiver = (of: string, responses: readonly ScriptedResponse[]): readonly Block[] =>
  responses.length === 0
    ? []
    : fact('receiver', `responds to ${of} with ${responses.map(describeResponse).join('; then ')}`);

function renderSetting(given: Case): readonly Block[] {
  const { client, subscriber, requires, exclusive, receiver, eventReceiver = [], detects } = given;
  return [
    ...fact('client', clientWords(client)),
    ...fact('subscriber', `${subscriber}${exclusive ? ', exclusively for this case' : ''}`),
    ...(requires.length === 0 ? [] : fact('requires', requires.map(needInWords).join(', '))),
    ...renderReceiver('callbacks', receiver),
    ...renderReceiver('events', eventReceiver),
    ...valuesOf(given).flatMap((value) => fact('each', value)),
    ...detectsFact(detects),
  ];
}

const detectsFact = (detects: readonly string[]): readonly Block[] =>
  detects.length === 0 ? [] : fact('detects', [namesOf('fault', detects)]);

/** ` (REQ-015, REQ-016#x)` */
const refsInBrackets = (refs: readonly RuleRef[]): readonly (string | Names)[] =>
  refs.flatMap((ref, at) => [
    at === 0 ? ' (' : ', ',
    nameOf('rule', ref.rule, renderRuleRef(ref)),
    ...(at === refs.length - 1 ? [')'] : []),
  ]);

function renderExpectation(expectation: Expectation, control: boolean): readonly Block[] {
  const label = control ? 'must' : 'expected';
  return describeExpectation(expectation, renderValue).flatMap((words) =>
    fact(label, control ? words : [words, ...refsInBrackets(expectation.rules)], { indent: 5 }),
  );
}

/** A step that has to succeed says so, and why. */
function renderStep(step: Step, number: number): readonly Block[] {
  const { name, at, control, times, expectations, record } = step;
  const { act, details } = describeAct(step.act, serverInitiated.verbs, renderValue);
  const often = times === undefined ? '' : `, ${times} times`;
  const when = at === undefined ? '' : `at ${at.source}: `;
  const needed = control && expectations.length === 0;
  return [
    { is: 'step', number, name, control },
    ...paragraph(`${when}${act}${often}`, { indent: 5 }),
    ...details.flatMap((detail) => paragraph(detail, { indent: 7 })),
    ...expectations.flatMap((expectation) => renderExpectation(expectation, control)),
    ...(needed ? fact('must', 'succeed, or the case is inconclusive', { indent: 5 }) : []),
    ...record.flatMap(([key, { source }]) => fact('records', `${key} = ${renderValue(source)}`, { indent: 5 })),
  ];
}

/** What sets the rows of one matrix apart: its values, and the acts that differ. */
function renderRows(rows: readonly Case[]): readonly Block[] {
  if (rows.length < 2) return [];
  const actsOf = ({ steps }: Case): readonly string[] =>
    steps.map(({ act }) => describeAct(act, serverInitiated.verbs, renderValue).details.join('; '));
  const shared = rows.map(actsOf).reduce((left, right) => left.filter((words) => right.includes(words)));
  const rendered = rows.flatMap((row) => {
    const own = [...valuesOf(row), ...actsOf(row).filter((words) => !shared.includes(words))];
    const name = row.id.slice(row.id.indexOf('/') + 1);
    return paragraph([name, ...own].join('  '));
  });
  return [heading('Rows', `${rows.length}; the steps are those of the first`), ...rendered];
}

/** A case, or all rows of a matrix, on one page: what it means, what it needs, and its steps in words. */
export function renderCase(rows: readonly [Case, ...Case[]], rules: RulesById): readonly Block[] {
  const [given] = rows;
  const [matrix = given.id] = given.id.split('/');
  const id = rows.length > 1 ? matrix : given.id;
  return [
    head(id, `a case of ${given.area}, ${given.suite}`),
    ...paragraph(given.title),
    gap,
    ...given.rules.flatMap((ref) => renderRef(ref, rules)),
    ...renderSetting(given),
    ...fact('where', renderPosition(given.position), { whole: true }),
    ...fact('run it', renderCommand(id), { whole: true }),
    ...renderRows(rows),
    heading('Steps', countOf(given.steps.length, 'step')),
    ...given.steps.flatMap((step, at) => renderStep(step, at + 1)),
  ];
}

/** An invariant on one page. */
export function renderInvariant(invariant: Invariant, rules: RulesById): readonly Block[] {
  const { id, title, area, suite, on, expectations, seenIn, detects, position } = invariant;
  const refs = new Map(expectations.flatMap((one) => one.rules.map((ref) => [renderRuleRef(ref), ref] as const)));
  return [
    head(id, `an invariant of ${area}, ${suite}`),
    ...paragraph(title),
    gap,
    ...[...refs.values()].flatMap((ref) => renderRef(ref, rules)),
    ...fact('on', on === 'run' ? 'the whole run, once' : `every ${messageKindWords[on][0]}`),
    ...(seenIn.length === 0 ? [] : fact('seen in', [namesOf('case', seenIn)])),
    ...detectsFact(detects),
    ...fact('where', renderPosition(position), { whole: true }),
    heading('Expected', on === 'run' ? 'of the run' : `of every ${messageKindWords[on][0]}`),
    ...expectations.flatMap((expectation) => renderExpectation(expectation, false)),
  ];
}
