import { copyJson, isJsonObject } from './json.ts';
import { describeKeyword } from './schema-words.ts';

/** An error of a JSON Schema validator, as ajv gives it where it is `verbose`. */
export interface SchemaError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly schema?: unknown;
  readonly parentSchema?: unknown;
  readonly data?: unknown;
}

/** UTF-16 units of a value that is no more than an example. */
const longest = 80;

function showData(data: unknown): string {
  const json = JSON.stringify(copyJson(data) ?? null);
  return json.length > longest ? `${json.slice(0, longest)}…` : json;
}

/** What is wrong with a document, in words: `/rules/0/verdict is "x", not one of "pass", "fail"`. */
export function describeMistake({ instancePath, keyword, params, schema, parentSchema, data }: SchemaError): string {
  const name = instancePath === '' ? 'the top' : instancePath;
  if (keyword === 'required') return `${name} has no member "${String(params['missingProperty'])}"`;
  if (keyword === 'additionalProperties')
    return `${name} has an unknown member "${String(params['additionalProperty'])}"`;
  const around = copyJson(parentSchema);
  const asked = describeKeyword(keyword, copyJson(schema) ?? null, isJsonObject(around) ? around : {});
  return `${name} is ${showData(data)}, not ${asked ?? `as ${keyword} has it`}`;
}
