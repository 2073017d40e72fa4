import type { Json } from '../lib/json.ts';
import { profiles } from '../model/profile.ts';
import { levels, verdictOrder, type Verdict } from '../model/rule.ts';

/** A part of the JSON Schema; `type` never has a value, it carries the type that the part accepts. */
interface SchemaPart<T> {
  readonly schema: object;
  readonly isOptional?: boolean;
  readonly type?: T;
}

type TypeOf<P> = P extends SchemaPart<infer T> ? T : never;
type SchemaParts = Readonly<Record<string, SchemaPart<unknown>>>;
interface OptionalPart<T> extends SchemaPart<T> {
  readonly isOptional: true;
}

type MemberTypes<P extends SchemaParts> = {
  readonly [K in keyof P as P[K] extends OptionalPart<unknown> ? never : K]: TypeOf<P[K]>;
} & { readonly [K in keyof P as P[K] extends OptionalPart<unknown> ? K : never]?: TypeOf<P[K]> };

const schemaPart = <T>(schema: object): SchemaPart<T> => ({ schema });
const optionalPart = <T>({ schema }: SchemaPart<T>): OptionalPart<T> => ({ schema, isOptional: true });
const oneOfNames = <T extends string>(...names: readonly T[]): SchemaPart<T> =>
  schemaPart({ type: 'string', enum: names });
const textMatching = (pattern: string): SchemaPart<string> => schemaPart({ type: 'string', pattern });
const listSchema = <T>({ schema }: SchemaPart<T>): SchemaPart<readonly T[]> =>
  schemaPart({ type: 'array', items: schema });
const mapSchema = <T>({ schema }: SchemaPart<T>): SchemaPart<Readonly<Record<string, T>>> =>
  schemaPart({ type: 'object', additionalProperties: schema });

/** Every member is required and no other is allowed, because nothing may be read into a certificate that it does not say. */
function closedObject<P extends SchemaParts>(members: P): SchemaPart<MemberTypes<P>> {
  const entries = Object.entries(members);
  return schemaPart({
    type: 'object',
    additionalProperties: false,
    required: entries.flatMap(([name, { isOptional }]) => (isOptional === true ? [] : [name])),
    properties: Object.fromEntries(entries.map(([name, { schema }]) => [name, schema])),
  });
}

const memberForEach = <K extends string, T>(
  names: readonly K[],
  of: SchemaPart<T>,
): SchemaPart<Readonly<Record<K, T>>> =>
  schemaPart(closedObject(Object.fromEntries(names.map((name) => [name, of]))).schema);

const textPart = schemaPart<string>({ type: 'string' });
const textListPart = listSchema(textPart);
const countPart = schemaPart<number>({ type: 'integer', minimum: 0 });
const jsonPart = schemaPart<Json>({});
const digestPart = textMatching('^sha256:[0-9a-f]{64}$');
/** ISO 8601, UTC. */
const momentPart = textMatching('^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$');

/** Rules without a verdict about the carrier, grouped by reason; `not-selected` ones are missing from the result. */
const notJudgedPart = closedObject({
  verdict: oneOfNames<Verdict | 'not-selected'>(...verdictOrder, 'not-selected'),
  reason: textPart,
  rules: textListPart,
});

const scorePart = closedObject({ conforming: countPart, judged: countPart, applicable: countPart });

export const manifestVersion = 3;

const manifestPart = closedObject({
  format: schemaPart<'carrierspec-certificate'>({ const: 'carrierspec-certificate' }),
  version: schemaPart<typeof manifestVersion>({ const: manifestVersion }),
  /** Time of signing, by the signer's clock. */
  certifiedAt: momentPart,
  /** A run that is incomplete, or that judged no required rule, is never certified. */
  outcome: oneOfNames('conformant', 'not conformant'),
  interface: closedObject({ id: textMatching('^[a-z][a-z0-9-]*$'), version: textMatching('^\\d+(\\.\\d+)*$') }),
  /** `fingerprint`: digest over the target file without secrets. */
  carrier: closedObject({
    name: textPart,
    issuer: textPart,
    fingerprint: textPart,
    testCarrier: schemaPart<boolean>({ type: 'boolean' }),
  }),
  clock: closedObject({ kind: oneOfNames('real', 'virtual'), note: textPart }),
  run: closedObject({
    id: textPart,
    startedAt: momentPart,
    endedAt: momentPart,
    /** When the run was over, by the clock of its machine: a virtual clock does not say. */
    sealedAt: momentPart,
    /** Selectors as typed; empty means everything. */
    selection: textListPart,
    /** Areas left out. */
    without: textListPart,
    /** Defects given to the embedded reference carrier. */
    faults: textListPart,
    /** Why part of the run is missing although its outcome is proven. */
    reasons: textListPart,
  }),
  /** Digest, size and contents of the result file. */
  result: closedObject({
    digest: digestPart,
    bytes: countPart,
    cases: countPart,
    invariants: countPart,
    unsolicited: countPart,
  }),
  /** `additions`: folders of suites that do not ship, as the operator named them. */
  suites: closedObject({ rules: textPart, suites: textPart, additions: textListPart }),
  /** The program that ran and its digest, which is the signing program's as well. */
  tool: closedObject({
    name: schemaPart<'carrierspec'>({ const: 'carrierspec' }),
    version: textPart,
    node: textPart,
    digest: digestPart,
  }),
  /** Profile that the carrier was measured against. */
  certificationProfile: oneOfNames(...profiles),
  /** Number of required rules that count for the outcome, selected or not. */
  whole: countPart,
  /** Rules that do not count for the outcome. */
  apart: textListPart,
  /** Rules that count only because the selection names them. */
  named: textListPart,
  /** Choices that the target file declares where the interface leaves them open. */
  declarations: listSchema(closedObject({ key: textPart, value: jsonPart, words: textPart })),
  score: memberForEach([...levels, 'all'], scorePart),
  /** Number of rules with each verdict, 0 included. */
  counts: memberForEach(verdictOrder, countPart),
  verdicts: mapSchema(oneOfNames(...verdictOrder)),
  /** Values recorded for informational rules: the carrier's choices where the interface leaves them open. */
  recorded: mapSchema(mapSchema(jsonPart)),
  notJudged: listSchema(notJudgedPart),
  attested: listSchema(
    closedObject({
      rule: textPart,
      by: textPart,
      on: textPart,
      description: textPart,
      evidence: textPart,
      sha256: optionalPart(digestPart),
    }),
  ),
  /** Answers of people on which verdicts rest; absent if there were none. `again` counts those to a second asking. */
  people: optionalPart(
    closedObject({
      answers: countPart,
      again: countPart,
      cases: countPart,
      names: listSchema(closedObject({ name: textPart, answers: countPart })),
      rules: textListPart,
    }),
  ),
  /** Entries of expected.yaml; they change no verdict and no outcome. */
  expectedFailures: listSchema(
    closedObject({
      what: oneOfNames('rule', 'case'),
      name: textPart,
      reason: textPart,
      owner: textPart,
      expires: textPart,
      became: oneOfNames('failed', 'no longer fails', 'expired', 'matches nothing', 'not judged'),
      explains: textListPart,
    }),
  ),
});

/** JSON Schema 2020-12 of a certificate's payload. */
export const manifestSchema = manifestPart.schema;

/** Payload of a certificate: everything that its signature vouches for. */
export type Manifest = TypeOf<typeof manifestPart>;
export type NotJudgedRules = TypeOf<typeof notJudgedPart>;
