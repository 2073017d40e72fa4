import { suggestion } from '../../lib/suggest.ts';
import { outcomes, outcomeTable } from '../../model/outcome.ts';
import type { SchemaCheck, TemplateMap } from '../../model/suite.ts';
import { reportAt } from '../compile/context.ts';
import {
  anyText,
  either,
  integer,
  json,
  list,
  object,
  oneOrMore,
  pattern,
  placed,
  text,
  word,
} from '../grammar/grammar.ts';
import { duration, kebabForm, values } from '../grammar/shared.ts';
import { compileTemplateMap } from '../template/template.ts';
import type { Show } from '../verbs/define.ts';
import { type Cursor, entries, items, text as textOf } from '../yaml/cursor.ts';
import { defineExpectation, type KeyContext, type PartOf } from './define.ts';
import { checkObservationSchema } from './observation-schema.ts';
import { schemaCheck } from './schema-check.ts';

const compileSchema = (cursor: Cursor, context: KeyContext): SchemaCheck | undefined =>
  cursor.value !== undefined && checkObservationSchema(cursor, context) ? schemaCheck(cursor.value) : undefined;

/** Characters of a schema in the words for an expectation. */
const schemaLimit = 400;

interface SchemaKey<Part extends object> {
  readonly key: string;
  readonly description: string;
  /** What must fit the schema, in words. */
  readonly what: string;
  readonly wrap: (check: SchemaCheck) => Part;
  readonly unwrap: (part: Part) => SchemaCheck;
}

const defineSchemaKey = <Part extends object>({ key, description, what, wrap, unwrap }: SchemaKey<Part>) =>
  defineExpectation({
    key,
    value: json({ description }),
    compile: (cursor, context): Part | undefined => {
      const check = compileSchema(cursor, context);
      return check === undefined ? undefined : wrap(check);
    },
    describe: (part, show: Show) => [`${what} fits the schema ${show(unwrap(part).schema, schemaLimit)}`],
  });

const oneOf = (all: readonly (string | number)[], before: string): readonly string[] => [
  `${before} ${all.length > 1 ? 'one of ' : ''}${all.join(', ')}`,
];

/** What a path of `equals` and `absent` may begin with: a typing error in `absent` would otherwise always hold. */
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

function checkRoot(written: string, { document, path }: Cursor, { report }: KeyContext): void {
  const [root = ''] = written.split('.');
  if (observed.includes(root)) return;
  const message = `nothing observed is called "${root}"`;
  const hint = suggestion(root, observed);
  report(document.problem({ code: 'unknown-name', message, position: document.keyPosition(path), hint }));
}

function compileChecks(all: readonly Cursor[], context: KeyContext): readonly string[] {
  const { checks } = context.known;
  return all.flatMap((cursor) => {
    const name = textOf(cursor);
    if (name === undefined) return [];
    if (!checks.has(name)) {
      const hint = suggestion(name, checks);
      reportAt(cursor, context, { code: 'unknown-check', message: `there is no check "${name}"`, hint });
    }
    return [name];
  });
}

const status = either(
  integer(100, 599, { title: 'a status such as 200 or 4xx' }),
  pattern('^[1-5]xx$', { title: 'a status such as 200 or 4xx' }),
  { title: 'a status such as 200 or 4xx' },
);

const spacingShape = object(
  {
    every: duration('The interval.'),
    early: duration('How much shorter it may be.'),
    late: duration('How much longer it may be.'),
  },
  {
    title: 'spacing',
    description: 'The time between those deliveries.',
    required: ['every', 'early', 'late'],
  },
);

const checkName = pattern(kebabForm, { title: 'a kebab-case name such as iat-too-old' });

const names = (title: string, description: string) => list(text(), { title, minItems: 1, description });

/** The keys of `expect`, in the order in which they are judged and described. */
export const expectationKeys = [
  defineExpectation({
    key: 'outcome',
    value: word(outcomes, { title: 'an outcome', description: 'What became of the step.' }),
    compile: (outcome) => ({ outcome }),
    describe: ({ outcome }) => [`${outcome}: ${outcomeTable[outcome].description}`],
  }),
  defineExpectation({
    key: 'error',
    value: names('a list of error codes', '`body.error` is one of these.'),
    compile: (error) => ({ error }),
    describe: ({ error }) => oneOf(error, 'body.error is'),
  }),
  defineExpectation({
    key: 'status',
    value: list(status, {
      title: 'a list of statuses such as 200 or 4xx',
      minItems: 1,
      description: 'The HTTP status is one of these: numbers, or classes such as 4xx.',
    }),
    compile: (statuses) => ({ status: statuses }),
    describe: ({ status: statuses }) => oneOf(statuses, 'the status is'),
  }),
  defineSchemaKey({
    key: 'body',
    description: 'JSON Schema of the body.',
    what: 'the body',
    wrap: (body) => ({ body }),
    unwrap: ({ body }) => body,
  }),
  defineSchemaKey({
    key: 'idToken',
    description: 'JSON Schema of the claims of the id token.',
    what: 'the id token',
    wrap: (idToken) => ({ idToken }),
    unwrap: ({ idToken }) => idToken,
  }),
  defineSchemaKey({
    key: 'card',
    description: 'JSON Schema of what the phone showed.',
    what: 'what the phone shows',
    wrap: (card) => ({ card }),
    unwrap: ({ card }) => card,
  }),
  defineSchemaKey({
    key: 'set',
    description: 'JSON Schema of the claims of an event.',
    what: 'the event token',
    wrap: (set) => ({ set }),
    unwrap: ({ set }) => set,
  }),
  defineSchemaKey({
    key: 'setHeader',
    description: 'JSON Schema of the JWT header of an event.',
    what: 'the header of the event token',
    wrap: (setHeader) => ({ setHeader }),
    unwrap: ({ setHeader }) => setHeader,
  }),
  defineExpectation({
    key: 'like',
    value: anyText({ description: "Status and error are those of this step's response." }),
    compile: (like) => ({ like }),
    describe: ({ like }) => [`status and error are those of step ${like}`],
  }),
  defineExpectation({
    key: 'latencyLike',
    value: anyText({ description: 'The median time cannot be told from that of this step.' }),
    compile: (latencyLike) => ({ latencyLike }),
    describe: ({ latencyLike }) => [`the median time cannot be told from that of step ${latencyLike}`],
  }),
  defineExpectation({
    key: 'equals',
    value: values('Deep equality by path: body.state, headers.location, idToken.nonce, card.context.', {
      minProperties: 1,
    }),
    compile: (cursor, context): { readonly equals: TemplateMap } => {
      for (const [path, value] of entries(cursor)) checkRoot(path, value, context);
      return { equals: compileTemplateMap(cursor, context.templates) };
    },
    describe: ({ equals }, show) => equals.map(([path, { source }]) => `${path} equals ${show(source)}`),
  }),
  defineExpectation({
    key: 'absent',
    value: placed(names('a list of paths', 'Paths that must not be there at all.')),
    compile: (cursor, context) => {
      const paths = items(cursor).flatMap((item) => {
        const path = textOf(item);
        if (path !== undefined) checkRoot(path, item, context);
        return path ?? [];
      });
      return { absent: paths };
    },
    describe: ({ absent }) => absent.map((path) => `${path} is absent`),
  }),
  defineExpectation({
    key: 'echo',
    value: names('a list of names', 'Members equal to the claim sent; absent if it was not sent.'),
    compile: (echo) => ({ echo }),
    describe: ({ echo }) => echo.map((name) => `${name} comes back as it was sent`),
  }),
  defineExpectation({
    key: 'count',
    value: integer(0, Number.POSITIVE_INFINITY, {
      title: 'a whole number',
      description: 'Deliveries taken by an await that waits until its end.',
    }),
    compile: (count) => ({ count }),
    describe: ({ count }) => [`${count} deliveries`],
  }),
  defineExpectation({
    key: 'spacing',
    value: spacingShape,
    compile: ({ every, early, late }) =>
      every === undefined || early === undefined || late === undefined
        ? undefined
        : { spacing: { every, early, late } },
    describe: ({ spacing: { every, early, late } }) => [
      `${every} s between deliveries, at most ${early} s early and ${late} s late`,
    ],
  }),
  defineExpectation({
    key: 'check',
    member: 'checks',
    value: oneOrMore(placed(checkName), {
      title: 'the name of a check',
      description: 'A named check (src/judge/checks/), or a list of them.',
    }),
    compile: (all, context) => ({ checks: compileChecks(all, context) }),
    describe: ({ checks }) => checks.map((name) => `the named check ${name} holds`),
  }),
] as const;

type Intersection<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

/** What the keys of an entry are compiled to; every key present is judged, each on its own. */
export type ExpectationParts = {
  readonly [Member in keyof Intersection<PartOf<(typeof expectationKeys)[number]>>]?: Intersection<
    PartOf<(typeof expectationKeys)[number]>
  >[Member];
};

/** The keys in words, each judged on its own. */
export const describeExpectation = (expectation: ExpectationParts, show: Show): readonly string[] =>
  expectationKeys.flatMap(({ describe }) => describe(expectation, show));
