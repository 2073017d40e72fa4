import type { ValidateFunction } from 'ajv';
import { packageFile, readPackageText } from '../lib/package-file.ts';
import { isJsonObject } from '../lib/json.ts';
import { describeSchemaError } from '../lib/schema-words.ts';
import { validatorFor } from '../lib/validator.ts';
import type { Finding } from '../model/finding.ts';
import type { CaseResult, Contribution, Gap, Result, ResultFooter, ResultHeader } from '../model/result.ts';
import { resultError } from './parse-json.ts';

/** Content of `loadedSchema.json`, as reports/result.schema.json describes it: the header's members are at its top level. */
export interface ResultDocument extends ResultHeader, Omit<Result, 'header' | 'cases'> {
  readonly cases: readonly CaseResult[];
}

/** Conclusions from all cases of a run, with the case ids in the order of the suites. */
export interface JournalEnd extends Pick<Result, 'rules' | 'invariants' | 'unsolicited'> {
  readonly cases: readonly string[];
}

/** Text that only the operator can decrypt, and the case that it was written with. */
export interface EncryptedText {
  readonly encrypted: string;
  readonly case?: string;
}

interface ResultParts {
  readonly document: ResultDocument;
  readonly case: CaseResult;
  readonly contributed: Contribution;
  readonly end: JournalEnd;
  readonly footer: ResultFooter;
  readonly gap: Gap;
  readonly encrypted: EncryptedText;
  readonly finding: Finding;
}

const schemaFile = packageFile('reports/result.schema.json');
const formatName = 'carrierspec-result';
const formatVersion = 3;

const textSchema = { type: 'string' };
const resultPath = (path: string) => ({ $ref: `result#/${path}` });
const closedRecord = (properties: Readonly<Record<string, object>>, optional: readonly string[] = []) => ({
  type: 'object',
  additionalProperties: false,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  properties,
});

const endSchema = closedRecord({
  cases: { type: 'array', items: textSchema },
  rules: resultPath('properties/rules'),
  invariants: resultPath('properties/invariants'),
  unsolicited: resultPath('properties/unsolicited'),
});

const schemas: Readonly<Record<keyof ResultParts, object>> = {
  document: { $ref: 'result' },
  case: resultPath('$defs/case'),
  contributed: resultPath('$defs/contribution'),
  end: endSchema,
  footer: resultPath('$defs/footer'),
  gap: closedRecord({ from: textSchema, to: textSchema }),
  encrypted: closedRecord({ encrypted: textSchema, case: textSchema }, ['case']),
  finding: resultPath('$defs/finding'),
};

export const resultPartNames = Object.keys(schemas) as readonly (keyof ResultParts)[];

let loadedSchema: object | undefined;
const compiledParts: Partial<Record<keyof ResultParts, ValidateFunction>> = {};

/** The shipped schema is the only definition of a result. */
function resultSchema(): object {
  if (loadedSchema !== undefined) return loadedSchema;
  const schema: unknown = JSON.parse(readPackageText(schemaFile));
  if (!isJsonObject(schema)) throw new Error('reports/result.schema.json is no schema');
  loadedSchema = schema;
  return loadedSchema;
}

const options = { strict: true, validateSchema: false, verbose: true, code: { optimize: false } } as const;

/** Validates a value against the schema of a part, which proves its type in `ResultParts`. */
export function partValidator<Name extends keyof ResultParts>(name: Name): ValidateFunction<ResultParts[Name]> {
  const found =
    compiledParts[name] ??
    validatorFor({ dialect: '2020-12', options, schema: schemas[name], known: { result: resultSchema() } });
  compiledParts[name] = found;
  return found as ValidateFunction<ResultParts[Name]>;
}

function describeLastMistake({ errors }: ValidateFunction): string {
  // The last error of several alternatives stands for all of them.
  const error = errors?.at(-1);
  return error === undefined ? 'it is not what it should be' : describeSchemaError(error);
}

/** Checks a value and types it. Throws CarrierspecError with the position and the first mistake. */
export function parsePart<Name extends keyof ResultParts>(
  name: Name,
  value: unknown,
  place: string,
): ResultParts[Name] {
  const validate = partValidator(name);
  if (validate(value)) return value;
  throw resultError('result-broken', `${place}: this is not a result of carrierspec: ${describeLastMistake(validate)}`);
}

/** Throws unless the value is a result, or a journal's header, in the current format version. A broken result is reported elsewhere. */
export function requireFormat(value: unknown, place: string): void {
  if (!isJsonObject(value) || value['format'] !== formatName) {
    const message = `${place}: this is JSON, but neither a result.json nor a journal.jsonl of carrierspec`;
    throw resultError('result-not-one', message);
  }
  const version = value['version'];
  if (typeof version !== 'number' || version === formatVersion) return;
  const message = `${place}: this result has version ${version} of the format, and this carrierspec reads version ${formatVersion} only: use the carrierspec that wrote it`;
  throw resultError('result-version', message);
}

/** Header of a journal: a result with no content. Throws as `parsePart` does. */
export function parseHeader(value: unknown, place: string): ResultHeader {
  const empty = { rules: [], invariants: [], cases: [], unsolicited: [] };
  const whole = isJsonObject(value) ? { ...value, ...empty } : value;
  const { rules: _, invariants: __, cases: ___, unsolicited: ____, ...header } = parsePart('document', whole, place);
  return header;
}
