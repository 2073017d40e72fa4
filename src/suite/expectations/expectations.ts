import { at, type Cursor, place, keyPlace } from '../yaml/document.ts';
import { omitUndefined } from '../../lib/json.ts';
import { suggestKnown } from '../../lib/suggestion.ts';
import { outcomes, outcomeTable } from '../../model/outcome.ts';
import type { Position, RuleRef } from '../../model/rule.ts';
import type { SchemaCheck } from '../../model/suite.ts';
import { type CompileContext, reportAt } from '../context.ts';
import { compileRuleRefs } from '../rules.ts';
import {
  described,
  either,
  type Grammar,
  members,
  named,
  listOrOne,
  placed,
  word,
  anyText,
  checked,
  integer,
  json,
  list,
  mapped,
  pattern,
  type ReadValue,
  type ReadContext,
  nonEmptyText,
} from '../grammar/grammar.ts';
import { ruleRefs, durationShape, kebabForm, values } from '../grammar/common-shapes.ts';
import type { TemplateContext } from '../template/template.ts';
import type { ShowValue } from '../verbs/verb.ts';
import { checkObservationSchema, createSchemaCheck } from './schema-check.ts';

/** Entry of `expect`. */
export interface Expectation extends ExpectationParts {
  /** Rules it judges: its own, or those of the step or case. */
  readonly rules: readonly RuleRef[];
  readonly position: Position;
}

/** Key of `expect`: its grammar and its description. */
interface ExpectationKey<Value> extends Grammar<Value> {
  readonly describe: (value: Value, show: ShowValue) => readonly string[];
}

const defineExpectation = <Value>(
  shape: Grammar<Value>,
  describe: (value: Value, show: ShowValue) => readonly string[],
): ExpectationKey<Value> => ({ ...shape, describe });

/** Maximum characters of a schema in a description. */
const maxSchemaLength = 400;

/** Defines a key with a JSON Schema for one part of the observation; `what` names that part. */
const defineSchemaKey = (description: string, what: string): ExpectationKey<SchemaCheck> =>
  defineExpectation(
    {
      ...json({ description }),
      read: (cursor, context) => {
        if (cursor.value === undefined || context === undefined) return undefined;
        return checkObservationSchema(cursor, context) ? createSchemaCheck(cursor.value) : undefined;
      },
    },
    ({ schema }, show) => [`${what} fits the schema ${show(schema, maxSchemaLength)}`],
  );

const alternativesLine = (all: readonly (string | number)[], before: string): readonly string[] => [
  `${before} ${all.length > 1 ? 'one of ' : ''}${all.join(', ')}`,
];

/** Roots of paths in `equals`, `differs` and `absent`. Without this check, a misspelt path in `absent` would always hold. */
const observedRoots = [
  'body',
  'headers',
  'idToken',
  'card',
  'status',
  'method',
  'target',
  'text',
  'granted',
  'deliveries',
  'set',
  'setHeader',
  'audience',
  'done',
];

function checkRoot(written: string, cursor: Cursor, { report }: ReadContext): void {
  const [root = ''] = written.split('.');
  if (observedRoots.includes(root)) return;
  const message = `nothing observed is called "${root}"`;
  const hint = suggestKnown(root, observedRoots);
  report(cursor.document.problem({ code: 'unknown-name', message, position: keyPlace(cursor), hint }));
}

function checkCheckNames(check: string, cursor: Cursor, context: ReadContext): void {
  const { checks } = context.known;
  if (checks.has(check)) return;
  const hint = suggestKnown(check, checks);
  reportAt(cursor, context, { code: 'unknown-check', message: `there is no check "${check}"`, hint });
}

const statusShape = either(
  integer(100, 599, { title: 'a status such as 200 or 4xx' }),
  pattern('^[1-5]xx$', { title: 'a status such as 200 or 4xx' }),
  { title: 'a status such as 200 or 4xx' },
);

const spacingShape = members(
  {
    every: durationShape('The interval.'),
    early: durationShape('How much shorter it may be.'),
    late: durationShape('How much longer it may be.'),
  },
  { title: 'spacing', description: 'The time between those deliveries.', required: ['every', 'early', 'late'] },
);

const nameListKey = (title: string, description: string, item: Grammar<string> = nonEmptyText()) =>
  list(item, { title, minItems: 1, description });

/** Expected values, by the path of the actual ones. */
const valuesByPath = (description: string) =>
  checked(values(description, { minProperties: 1 }), (paths, cursor, context) => {
    for (const [path] of paths) checkRoot(path, at(cursor, path), context);
  });

const expectationDefinitions = {
  outcome: defineExpectation(
    word(outcomes, { title: 'an outcome', description: 'Outcome of the step.' }),
    (outcome) => [`${outcome}: ${outcomeTable[outcome].description}`],
  ),
  error: defineExpectation(nameListKey('a list of error codes', '`body.error` is one of these.'), (error) =>
    alternativesLine(error, 'body.error is'),
  ),
  status: defineExpectation(
    list(statusShape, {
      title: 'a list of statuses such as 200 or 4xx',
      minItems: 1,
      description: 'The HTTP status is one of these: numbers, or classes such as 4xx.',
    }),
    (all) => alternativesLine(all, 'the status is'),
  ),
  body: defineSchemaKey('JSON Schema of the body.', 'the body'),
  idToken: defineSchemaKey('JSON Schema of the claims of the id token.', 'the id token'),
  card: defineSchemaKey('JSON Schema of what the phone showed.', 'what the phone shows'),
  set: defineSchemaKey('JSON Schema of the claims of an event.', 'the event token'),
  setHeader: defineSchemaKey('JSON Schema of the JWT header of an event.', 'the header of the event token'),
  like: defineExpectation(anyText({ description: "Status and error are those of this step's response." }), (step) => [
    `status and error are those of step ${step}`,
  ]),
  latencyLike: defineExpectation(
    anyText({ description: 'A rank test cannot distinguish the times from those of this step.' }),
    (step) => [`a rank test cannot distinguish the times from those of step ${step}`],
  ),
  equals: defineExpectation(
    valuesByPath('Deep equality by path: body.state, headers.location, idToken.nonce, card.context.'),
    (paths, show) => paths.map(([path, { source }]) => `${path} equals ${show(source)}`),
  ),
  equalsOrAbsent: defineExpectation(
    valuesByPath('Deep equality by path, of what is there: a path may be absent.'),
    (paths, show) => paths.map(([path, { source }]) => `${path} equals ${show(source)}, or is absent`),
  ),
  includes: defineExpectation(
    valuesByPath('Maps a path to its value, or to a list of its allowed values.'),
    (paths, show) => paths.map(([path, { source }]) => `${path} is or has ${show(source)}`),
  ),
  differs: defineExpectation(valuesByPath('Deep inequality by path; a path that is absent differs.'), (paths, show) =>
    paths.map(([path, { source }]) => `${path} is not ${show(source)}`),
  ),
  absent: defineExpectation(
    nameListKey('a list of paths', 'Paths that must not be there at all.', checked(nonEmptyText(), checkRoot)),
    (paths) => paths.map((path) => `${path} is absent`),
  ),
  echo: defineExpectation(
    nameListKey('a list of names', 'Members equal to the claim sent; absent if it was not sent.'),
    (all) => all.map((member) => `${member} comes back as it was sent`),
  ),
  count: defineExpectation(
    integer(0, Number.POSITIVE_INFINITY, {
      title: 'a whole number',
      description: 'Deliveries taken by an await that waits until its end.',
    }),
    (count) => [`${count} deliveries`],
  ),
  spacing: defineExpectation(
    mapped(spacingShape, ({ every, early, late }) =>
      every === undefined || early === undefined || late === undefined ? undefined : { every, early, late },
    ),
    ({ every, early, late }) => [`${every} s between deliveries, at most ${early} s early and ${late} s late`],
  ),
  check: defineExpectation(
    listOrOne(checked(pattern(kebabForm, { title: 'a kebab-case name such as iat-too-old' }), checkCheckNames), {
      title: 'the name of a check',
      description: 'A named check, or a list of them.',
    }),
    (checks) => checks.map((one) => `the named check ${one} holds`),
  ),
};

type ExpectationValues = {
  readonly [Key in keyof typeof expectationDefinitions]: ReadValue<(typeof expectationDefinitions)[Key]>;
};
type ExpectationName = keyof ExpectationValues;

/** Keys of `expect`, in the order of description. */
export const expectationKeys: { readonly [K in ExpectationName]: ExpectationKey<ExpectationValues[K]> } =
  expectationDefinitions;

/** Parts of an entry, judged one by one. `checks` is the key `check`. */
type ExpectationParts = { readonly [K in Exclude<ExpectationName, 'check'>]?: ExpectationValues[K] } & {
  readonly checks?: ExpectationValues['check'];
};

const isExpectationName = (key: string): key is ExpectationName => Object.hasOwn(expectationKeys, key);

function describeExpectationKey<K extends ExpectationName>(
  key: K,
  value: ExpectationValues[K] | undefined,
  show: ShowValue,
): readonly string[] {
  return value === undefined ? [] : expectationKeys[key].describe(value, show);
}

/** Describes an expectation, one line for each part. */
export function describeExpectation({ checks, ...parts }: ExpectationParts, show: ShowValue): readonly string[] {
  const values: { readonly [K in ExpectationName]?: ExpectationValues[K] | undefined } = { ...parts, check: checks };
  return Object.keys(expectationKeys).flatMap((key) =>
    isExpectationName(key) ? describeExpectationKey(key, values[key], show) : [],
  );
}

interface ExpectContext extends CompileContext {
  readonly by: 'case' | 'invariant';
  /** Rules for an entry that names none. */
  readonly rules: readonly RuleRef[];
  readonly templates: TemplateContext;
}

const outcomeShape = word(outcomes, { title: 'an outcome' });
const expectMappingShape = members(
  { ...expectationKeys, rule: described(ruleRefs, 'The rule this entry judges.') },
  { title: 'expect', minProperties: 1 },
);
const expectEntryShape = named(
  'expectEntry',
  either(outcomeShape, expectMappingShape, { title: 'an outcome or a mapping' }),
);

/** Grammar of `expect`: an outcome, a mapping, or a list of either. */
export const expectShape: Grammar<readonly Cursor[]> = named(
  'expect',
  listOrOne(placed(expectEntryShape), { title: 'an outcome, a mapping, or a list of them' }),
);

export function compileExpectations(
  entries: readonly Cursor[] | undefined,
  context: ExpectContext,
): readonly Expectation[] {
  return (entries ?? []).map((entry) => compileExpectation(entry, context));
}

function compileExpectation(entry: Cursor, context: ExpectContext): Expectation {
  const rules = compileRuleRefs(at(entry, 'rule'), context, context.by) ?? context.rules;
  for (const { rule } of rules) context.judged(rule, context.by);
  const judged = { rules, position: place(entry) };
  const outcome = outcomeShape.read(entry);
  if (outcome !== undefined) return { ...judged, outcome };
  const {
    check: checks,
    rule: _,
    ...parts
  } = expectMappingShape.read(entry, { ...context.templates, known: context.known }) ?? {};
  return { ...judged, ...parts, ...omitUndefined({ checks }) };
}
