import { isJsonObject, isList, type Json, type JsonObject, omitUndefined, readMember } from '../lib/json.ts';
import type { Difference } from '../model/suite.ts';
import { baseMembersFile, baseRequestFile } from './bases.ts';
import { rulesFile } from './rules.ts';
import { suiteGrammar } from './compile/suite.ts';
import { limitsFile } from './load-limits.ts';
import { namedStepsFile } from './expand/named-steps.ts';
import { eachShape } from './grammar/common-shapes.ts';
import { nearMissesFile } from './near-misses.ts';
import type { VerbTable } from './verbs/verb.ts';
import { documentSchema, type Grammar, json, list, nonEmptyText, object } from './grammar/grammar.ts';

const referencePattern = '\\{\\{ *(each|do)\\.';

/** Whether a schema is of a value that is no free text, so that a reference to a row would not fit it. */
const isNarrow = ({ type, pattern, enum: words }: JsonObject): boolean =>
  pattern !== undefined || words !== undefined || type === 'integer' || type === 'number' || type === 'boolean';

/** Lets a reference to a row, or to a parameter, stand for each value: a suite is checked after these were filled in. */
function allowReferences(schema: Json): Json {
  if (isList(schema)) return schema.map(allowReferences);
  if (!isJsonObject(schema)) return schema;
  if (!isNarrow(schema)) {
    return Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, allowReferences(value)]));
  }
  const { title, description, ...own } = schema;
  return {
    ...omitUndefined({ title, description }),
    anyOf: [own, { type: 'string', pattern: referencePattern }],
  };
}

/** Keys of a step that are gone once a suite is expanded. */
const expandedKeys = object({
  each: eachShape('The step, or the block of `steps`, is done once for each row.'),
  steps: list(json({ type: 'object' }), { title: 'a list of steps', description: 'A block of steps, of `each`.' }),
  do: nonEmptyText({ description: 'Named steps of suites/steps.yaml, done here.' }),
  with: json({ type: 'object', title: 'a mapping', description: 'The parameters of the named steps.' }),
});

/** Schema of a suite as people write it: with rows of `each`, references to them, and verbs that join several differences. */
function writtenSchema(schema: JsonObject, verbs: VerbTable): JsonObject {
  const { definitions, ...root } = schema;
  const { case: one, step, ...others } = isJsonObject(definitions) ? definitions : {};
  const joined = Object.fromEntries(
    verbs.map(({ verb }) => {
      const value = readMember(readMember(step, 'properties'), verb) ?? {};
      const { description } = isJsonObject(value) ? value : {};
      return [verb, { ...omitUndefined({ description }), anyOf: [value, { type: 'array' }, { type: 'string' }] }];
    }),
  );
  const each = eachShape('A matrix: one case for each row, with its own verdict.', {
    $ref: '#/definitions/row',
  }).schema;
  const withEach = withProperties(one, { each });
  const written: Json = {
    case: withEach,
    step: withProperties(step, { ...joined, ...readProperties(expandedKeys.schema) }),
    ...others,
  };
  return { ...root, definitions: allowReferences(written) };
}

function readProperties(schema: JsonObject): JsonObject {
  const properties = readMember(schema, 'properties');
  return isJsonObject(properties) ? properties : {};
}

function withProperties(schema: Json | undefined, added: JsonObject): JsonObject {
  const own = isJsonObject(schema) ? schema : {};
  return { ...own, properties: { ...readProperties(own), ...added } };
}

interface SuiteGrammars {
  readonly verbs: VerbTable;
  readonly difference: Grammar<Difference>;
}

/** JSON Schemas of a suites folder's files, by file name in `suites/schema/`. */
export const suiteSchemas = ({ verbs, difference }: SuiteGrammars): Readonly<Record<string, JsonObject>> => ({
  'suite.json': writtenSchema(documentSchema(suiteGrammar(verbs)), verbs),
  'rules.json': documentSchema(rulesFile),
  'limits.json': documentSchema(limitsFile(difference)),
  'base-request.json': documentSchema(baseRequestFile),
  'base-members.json': documentSchema(baseMembersFile),
  'near-misses.json': documentSchema(nearMissesFile),
  'steps.json': documentSchema(namedStepsFile),
});
