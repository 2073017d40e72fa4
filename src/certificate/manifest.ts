import type { Attested } from '../model/attestation.ts';
import type { ExpectedResult } from '../model/expected.ts';
import type { Json } from '../lib/json.ts';
import type { LimitResult, LimitValue, ProfileValue } from '../model/limit.ts';
import type { InterfaceRef, Score } from '../model/result.ts';
import type { Level } from '../model/rule.ts';
import type { Outcome, Verdict } from '../model/verdict.ts';

/** A limit as it is certified: what was found; what was tried stays in the result. */
export type CertifiedLimit = Pick<LimitResult, 'name' | 'title'> & LimitValue;

/** A behaviour that the interface leaves open, as it is certified. */
export type CertifiedBehaviour = Pick<ProfileValue, 'name' | 'description' | 'case' | 'value' | 'reason'>;

export type Named<T> = Readonly<Record<string, T>>;

/** Rules that one reason kept from a verdict about the carrier; `not-selected` ones are not in the result at all. */
export interface NotJudged {
  readonly verdict: Verdict | 'not-selected';
  readonly reason: string;
  readonly rules: readonly string[];
}

/** A certificate's payload: everything that one signature vouches for. Digests are `sha256:` and 64 hexadecimal digits. */
export interface Manifest {
  readonly format: 'carrierspec-certificate';
  readonly version: 2;
  /** ISO 8601, UTC: when it was signed, by the clock of the signer. */
  readonly certifiedAt: string;
  /** An incomplete run is never certified. */
  readonly outcome: Exclude<Outcome, 'incomplete'>;
  readonly interface: InterfaceRef;
  readonly carrier: {
    readonly name: string;
    readonly issuer: string;
    /** Digest over the target file without secrets. */
    readonly fingerprint: string;
    readonly testCarrier: boolean;
  };
  readonly clock: { readonly kind: 'real' | 'virtual'; readonly note: string };
  readonly run: {
    readonly id: string;
    readonly startedAt: string;
    readonly endedAt: string;
    /** Selectors as typed; empty means everything. */
    readonly selection: readonly string[];
    readonly level: Level;
    /** Areas that were left out. */
    readonly without: readonly string[];
    /** Defects that the embedded reference carrier was given. */
    readonly faults: readonly string[];
    /** Why something of the run is missing although its outcome is proven. */
    readonly reasons: readonly string[];
  };
  /** The bytes of the result file, and what they hold. */
  readonly result: {
    readonly digest: string;
    readonly bytes: number;
    readonly cases: number;
    readonly invariants: number;
    readonly unsolicited: number;
  };
  readonly suites: {
    readonly rules: string;
    readonly suites: string;
    /** Folders of suites that do not ship, as the operator named them. */
    readonly additions: readonly string[];
  };
  /** The program that ran, and the digest of the one of the same version that signed. */
  readonly tool: {
    readonly name: 'carrierspec';
    readonly version: string;
    readonly node: string;
    readonly digest: string;
  };
  readonly score: Readonly<Record<Level | 'all', Score>>;
  /** Rules of every verdict; 0 where no rule has it. */
  readonly counts: Readonly<Record<Verdict, number>>;
  /** By the id of the rule. */
  readonly verdicts: Named<Verdict>;
  /** What was recorded of informational rules: how the carrier treats what the interface leaves open. */
  readonly recorded: Named<Named<Json>>;
  /** Of a run that measured: the carrier's real limits, and its profile. They change no verdict. */
  readonly limits?: readonly CertifiedLimit[];
  readonly profile?: readonly CertifiedBehaviour[];
  readonly notJudged: readonly NotJudged[];
  readonly attested: readonly (Attested & { readonly rule: string })[];
  /** The entries of expected.yaml; they change no verdict and no outcome. */
  readonly expectedFailures: readonly Omit<ExpectedResult, 'position'>[];
}
