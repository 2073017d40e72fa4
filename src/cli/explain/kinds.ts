import { serverInitiated } from '../../interfaces/server-initiated/interface.ts';
import { countNoun } from '../../lib/lists.ts';
import { findNearNames } from '../../lib/suggestion.ts';
import { errorCodes } from '../../model/problem.ts';
import { levels, type Rule } from '../../model/rule.ts';
import * as certifying from '../definitions/certify.ts';
import * as desk from '../definitions/desk.ts';
import type { EntryKindName } from '../definitions/list-kinds.ts';
import * as results from '../definitions/results.ts';
import * as suite from '../definitions/suite.ts';
import { stopExitCode } from '../exit-codes.ts';
import { ruleFamilies } from '../shared/choose.ts';
import { type Definition, listExits } from '../shared/help.ts';
import type { Input } from '../shared/inputs.ts';
import { faultKind, freedomKind, variantKind } from './carrier.ts';
import { caseKind, invariantKind } from './case.ts';
import {
  type CatalogueEntry,
  type EntryFact,
  hasWord,
  type EntryKind,
  matrixId,
  renderFacts,
  rulesFacts,
  type EntrySection,
  type NameCatalogue,
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
import { riskKind } from './risk.ts';
import { ruleKind } from './rule.ts';
import { termKind } from './terms.ts';

const countLevels = (rules: readonly Rule[]): string =>
  levels.map((level) => `${rules.filter((rule) => rule.level === level).length} ${level}`).join(', ');

const areaKind: EntryKind = ({ flags, suites: { rules, cases, invariants } }) =>
  [...new Set(rules.map(({ area }) => area))].map((area) => {
    const isOwn = (one: { readonly area: string }): boolean => one.area === area;
    const own = rules.filter(isOwn);
    const families = ruleFamilies(own).map(({ name }) => name);
    const [tests, always] = [cases.filter(isOwn).length, invariants.filter(isOwn).length];
    return {
      name: area,
      description: `rules ${families.join(', ')}`,
      columns: { rules: String(own.length), cases: String(tests) },
      is: 'an area of the interface',
      facts: () => [
        ['rules', `${countNoun(own.length, 'rule')}: ${countLevels(own)}`],
        ['families', families],
        ['judged by', `${countNoun(tests, 'case')}, ${countNoun(always, 'invariant')}`],
        ['list', `carrierspec list ${area}${flags}`],
        ['run it', `carrierspec run ${area}${flags}`],
      ],
    };
  });

const familyKind: EntryKind = ({ suites }) =>
  ruleFamilies(suites.rules).map(({ name, areas, rules }) => ({
    name,
    description: areas.join(', '),
    columns: { rules: String(rules.length) },
    is: 'the letters of rule ids',
    facts: () => [
      ['area', areas],
      ['rules', `${countNoun(rules.length, 'rule')}: ${countLevels(rules)}`],
      ['list', `carrierspec list "${name}-*"`],
    ],
  }));

const clauseKind: EntryKind = ({ suites: { rules } }) =>
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

const citedInterpretations = ({ interpretation = '' }: Rule): readonly string[] =>
  interpretation.match(/(?<![\w.-])A\d{1,2}(?![\w.-]*\d)(?!\w)/g) ?? [];

/** Our reading of unclear passages, collected from the rules that cite them. */
const interpretationKind: EntryKind = ({ suites: { rules } }) =>
  [...new Set(rules.flatMap(citedInterpretations))]
    .toSorted((one, other) => Number(one.slice(1)) - Number(other.slice(1)))
    .map((name) => {
      const citing = rules.filter((rule) => citedInterpretations(rule).includes(name));
      return {
        name,
        description: citing[0]?.interpretation ?? '',
        columns: { rules: citing.map(({ id }) => id).join(', ') },
        is: 'an interpretation: how the interface is understood where it is unclear',
        facts: () =>
          citing.flatMap(({ id, description, interpretation }): readonly EntryFact[] => [
            [id, description],
            ['', interpretation],
          ]),
      };
    });

/** Principles and decisions of suites/decisions.md, with what cites them; cases cite only in comments, which are not read. */
const decisionKind: EntryKind = ({ decisions, freedoms, lab, suites: { rules } }) =>
  [...decisions()].map(([id, description]) => ({
    name: id,
    description,
    is: id.startsWith('P') ? 'a principle' : 'a decision',
    facts: () => [
      ['rules', rules.filter(({ interpretation = '' }) => hasWord(interpretation, id)).map((rule) => rule.id)],
      ['freedoms', freedoms().flatMap((freedom) => (freedom.cites.includes(id) ? [freedom.id] : []))],
      ['faults', lab.faults.filter((fault) => hasWord(fault.description, id)).map(({ name }) => name)],
      ['where', 'suites/decisions.md'],
    ],
  }));

const codeKind: EntryKind = () =>
  Object.entries(errorCodes).map(([name, { kind, doc }]) => ({
    name,
    description: doc,
    columns: { 'exit code': String(stopExitCode(kind)) },
    is: 'an error code of carrierspec',
    facts: () => [['exit code', String(stopExitCode(kind))]],
  }));

const limitKind: EntryKind = ({ limits, suites }) =>
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

const profileKind: EntryKind = ({ limits, suites }) =>
  limits().profile.map(({ name, description, case: of, record }) => ({
    name,
    description,
    columns: { case: of },
    is: 'an entry of the profile: what the interface leaves open',
    facts: () => {
      const cases = suites.cases.filter(({ id }) => id === of || matrixId(id) === of);
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

const inputFact = ({ spec, doc, initial, mandatory }: Input<unknown>): EntryFact => {
  const usual = typeof initial === 'string' ? ` (default: ${initial})` : '';
  return [spec, `${doc}${mandatory === true && spec.startsWith('-') ? ' (required)' : ''}${usual}`];
};

const belowCommand =
  ({ name, flags, examples, ends, docs }: Definition): EntrySection =>
  (page) => [
    ...page.heading('Flags', countNoun(Object.values(flags).length, 'flag')),
    ...renderFacts(page, Object.values(flags).map(inputFact)),
    ...page.heading('Examples', String(examples.length)),
    ...examples.map((example) => `  carrierspec ${name} ${example}`.trimEnd()),
    ...page.heading('Exit codes', 'how it can end'),
    ...renderFacts(page, [
      ...listExits(ends).map(([code, words]): EntryFact => ['exit', `${code}: ${words}`]),
      ['more', docs],
    ]),
  ];

const commandKind: EntryKind = () =>
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
const kindsByName: Readonly<Record<EntryKindName, EntryKind>> = {
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
  risk: riskKind,
  code: codeKind,
  command: commandKind,
  term: termKind,
};
export const entryKinds: Readonly<Record<string, EntryKind>> = kindsByName;

export interface FoundEntry {
  readonly kind: string;
  readonly entry: CatalogueEntry;
}

const entryNames = ({ name, aliases = [] }: CatalogueEntry): readonly string[] => [name, ...aliases];

const findEntries = (catalogue: NameCatalogue, isWanted: (entry: CatalogueEntry) => boolean): readonly FoundEntry[] =>
  Object.entries(entryKinds).flatMap(([kind, entries]) =>
    entries(catalogue)
      .filter(isWanted)
      .map((entry) => ({ kind, entry })),
  );

export function findByName(name: string, catalogue: NameCatalogue): readonly FoundEntry[] {
  const wanted = name.toLowerCase();
  return findEntries(catalogue, (entry) => entryNames(entry).some((one) => one.toLowerCase() === wanted));
}

export const findByPattern = (pattern: RegExp, catalogue: NameCatalogue): readonly FoundEntry[] =>
  findEntries(catalogue, ({ name }) => pattern.test(name));

/** Every name, with the description of its first entry. */
export function allEntryNames(catalogue: NameCatalogue): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { entry } of findEntries(catalogue, () => true)) {
    for (const name of entryNames(entry)) if (!found.has(name)) found.set(name, entry.description);
  }
  return found;
}

export const suggestAll = (name: string, catalogue: NameCatalogue): readonly string[] =>
  findNearNames(name, allEntryNames(catalogue).keys());
