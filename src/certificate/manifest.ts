import type { Json } from '../lib/json.ts';
import { profiles } from '../model/profile.ts';
import { levels, severity, type Verdict } from '../model/rule.ts';

/** A part of the JSON Schema; `type` never has a value, it carries the type that the part accepts. */
interface Part<T> {
  readonly schema: object;
  readonly isOptional?: boolean;
  readonly type?: T;
}

type Of<P> = P extends Part<infer T> ? T : never;
type Parts = Readonly<Record<string, Part<unknown>>>;
interface OptionalPart<T> extends Part<T> {
  readonly isOptional: true;
}

type Members<P extends Parts> = {
  readonly [K in keyof P as P[K] extends OptionalPart<unknown> ? never : K]: Of<P[K]>;
} & { readonly [K in keyof P as P[K] extends OptionalPart<unknown> ? K : never]?: Of<P[K]> };

const part = <T>(schema: object): Part<T> => ({ schema });
const maybe = <T>({ schema }: Part<T>): OptionalPart<T> => ({ schema, isOptional: true });
const oneOf = <T extends string>(...names: readonly T[]): Part<T> => part({ type: 'string', enum: names });
const matching = (pattern: string): Part<string> => part({ type: 'string', pattern });
const listOf = <T>({ schema }: Part<T>): Part<readonly T[]> => part({ type: 'array', items: schema });
const named = <T>({ schema }: Part<T>): Part<Readonly<Record<string, T>>> =>
  part({ type: 'object', additionalProperties: schema });

/** Every member is required and no other is allowed, because nothing may be read into a certificate that it does not say. */
function closed<P extends Parts>(members: P): Part<Members<P>> {
  const entries = Object.entries(members);
  return part({
    type: 'object',
    additionalProperties: false,
    required: entries.flatMap(([name, { isOptional }]) => (isOptional === true ? [] : [name])),
    properties: Object.fromEntries(entries.map(([name, { schema }]) => [name, schema])),
  });
}

const each = <K extends string, T>(names: readonly K[], of: Part<T>): Part<Readonly<Record<K, T>>> =>
  part(closed(Object.fromEntries(names.map((name) => [name, of]))).schema);

const text = part<string>({ type: 'string' });
const texts = listOf(text);
const count = part<number>({ type: 'integer', minimum: 0 });
const json = part<Json>({});
const digest = matching('^sha256:[0-9a-f]{64}$');
/** ISO 8601, UTC. */
const moment = matching('^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$');

/** Rules without a verdict about the carrier, grouped by reason; `not-selected` ones are missing from the result. */
const notJudged = closed({
  verdict: oneOf<Verdict | 'not-selected'>(...severity, 'not-selected'),
  reason: text,
  rules: texts,
});

const score = closed({ conforming: count, judged: count, applicable: count });

const conclusion = closed({
  outcome: oneOf('conformant', 'not conformant', 'incomplete', 'not judged'),
  reasons: texts,
  score,
});

export const manifestVersion = 2;

const manifest = closed({
  format: part<'carrierspec-certificate'>({ const: 'carrierspec-certificate' }),
  version: part<typeof manifestVersion>({ const: manifestVersion }),
  /** Time of signing, by the signer's clock. */
  certifiedAt: moment,
  /** A run that is incomplete, or that judged no required rule, is never certified. */
  outcome: oneOf('conformant', 'not conformant'),
  interface: closed({ id: matching('^[a-z][a-z0-9-]*$'), version: matching('^\\d+(\\.\\d+)*$') }),
  /** `fingerprint`: digest over the target file without secrets. */
  carrier: closed({ name: text, issuer: text, fingerprint: text, testCarrier: part<boolean>({ type: 'boolean' }) }),
  clock: closed({ kind: oneOf('real', 'virtual'), note: text }),
  run: closed({
    id: text,
    startedAt: moment,
    endedAt: moment,
    /** Selectors as typed; empty means everything. */
    selection: texts,
    /** Areas left out. */
    without: texts,
    /** Defects given to the embedded reference carrier. */
    faults: texts,
    /** Why part of the run is missing although its outcome is proven. */
    reasons: texts,
  }),
  /** Digest, size and contents of the result file. */
  result: closed({ digest, bytes: count, cases: count, invariants: count, unsolicited: count }),
  /** `additions`: folders of suites that do not ship, as the operator named them. */
  suites: closed({ rules: text, suites: text, additions: texts }),
  /** The program that ran and its digest, which is the signing program's as well. */
  tool: closed({ name: part<'carrierspec'>({ const: 'carrierspec' }), version: text, node: text, digest }),
  /** Profile that the carrier was measured against. */
  certificationProfile: oneOf(...profiles),
  conclusions: closed({ interface: maybe(conclusion), baseline: maybe(conclusion) }),
  /** Number of all required rules, selected or not. */
  whole: closed({ interface: count, baseline: count, counted: count }),
  /** Rules that do not count for the outcome. */
  apart: texts,
  /** Choices that the target file declares where the interface leaves them open. */
  declarations: listOf(closed({ key: text, value: json, words: text })),
  score: each([...levels, 'all'], score),
  /** Number of rules with each verdict, 0 included. */
  counts: each(severity, count),
  verdicts: named(oneOf(...severity)),
  /** Values recorded for informational rules: the carrier's choices where the interface leaves them open. */
  recorded: named(named(json)),
  notJudged: listOf(notJudged),
  attested: listOf(
    closed({ rule: text, by: text, on: text, description: text, evidence: text, sha256: maybe(digest) }),
  ),
  /** Entries of expected.yaml; they change no verdict and no outcome. */
  expectedFailures: listOf(
    closed({
      what: oneOf('rule', 'case'),
      name: text,
      reason: text,
      owner: text,
      expires: text,
      became: oneOf('failed', 'no longer fails', 'expired', 'matches nothing', 'not judged'),
      explains: texts,
    }),
  ),
});

/** JSON Schema 2020-12 of a certificate's payload. */
export const manifestSchema = manifest.schema;

/** Payload of a certificate: everything that its signature vouches for. */
export type Manifest = Of<typeof manifest>;
export type NotJudged = Of<typeof notJudged>;
