import { faults } from '../../carrier/catalogue.ts';
import { serverInitiated } from '../../interfaces/server-initiated/interface.ts';
import { countOf } from '../../lib/lists.ts';
import { nearNames } from '../../lib/suggest.ts';
import { errorCodes } from '../../model/problem.ts';
import { levels, type Rule } from '../../model/rule.ts';
import * as certifying from '../definitions/certify.ts';
import * as desk from '../definitions/desk.ts';
import * as results from '../definitions/results.ts';
import * as suite from '../definitions/suite.ts';
import { exitCodeOfStop } from '../exit-codes.ts';
import { familiesOf } from '../shared/choose.ts';
import { type Definition, endsOf } from '../shared/help.ts';
import type { Input } from '../shared/inputs.ts';
import { faultKind, freedomKind, variantKind } from './carrier.ts';
import { caseKind, invariantKind } from './case.ts';
import {
  type Entry,
  type Fact,
  hasWord,
  type Kind,
  matrixOf,
  renderFacts,
  rulesFacts,
  type Section,
  type World,
} from './catalogue.ts';
import {
  actionKind,
  clientKind,
  featureKind,
  keyKind,
  memberKind,
  oauthErrorKind,
  outcomeKind,
  tagKind,
  tamperKind,
} from './requests.ts';
import { ruleKind } from './rule.ts';

const countLevels = (rules: readonly Rule[]): string =>
  levels.map((level) => `${rules.filter((rule) => rule.level === level).length} ${level}`).join(', ');

const areaKind: Kind = ({ flags, suites: { rules, cases, invariants } }) =>
  [...new Set(rules.map(({ area }) => area))].map((area) => {
    const isOwn = (one: { readonly area: string }): boolean => one.area === area;
    const own = rules.filter(isOwn);
    const families = familiesOf(own).map(({ name }) => name);
    const [tests, always] = [cases.filter(isOwn).length, invariants.filter(isOwn).length];
    return {
      name: area,
      description: `rules ${families.join(', ')}`,
      columns: { rules: String(own.length), cases: String(tests) },
      is: 'an area of the interface',
      facts: () => [
        ['rules', `${countOf(own.length, 'rule')}: ${countLevels(own)}`],
        ['families', families],
        ['judged by', `${countOf(tests, 'case')}, ${countOf(always, 'invariant')}`],
        ['list', `carrierspec list ${area}${flags}`],
        ['run it', `carrierspec run ${area}${flags}`],
      ],
    };
  });

const familyKind: Kind = ({ suites }) =>
  familiesOf(suites.rules).map(({ name, areas, rules }) => ({
    name,
    description: areas.join(', '),
    columns: { rules: String(rules.length) },
    is: 'the letters of rule ids',
    facts: () => [
      ['area', areas],
      ['rules', `${countOf(rules.length, 'rule')}: ${countLevels(rules)}`],
      ['list', `carrierspec list "${name}-*"`],
    ],
  }));

const clauseKind: Kind = ({ suites: { rules } }) =>
  serverInitiated.clauses.map(([number, title]) => {
    const own = rules.filter(({ clause }) => clause.split(/[ ,]+/).includes(number));
    return {
      name: `§${number}`,
      aliases: [number],
      description: title,
      columns: { rules: String(own.length) },
      is: title,
      facts: () => [['rules', own.map(({ id }) => id)]],
    };
  });

const interpretationsIn = ({ interpretation = '' }: Rule): readonly string[] =>
  interpretation.match(/(?<![\w.-])A\d{1,2}(?![\w.-]*\d)(?!\w)/g) ?? [];

/** Our reading of unclear passages, collected from the rules that cite them. */
const interpretationKind: Kind = ({ suites: { rules } }) =>
  [...new Set(rules.flatMap(interpretationsIn))]
    .toSorted((one, other) => Number(one.slice(1)) - Number(other.slice(1)))
    .map((name) => {
      const citing = rules.filter((rule) => interpretationsIn(rule).includes(name));
      return {
        name,
        description: citing[0]?.interpretation ?? '',
        columns: { rules: citing.map(({ id }) => id).join(', ') },
        is: 'an interpretation: how the interface is understood where it is unclear',
        facts: () =>
          citing.flatMap(({ id, description, interpretation }): readonly Fact[] => [
            [id, description],
            ['', interpretation],
          ]),
      };
    });

/** Principles and decisions of docs/corrections.md, with what cites them; cases cite only in comments, which are not read. */
const decisionKind: Kind = ({ decisions, freedoms, suites: { rules } }) =>
  [...decisions()].map(([id, description]) => ({
    name: id,
    description,
    is: id.startsWith('P') ? 'a principle' : 'a decision',
    facts: () => [
      ['rules', rules.filter(({ interpretation = '' }) => hasWord(interpretation, id)).map((rule) => rule.id)],
      ['freedoms', freedoms().flatMap((freedom) => (freedom.cites.includes(id) ? [freedom.id] : []))],
      ['faults', faults.filter((fault) => hasWord(fault.description, id)).map(({ name }) => name)],
      ['where', 'docs/corrections.md'],
    ],
  }));

const codeKind: Kind = () =>
  Object.entries(errorCodes).map(([name, { kind, doc }]) => ({
    name,
    description: doc,
    columns: { 'exit code': String(exitCodeOfStop(kind)) },
    is: 'an error code of carrierspec',
    facts: () => [['exit code', String(exitCodeOfStop(kind))]],
  }));

const limitKind: Kind = ({ limits, suites }) =>
  limits().limits.map(({ name, title, rules, unit, found, beyond }) => ({
    name,
    description: title,
    columns: { unit },
    is: 'a limit that measure finds',
    facts: () => [
      ...rulesFacts(
        'rule',
        rules.map(({ rule }) => rule),
        suites,
      ),
      ['unit', unit],
      ['says', `${found}; or ${beyond}`],
      ['find it', `carrierspec measure ${name}`],
    ],
  }));

const profileKind: Kind = ({ limits, suites }) =>
  limits().profile.map(({ name, description, case: of, record }) => ({
    name,
    description,
    columns: { case: of },
    is: 'an entry of the profile: what the interface leaves open',
    facts: () => {
      const cases = suites.cases.filter(({ id }) => id === of || matrixOf(id) === of);
      return [
        ['recorded', `${record} of the case ${of}`],
        ...rulesFacts(
          'rule',
          cases.flatMap((one) => one.rules.map(({ rule }) => rule)),
          suites,
        ),
        ['find it', `carrierspec measure ${name}`],
      ];
    },
  }));

const inputFact = ({ spec, doc, initial, mandatory }: Input<unknown>): Fact => {
  const usual = typeof initial === 'string' ? ` (default: ${initial})` : '';
  return [spec, `${doc}${mandatory === true && spec.startsWith('-') ? ' (required)' : ''}${usual}`];
};

const belowCommand =
  ({ name, flags, examples, ends, docs }: Definition): Section =>
  (page) => [
    ...page.heading('Flags', countOf(Object.values(flags).length, 'flag')),
    ...renderFacts(page, Object.values(flags).map(inputFact)),
    ...page.heading('Examples', String(examples.length)),
    ...examples.map((example) => `  carrierspec ${name} ${example}`.trimEnd()),
    ...page.heading('Exit codes', 'how it can end'),
    ...renderFacts(page, [...endsOf(ends).map(([code, words]): Fact => ['exit', `${code}: ${words}`]), ['more', docs]]),
  ];

const commandKind: Kind = () =>
  Object.values<Definition>({ ...certifying, ...desk, ...results, ...suite })
    .filter(({ hidden }) => hidden !== true)
    .map((command) => {
      const { name, summary, description: text = summary, args } = command;
      const specs = Object.values(args).map(({ spec }) => spec);
      return {
        name,
        description: summary,
        is: 'a command',
        title: ['carrierspec', name, ...specs].join(' '),
        text,
        facts: () => Object.values(args).map(inputFact),
        below: belowCommand(command),
      };
    });

/** Everything named in a report or message, by kind, in the order of explanation. */
export const kinds: Readonly<Record<string, Kind>> = {
  rule: ruleKind,
  case: caseKind,
  invariant: invariantKind,
  area: areaKind,
  family: familyKind,
  clause: clauseKind,
  interpretation: interpretationKind,
  decision: decisionKind,
  member: memberKind,
  'oauth-error': oauthErrorKind,
  fault: faultKind,
  variant: variantKind,
  freedom: freedomKind,
  action: actionKind,
  client: clientKind,
  tag: tagKind,
  feature: featureKind,
  tamper: tamperKind,
  key: keyKind,
  outcome: outcomeKind,
  limit: limitKind,
  profile: profileKind,
  code: codeKind,
  command: commandKind,
};

export interface Found {
  readonly kind: string;
  readonly entry: Entry;
}

const namesOf = ({ name, aliases = [] }: Entry): readonly string[] => [name, ...aliases];

const findAll = (world: World, isWanted: (entry: Entry) => boolean): readonly Found[] =>
  Object.entries(kinds).flatMap(([kind, entries]) =>
    entries(world)
      .filter(isWanted)
      .map((entry) => ({ kind, entry })),
  );

export function findNamed(name: string, world: World): readonly Found[] {
  const wanted = name.toLowerCase();
  return findAll(world, (entry) => namesOf(entry).some((one) => one.toLowerCase() === wanted));
}

export const findMatching = (pattern: RegExp, world: World): readonly Found[] =>
  findAll(world, ({ name }) => pattern.test(name));

/** Every name, with the description of its first entry. */
export function knownNames(world: World): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { entry } of findAll(world, () => true)) {
    for (const name of namesOf(entry)) if (!found.has(name)) found.set(name, entry.description);
  }
  return found;
}

export const suggestAll = (name: string, world: World): readonly string[] => nearNames(name, knownNames(world).keys());
