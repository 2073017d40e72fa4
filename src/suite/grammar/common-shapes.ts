import { parseDuration } from '../../lib/duration.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { Moment, Template, TemplateMap } from '../../model/suite.ts';
import { compileMoment, compileTemplate, compileTemplateMap, type TemplateContext } from '../template/template.ts';
import type { Cursor } from '../yaml/document.ts';
import {
  type Grammar,
  json,
  list,
  listOrOne,
  mapped,
  named,
  nonEmptyText,
  pattern,
  placed,
  type ReadContext,
  type ShapeWords,
} from './grammar.ts';

export const kebabForm = '^[a-z0-9]+(?:-[a-z0-9]+)*$';

/** Kebab-case name; `example` is for messages. */
export const kebabName = (description: string, example = 'iat-too-old'): Grammar<string> =>
  pattern(kebabForm, { title: `a kebab-case name such as ${example}`, description });

/** Duration, read as seconds. */
export const durationShape = (description: string): Grammar<number> =>
  mapped(
    pattern('^(?=.)(?:[0-9.]+d)?(?:[0-9.]+h)?(?:[0-9.]+m)?(?:[0-9.]+s)?(?:[0-9.]+ms)?$', {
      title: 'a duration such as 60s or 5m30s',
      description,
    }),
    parseDuration,
  );

const compileWith =
  <Value>(compile: (cursor: Cursor, context: TemplateContext) => Value | undefined) =>
  (cursor: Cursor, context?: ReadContext): Value | undefined =>
    cursor.value === undefined || context === undefined ? undefined : compile(cursor, context);

export const values = (description: string, words: ShapeWords = {}): Grammar<TemplateMap> => ({
  ...json({ type: 'object', title: 'a mapping', ...words, description }),
  read: compileWith(compileTemplateMap),
});

/** JSON value with templates; `words` may restrict its form. */
export const templateShape = (words: ShapeWords): Grammar<Template> => ({
  ...json(words),
  read: compileWith(compileTemplate),
});

export const templateText = (description: string): Grammar<Template> => templateShape({ type: 'string', description });

/** Lets templates of an HTTP request also read `jws`, the signed request object. */
export const withJws = <Value>(shape: Grammar<Value>): Grammar<Value> => ({
  ...shape,
  read: (cursor, context) =>
    shape.read(
      cursor,
      context === undefined
        ? undefined
        : { ...context, names: new Map([...context.names, ['jws', new Set<string>()]]) },
    ),
});

export const nonEmptyTexts = (title: string, description: string, words: ShapeWords = {}): Grammar<readonly string[]> =>
  list(nonEmptyText(), { title, ...words, description });

export const httpMethod = (description: string): Grammar<string> =>
  pattern('^[A-Z]+$', { title: 'an HTTP method such as PUT', description });

export const httpHeaders = values('HTTP headers; a header set to null is not sent.');

/** Moment in the case's timeline. */
export const momentShape: Grammar<Moment> = named('moment', {
  ...nonEmptyText({ title: 'a moment such as first + 4m30s' }),
  read: compileWith(compileMoment),
});

/** Rules and aspects that something judges; `compileRuleRefs` reads them. */
export const ruleRefs = named(
  'rule',
  placed(
    listOrOne(
      pattern('^[A-Z]+-[0-9]+[a-z]?(#[a-z0-9]+(-[a-z0-9]+)*)?$', {
        title: 'a rule such as REQ-007 or REQ-007#near-miss',
      }),
      { title: 'a rule such as REQ-007 or REQ-007#near-miss, or a list of them' },
    ),
  ),
);

/** Principles (`P1`) and decisions (`C1.2`) of suites/decisions.md. */
export const citeList = named(
  'cites',
  list(
    pattern('^(P(?:[1-9]|[12][0-9])|C(?:[1-9]|10)\\.[0-9]{1,2})$', {
      title: 'a principle such as P1 or a decision such as C1.2',
    }),
    { minItems: 1, title: 'a list of principles and decisions' },
  ),
);

const axisSchema: JsonObject = {
  anyOf: [
    { type: 'array', minItems: 1 },
    {
      type: 'object',
      additionalProperties: false,
      required: ['values'],
      properties: { values: { type: 'object', minProperties: 1, description: 'Values by name.' } },
    },
  ],
};

/** Rows: a mapping of them, or axes that make them. A suite is expanded before it is read, so nothing reads this shape. */
export const eachShape = (description: string, row: JsonObject = { type: 'object' }): Grammar<Cursor> =>
  json({
    title: 'a mapping of rows, or of axes',
    description,
    minProperties: 1,
    anyOf: [
      { type: 'object', additionalProperties: row },
      {
        type: 'object',
        properties: {
          pairs: { type: 'boolean', description: 'Each two values of two axes in one row, not the product.' },
        },
        additionalProperties: axisSchema,
      },
    ],
  });
