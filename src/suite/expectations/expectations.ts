import { at, type Cursor, place, keyPlace } from '../yaml/document.ts';
import { defined } from '../../lib/json.ts';
import { suggestion } from '../../lib/suggest.ts';
import { outcomes, outcomeTable } from '../../model/outcome.ts';
import type { Position, RuleRef } from '../../model/rule.ts';
import type { SchemaCheck } from '../../model/suite.ts';
import { type CompileContext, reportAt } from '../compile/context.ts';
import { compileRuleRefs } from '../compile/rules.ts';
import {
  described,
  either,
  type Grammar,
  members,
  named,
  oneOrMore,
  placed,
  word,
  anyText,
  checked,
  integer,
  json,
  list,
  mapped,
  pattern,
  type Read,
  type ReadContext,
  text,
} from '../grammar/grammar.ts';
import { ruleRefs, duration, kebabForm, values } from '../grammar/shared.ts';
import type { TemplateContext } from '../template/template.ts';
import type { Show } from '../verbs/define.ts';
import { checkObservationSchema, schemaCheck } from './schema-check.ts';

/** Entry of `expect`. */
export interface Expectation extends ExpectationParts {
  /** Rules it judges: its own, or those of the step or case. */
  readonly rules: readonly RuleRef[];
  readonly position: Position;
}

/** Key of `expect`: its grammar and its description. */
interface ExpectationKey<Value> extends Grammar<Value> {
  readonly describe: (value: Value, show: Show) => readonly string[];
}

const defineExpectation = <Value>(
  shape: Grammar<Value>,
  describe: (value: Value, show: Show) => readonly string[],
): ExpectationKey<Value> => ({ ...shape, describe });

/** Maximum characters of a schema in a description. */
const schemaLimit = 400;

/** Defines a key with a JSON Schema for one part of the observation; `what` names that part. */
const defineSchemaKey = (description: string, what: string): ExpectationKey<SchemaCheck> =>
  defineExpectation(
    {
      ...json({ description }),
      read: (cursor, context) => {
        if (cursor.value === undefined || context === undefined) return undefined;
        return checkObservationSchema(cursor, context) ? schemaCheck(cursor.value) : undefined;
      },
    },
    ({ schema }, show) => [`${what} fits the schema ${show(schema, schemaLimit)}`],
  );

const oneOf = (all: readonly (string | number)[], before: string): readonly string[] => [
  `${before} ${all.length > 1 ? 'one of ' : ''}${all.join(', ')}`,
];

/** Roots of paths in `equals`, `differs` and `absent`. Without this check, a misspelt path in `absent` would always hold. */
const observed = [
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
  if (observed.includes(root)) return;
  const message = `nothing observed is called "${root}"`;
  const hint = suggestion(root, observed);
  report(cursor.document.problem({ code: 'unknown-name', message, position: keyPlace(cursor), hint }));
}

function checkNamed(check: string, cursor: Cursor, context: ReadContext): void {
  const { checks } = context.known;
  if (checks.has(check)) return;
  const hint = suggestion(check, checks);
  reportAt(cursor, context, { code: 'unknown-check', message: `there is no check "${check}"`, hint });
}

const status = either(
  integer(100, 599, { title: 'a status such as 200 or 4xx' }),
  pattern('^[1-5]xx$', { title: 'a status such as 200 or 4xx' }),
  { title: 'a status such as 200 or 4xx' },
);

const spacingShape = members(
  {
    every: duration('The interval.'),
    early: duration('How much shorter it may be.'),
    late: duration('How much longer it may be.'),
  },
  { title: 'spacing', description: 'The time between those deliveries.', required: ['every', 'early', 'late'] },
);

const names = (title: string, description: string, item: Grammar<string> = text()) =>
  list(item, { title, minItems: 1, description });

/** Expected values, by the path of the actual ones. */
const byPath = (description: string) =>
  checked(values(description, { minProperties: 1 }), (paths, cursor, context) => {
    for (const [path] of paths) checkRoot(path, at(cursor, path), context);
  });

const definitions = {
  outcome: defineExpectation(
    word(outcomes, { title: 'an outcome', description: 'Outcome of the step.' }),
    (outcome) => [`${outcome}: ${outcomeTable[outcome].description}`],
  ),
  error: defineExpectation(names('a list of error codes', '`body.error` is one of these.'), (error) =>
    oneOf(error, 'body.error is'),
  ),
  status: defineExpectation(
    list(status, {
      title: 'a list of statuses such as 200 or 4xx',
      minItems: 1,
      description: 'The HTTP status is one of these: numbers, or classes such as 4xx.',
    }),
    (all) => oneOf(all, 'the status is'),
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
    byPath('Deep equality by path: body.state, headers.location, idToken.nonce, card.context.'),
    (paths, show) => paths.map(([path, { source }]) => `${path} equals ${show(source)}`),
  ),
  equalsOrAbsent: defineExpectation(
    byPath('Deep equality by path, of what is there: a path may be absent.'),
    (paths, show) => paths.map(([path, { source }]) => `${path} equals ${show(source)}, or is absent`),
  ),
  differs: defineExpectation(byPath('Deep inequality by path; a path that is absent differs.'), (paths, show) =>
    paths.map(([path, { source }]) => `${path} is not ${show(source)}`),
  ),
  absent: defineExpectation(
    names('a list of paths', 'Paths that must not be there at all.', checked(text(), checkRoot)),
    (paths) => paths.map((path) => `${path} is absent`),
  ),
  echo: defineExpectation(
    names('a list of names', 'Members equal to the claim sent; absent if it was not sent.'),
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
    oneOrMore(checked(pattern(kebabForm, { title: 'a kebab-case name such as iat-too-old' }), checkNamed), {
      title: 'the name of a check',
      description: 'A named check (src/judge/checks/), or a list of them.',
    }),
    (checks) => checks.map((one) => `the named check ${one} holds`),
  ),
};

type Values = { readonly [Key in keyof typeof definitions]: Read<(typeof definitions)[Key]> };
type Key = keyof Values;

/** Keys of `expect`, in the order of description. */
export const expectationKeys: { readonly [K in Key]: ExpectationKey<Values[K]> } = definitions;

/** Parts of an entry, judged one by one. `checks` is the key `check`. */
type ExpectationParts = { readonly [K in Exclude<Key, 'check'>]?: Values[K] } & { readonly checks?: Values['check'] };

const isKey = (key: string): key is Key => Object.hasOwn(expectationKeys, key);

function describeKey<K extends Key>(key: K, value: Values[K] | undefined, show: Show): readonly string[] {
  return value === undefined ? [] : expectationKeys[key].describe(value, show);
}

/** Describes an expectation, one line for each part. */
export function describeExpectation({ checks, ...parts }: ExpectationParts, show: Show): readonly string[] {
  const values: { readonly [K in Key]?: Values[K] | undefined } = { ...parts, check: checks };
  return Object.keys(expectationKeys).flatMap((key) => (isKey(key) ? describeKey(key, values[key], show) : []));
}

interface ExpectContext extends CompileContext {
  readonly by: 'case' | 'invariant';
  /** Rules for an entry that names none. */
  readonly rules: readonly RuleRef[];
  readonly templates: TemplateContext;
}

const outcomeShape = word(outcomes, { title: 'an outcome' });
const mappingShape = members(
  { ...expectationKeys, rule: described(ruleRefs, 'The rule this entry judges.') },
  { title: 'expect', minProperties: 1 },
);
const entryShape = named('expectEntry', either(outcomeShape, mappingShape, { title: 'an outcome or a mapping' }));

/** Grammar of `expect`: an outcome, a mapping, or a list of either. */
export const expectShape: Grammar<readonly Cursor[]> = named(
  'expect',
  oneOrMore(placed(entryShape), { title: 'an outcome, a mapping, or a list of them' }),
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
  } = mappingShape.read(entry, { ...context.templates, known: context.known }) ?? {};
  return { ...judged, ...parts, ...defined({ checks }) };
}
