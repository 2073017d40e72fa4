import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { copyJson, isJsonObject, type Json } from '../../lib/json.ts';
import type { SchemaCheck, SchemaMismatch } from '../../model/suite.ts';

const mostMismatches = 10;
const longestText = 200;

const compiled = new Map<string, SchemaCheck>();
let ajv: Ajv | undefined;

function schemas(): Ajv {
  ajv ??= new Ajv({ strict: true, strictTypes: false, strictRequired: false, allErrors: true, verbose: true });
  return ajv;
}

/** A JSON Schema (draft-07) that is compiled when it is first used; equal schemas share one. */
export function schemaCheck(schema: Json): SchemaCheck {
  const key = JSON.stringify(schema);
  const known = compiled.get(key);
  if (known !== undefined) return known;
  let validate: ValidateFunction | undefined;
  const check: SchemaCheck = {
    schema,
    mismatches: (value) => {
      validate ??= compile(schema);
      return validate(value) ? [] : (validate.errors ?? []).slice(0, mostMismatches).map(mismatchOf);
    },
  };
  compiled.set(key, check);
  return check;
}

function compile(schema: Json): ValidateFunction {
  return schemas().compile(isJsonObject(schema) || typeof schema === 'boolean' ? schema : false);
}

function mismatchOf({ instancePath, message, schema, data, keyword, params }: ErrorObject): SchemaMismatch {
  const names: unknown = params['additionalProperty'] ?? params['missingProperty'];
  const about = typeof names === 'string' ? ` "${names}"` : '';
  return {
    path: instancePath,
    message: keyword === 'additionalProperties' ? `must not have${about}` : (message ?? keyword),
    expected: cut(copyJson(schema) ?? null),
    actual: cut(copyJson(data) ?? null),
  };
}

/** A value short enough for a report. */
function cut(value: Json): Json {
  if (typeof value === 'string') return value.length > longestText ? `${value.slice(0, longestText)}...` : value;
  if (value === null || typeof value !== 'object') return value;
  const written = JSON.stringify(value);
  return written.length > longestText ? `${written.slice(0, longestText)}...` : value;
}
