import { omitUndefined } from '../lib/json.ts';
import type { ExpectedResult } from '../model/expected-failure.ts';
import { flagValues } from '../model/flags.ts';
import type { Result, ResultFooter, RuleResult } from '../model/result.ts';
import { isConclusive, verdictOrder, type Verdict } from '../model/rule.ts';
import { type Manifest, manifestVersion, type NotJudgedRules } from './manifest.ts';

type CertifyRefusalCode =
  | 'no-footer'
  | 'run-interrupted'
  | 'incomplete'
  | 'shard'
  | 'virtual-clock'
  | 'other-version'
  | 'other-program'
  | 'unknown-suites'
  | 'unknown-addition'
  | 'contradiction';

export interface CertifyRefusal {
  readonly code: CertifyRefusalCode;
  readonly message: string;
}

/** Version, digest and suites of the signing program, with the suites named as additions. */
export interface CertifyingProgram {
  readonly version: string;
  /** Digest of the program itself. */
  readonly digest: string;
  readonly digests: { readonly rules: string; readonly suites: string };
  readonly additions: readonly string[];
}

export type Certifiable = { readonly result: EndedResult; readonly outcome: Manifest['outcome'] };

const refuseCertificate = (code: CertifyRefusalCode, message: string): { readonly refused: CertifyRefusal } => ({
  refused: { code, message },
});

/** Only the program that ran can judge the rules again in the same way. */
function checkProgram(
  { header: { tool } }: Result,
  { version, digest }: CertifyingProgram,
): CertifyRefusal | undefined {
  if (tool.version !== version) {
    const message = `the run was made by carrierspec ${tool.version}, and this is ${version}: certify with the version that ran`;
    return { code: 'other-version', message };
  }
  if (tool.digest === digest) return undefined;
  const message = `the run was made by another program of version ${version}: its digest is ${tool.digest}, and here it is ${digest}. Certify with the one that ran, or run again with this one`;
  return { code: 'other-program', message };
}

function checkSuites({ header }: Result, { digests, additions }: CertifyingProgram): CertifyRefusal | undefined {
  const { suites } = header;
  if (suites.rules === digests.rules && suites.suites === digests.suites) return undefined;
  if (additions.length === 0) {
    const message =
      'the run used rules or suites that do not ship with this carrierspec: name each further folder with --suites, as the run did, and the certificate says that it was added';
    return { code: 'unknown-suites', message };
  }
  const message = `the run used other rules or suites than those that ship and ${additions.join(', ')}: name the very folders of the run`;
  return { code: 'unknown-addition', message };
}

/** Returns the certifiable result, or the first reason to refuse it. It must be ended, complete, and made by known rules and program. */
export function checkCertifiable(
  result: Result,
  known: CertifyingProgram,
): Certifiable | { readonly refused: CertifyRefusal } {
  const { footer, header } = result;
  if (footer === undefined) {
    return refuseCertificate('no-footer', 'the result has no footer: the run was cut off, and there is no outcome');
  }
  const { shard } = header;
  if (shard !== undefined) {
    return refuseCertificate('shard', `the result is part ${shard.index} of ${shard.of} of a run: certify the whole`);
  }
  if (footer.interrupted) return refuseCertificate('run-interrupted', 'the run was interrupted: run it to its end');
  const { outcome } = footer;
  if (outcome === 'incomplete') {
    const why = footer.reasons.length === 0 ? '' : `: ${footer.reasons.join('; ')}`;
    return refuseCertificate(
      'incomplete',
      `the run is incomplete${why}. What could not be judged is neither conformant nor not`,
    );
  }
  if (outcome === 'not judged') {
    return refuseCertificate('incomplete', 'no required rule was judged, so there is nothing to certify: select more');
  }
  if (header.clock.kind === 'virtual' && header.target.testCarrier !== true) {
    const message =
      'the clock of the run was virtual, which certifies no production carrier: run in real time, or declare the target a test carrier (test_carrier: true), and the certificate says so';
    return refuseCertificate('virtual-clock', message);
  }
  const unknown = checkProgram(result, known) ?? checkSuites(result, known);
  if (unknown !== undefined) return { refused: unknown };
  return { result: { ...result, footer }, outcome };
}

export type EndedResult = Result & { readonly footer: ResultFooter };

interface ManifestSource {
  readonly result: EndedResult;
  /** Digest of the result file's bytes: `sha256:...`. */
  readonly digest: string;
  readonly bytes: number;
  /** Folders of suites that do not ship, as named. */
  readonly additions: readonly string[];
  /** All existing rules, in their order; rules missing from the result were not selected. */
  readonly knownRules: readonly string[];
  /** Milliseconds since the epoch. */
  readonly now: number;
}

type ByRuleId<T> = Readonly<Record<string, T>>;

/** UTF-16 units of one reason, so that a certificate stays readable. */
const maxCertifiedReason = 500;

const cutReason = (text: string): string =>
  text.length <= maxCertifiedReason ? text : `${text.slice(0, maxCertifiedReason - 1)}…`;

/** Number of rules with each verdict, in order of severity. */
export function countEveryVerdict(verdicts: Iterable<Verdict>): Readonly<Record<Verdict, number>> {
  const counts: Record<Verdict, number> = {
    'not-applicable': 0,
    'not-run': 0,
    attested: 0,
    pass: 0,
    informational: 0,
    warn: 0,
    inconclusive: 0,
    error: 0,
    fail: 0,
  };
  for (const verdict of verdicts) counts[verdict] += 1;
  return counts;
}

function groupUnjudged(rules: readonly RuleResult[], knownRules: readonly string[]): readonly NotJudgedRules[] {
  const groups = new Map<string, { verdict: NotJudgedRules['verdict']; reason: string; rules: string[] }>();
  const add = (rule: string, verdict: NotJudgedRules['verdict'], reason: string): void => {
    const key = `${verdict} ${reason}`;
    const group = groups.get(key) ?? { verdict, reason: cutReason(reason), rules: [] };
    group.rules.push(rule);
    groups.set(key, group);
  };
  const unjudged = rules.filter(({ verdict }) => !isConclusive(verdict) && verdict !== 'attested');
  for (const verdict of verdictOrder.toReversed()) {
    for (const rule of unjudged)
      if (rule.verdict === verdict) add(rule.id, verdict, rule.reason ?? 'no reason is given');
  }
  const found = new Set(rules.map(({ id }) => id));
  for (const rule of knownRules) if (!found.has(rule)) add(rule, 'not-selected', 'the run did not select it');
  return [...groups.values()];
}

function pickByRule<T>(rules: readonly RuleResult[], pick: (rule: RuleResult) => T | undefined): ByRuleId<T> {
  return Object.fromEntries(
    rules.flatMap((rule) => {
      const value = pick(rule);
      return value === undefined ? [] : [[rule.id, value] as const];
    }),
  );
}

/** Removes the position in the operator's file. */
function withoutPosition(entry: ExpectedResult): Omit<ExpectedResult, 'position'> {
  const { position: _, ...rest } = entry;
  return { ...rest, reason: cutReason(entry.reason) };
}

/** Claims of a result: the part of a manifest that can be rebuilt from the result file alone, in signing order. */
export function resultClaims({ header, footer, cases, invariants, rules, unsolicited }: EndedResult) {
  const { tool, target, run, startedAt, selection, flags, clock, suites, profile, declarations } = header;
  return {
    outcome: footer.outcome,
    interface: header.interface,
    carrier: {
      name: target.name,
      issuer: target.issuer,
      fingerprint: target.fingerprint,
      testCarrier: target.testCarrier === true,
    },
    clock: { kind: clock.kind, note: clock.note },
    run: {
      id: run,
      startedAt,
      endedAt: footer.endedAt,
      sealedAt: footer.seal?.at ?? '',
      selection,
      without: flagValues(flags, '--without'),
      faults: flagValues(flags, '--fault'),
      reasons: footer.reasons.map(cutReason),
    },
    result: { cases: [...cases].length, invariants: invariants.length, unsolicited: unsolicited.length },
    suites: { rules: suites.rules, suites: suites.suites },
    tool,
    certificationProfile: profile,
    whole: footer.whole,
    apart: rules.flatMap((rule) => (rule.apart === true ? [rule.id] : [])),
    named: footer.named,
    declarations,
    score: footer.score,
    counts: countEveryVerdict(rules.map(({ verdict }) => verdict)),
    verdicts: pickByRule(rules, ({ verdict }) => verdict),
    recorded: pickByRule(rules, ({ level, recorded }) =>
      level === 'informational' && Object.keys(recorded).length > 0 ? recorded : undefined,
    ),
    attested: rules.flatMap(({ id, verdict, attestation }) =>
      verdict === 'attested' && attestation !== undefined ? [{ rule: id, ...attestation }] : [],
    ),
    ...omitUndefined({ people: footer.people }),
    expectedFailures: (footer.expected ?? []).map(withoutPosition),
  };
}

/** Manifest of a certifiable result (`checkCertifiable`), its members in signing order. */
export function makeManifest(source: ManifestSource, outcome: Manifest['outcome']): Manifest {
  const { result, digest, bytes, additions, knownRules, now } = source;
  const { attested, expectedFailures, ...claims } = resultClaims(result);
  return {
    format: 'carrierspec-certificate',
    version: manifestVersion,
    certifiedAt: new Date(now).toISOString(),
    ...claims,
    outcome,
    result: { digest, bytes, ...claims.result },
    suites: { ...claims.suites, additions },
    notJudged: groupUnjudged(result.rules, knownRules),
    attested,
    expectedFailures,
  };
}
