import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Delivery } from '../model/exchange.ts';
import { isJsonObject } from '../model/json.ts';
import type { CaseResult, InvariantResult, ResultFooter, ResultHeader, RuleResult } from '../model/result.ts';
import { refuse } from './refuse.ts';

/** What `result.json` holds, as reports/result.schema.json describes it: the header's members at its top. */
export interface ResultDocument extends ResultHeader {
  readonly rules: readonly RuleResult[];
  readonly invariants: readonly InvariantResult[];
  readonly cases: readonly CaseResult[];
  readonly unsolicited: readonly Delivery[];
  readonly footer?: ResultFooter;
}

/** The line of a journal that says what was concluded, with the ids of its cases in the order of the suites. */
export interface JournalEnd extends Pick<ResultDocument, 'rules' | 'invariants' | 'unsolicited'> {
  readonly cases: readonly string[];
}

interface Shapes {
  readonly document: ValidateFunction<ResultDocument>;
  readonly case: ValidateFunction<CaseResult>;
  readonly end: ValidateFunction<JournalEnd>;
  readonly footer: ValidateFunction<ResultFooter>;
}

const listIn = (name: string) => ({ $ref: `result#/properties/${name}` });

const endSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['cases', 'rules', 'invariants', 'unsolicited'],
  properties: {
    cases: { type: 'array', items: { type: 'string' } },
    rules: listIn('rules'),
    invariants: listIn('invariants'),
    unsolicited: listIn('unsolicited'),
  },
};

const schemaFile = new URL('../../../reports/result.schema.json', import.meta.url);
const formatName = 'carrierspec-result';
const formatVersion = 1;

/** Deeper values than this are no evidence; they would only exhaust whoever walks them. */
const deepest = 128;

let compiled: Shapes | undefined;

/** The schema that ships is the one place that says what a result is; a type here is what it has proved. */
function shapes(): Shapes {
  if (compiled !== undefined) return compiled;
  const schema: unknown = JSON.parse(readFileSync(schemaFile, 'utf8'));
  if (!isJsonObject(schema)) throw new Error('reports/result.schema.json is no schema');
  const ajv = new Ajv2020({ strict: true, validateSchema: false });
  ajv.addSchema(schema, 'result');
  const below = (name: string) => ({ $ref: `result#/$defs/${name}` });
  compiled = {
    document: ajv.compile<ResultDocument>({ $ref: 'result' }),
    case: ajv.compile<CaseResult>(below('case')),
    end: ajv.compile<JournalEnd>(endSchema),
    footer: ajv.compile<ResultFooter>(below('footer')),
  };
  return compiled;
}

/** `/cases/3/verdict must be equal to one of the allowed values`: the first mistake. */
function firstMistake({ errors }: ValidateFunction): string {
  // Of alternatives, the last error is the one that stands for all of them.
  const error = errors?.at(-1);
  if (error === undefined) return 'it is not what it should be';
  const member: unknown = error.params['additionalProperty'];
  const what = typeof member === 'string' ? `: "${member}"` : '';
  return `${error.instancePath === '' ? 'the top' : error.instancePath} ${error.message ?? 'is wrong'}${what}`;
}

function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > deepest) return true;
    const next: unknown[] = [];
    for (const one of level) {
      if (typeof one !== 'object' || one === null) continue;
      for (const below of Object.values(one)) if (typeof below === 'object' && below !== null) next.push(below);
    }
    level = next;
  }
  return false;
}

function parse<T>(value: unknown, validate: ValidateFunction<T>, place: string): T {
  if (isTooDeep(value)) throw refuse('result-broken', `${place}: values are nested more than ${deepest} deep`);
  if (validate(value)) return value;
  throw refuse('result-broken', `${place}: this is not a result of carrierspec: ${firstMistake(validate)}`);
}

/** Other files are told apart from broken results, and results of a newer format from both. */
function requireFormat(value: unknown, place: string): void {
  if (!isJsonObject(value) || value['format'] !== formatName) {
    const message = `${place}: this is JSON, but neither a result.json nor a journal.jsonl of carrierspec`;
    throw refuse('result-not-one', message);
  }
  const version = value['version'];
  if (typeof version !== 'number' || version <= formatVersion) return;
  const message = `${place}: this result has version ${version} of the format; this carrierspec reads version ${formatVersion}: use a newer one`;
  throw refuse('result-newer', message);
}

/** A whole result. Throws CarrierspecError where it is none, or of a newer format; `place` names it in the message. */
export function parseDocument(value: unknown, place: string): ResultDocument {
  requireFormat(value, place);
  return parse(value, shapes().document, place);
}

/** The header of a journal. Throws as parseDocument does. */
export function parseHeader(value: unknown, place: string): ResultHeader {
  requireFormat(value, place);
  const empty = { rules: [], invariants: [], cases: [], unsolicited: [] };
  const whole = isJsonObject(value) ? { ...value, ...empty } : value;
  const { rules: _, invariants: __, cases: ___, unsolicited: ____, ...header } = parse(whole, shapes().document, place);
  return header;
}

/** A case of a journal. Throws as parseDocument does. */
export const parseCase = (value: unknown, place: string): CaseResult => parse(value, shapes().case, place);

/** What a journal says was concluded. Throws as parseDocument does. */
export const parseEnd = (value: unknown, place: string): JournalEnd => parse(value, shapes().end, place);

/** The footer of a journal. Throws as parseDocument does. */
export const parseFooter = (value: unknown, place: string): ResultFooter => parse(value, shapes().footer, place);
