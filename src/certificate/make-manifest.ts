import { valuesOf } from '../model/flags.ts';
import type { ExpectedResult } from '../model/expected.ts';
import type { Result, ResultFooter, RuleResult } from '../model/result.ts';
import { isConclusive, severity, type Verdict } from '../model/verdict.ts';
import { type Manifest, manifestVersion, type NotJudged } from './manifest.ts';

export type EndedResult = Result & { readonly footer: ResultFooter };

interface ManifestSource {
  readonly result: EndedResult;
  /** Of the bytes of the result file: `sha256:...`. */
  readonly digest: string;
  readonly bytes: number;
  /** Folders of suites that do not ship, as named. */
  readonly additions: readonly string[];
  /** All rules there are, in their order; those the result lacks were not selected. */
  readonly knownRules: readonly string[];
  /** Milliseconds since the epoch. */
  readonly now: number;
}

type Named<T> = Readonly<Record<string, T>>;

/** UTF-16 units of one reason: a certificate stays a document that can be read. */
const reasonLimit = 500;

const cut = (text: string): string => (text.length <= reasonLimit ? text : `${text.slice(0, reasonLimit - 1)}…`);

/** Rules of every verdict, in the order of severity. */
export function countAll(verdicts: Iterable<Verdict>): Readonly<Record<Verdict, number>> {
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

function notJudgedOf(rules: readonly RuleResult[], knownRules: readonly string[]): readonly NotJudged[] {
  const groups = new Map<string, { verdict: NotJudged['verdict']; reason: string; rules: string[] }>();
  const add = (rule: string, verdict: NotJudged['verdict'], reason: string): void => {
    const key = `${verdict} ${reason}`;
    const group = groups.get(key) ?? { verdict, reason: cut(reason), rules: [] };
    group.rules.push(rule);
    groups.set(key, group);
  };
  const unjudged = rules.filter(({ verdict }) => !isConclusive(verdict) && verdict !== 'attested');
  for (const verdict of severity.toReversed()) {
    for (const rule of unjudged)
      if (rule.verdict === verdict) add(rule.id, verdict, rule.reason ?? 'no reason is given');
  }
  const found = new Set(rules.map(({ id }) => id));
  for (const rule of knownRules) if (!found.has(rule)) add(rule, 'not-selected', 'the run did not select it');
  return [...groups.values()];
}

function byRule<T>(rules: readonly RuleResult[], pick: (rule: RuleResult) => T | undefined): Named<T> {
  return Object.fromEntries(
    rules.flatMap((rule) => {
      const value = pick(rule);
      return value === undefined ? [] : [[rule.id, value] as const];
    }),
  );
}

/** Without its place in the file of the operator. */
function expectedOf(entry: ExpectedResult): Omit<ExpectedResult, 'position'> {
  const { position: _, ...rest } = entry;
  return { ...rest, reason: cut(entry.reason) };
}

/** What a result says of itself: the part of a manifest that can be made again from the result file alone, in the order it is signed in. */
export function claimsOf({ header, footer, cases, invariants, rules, unsolicited }: EndedResult) {
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
      selection,
      without: valuesOf(flags, '--without'),
      faults: valuesOf(flags, '--fault'),
      reasons: footer.reasons.map(cut),
    },
    result: { cases: [...cases].length, invariants: invariants.length, unsolicited: unsolicited.length },
    suites: { rules: suites.rules, suites: suites.suites },
    tool,
    certificationProfile: profile,
    conclusions: footer.conclusions,
    whole: footer.whole,
    apart: rules.flatMap((rule) => (rule.apart === true ? [rule.id] : [])),
    declarations,
    score: footer.score,
    counts: countAll(rules.map(({ verdict }) => verdict)),
    verdicts: byRule(rules, ({ verdict }) => verdict),
    recorded: byRule(rules, ({ level, recorded }) =>
      level === 'informational' && Object.keys(recorded).length > 0 ? recorded : undefined,
    ),
    attested: rules.flatMap(({ id, verdict, attestation }) =>
      verdict === 'attested' && attestation !== undefined ? [{ rule: id, ...attestation }] : [],
    ),
    expectedFailures: (footer.expected ?? []).map(expectedOf),
  };
}

/** The manifest of a result that may be certified (`checkCertifiable`), member by member in the order it is signed in. */
export function makeManifest(source: ManifestSource, outcome: Manifest['outcome']): Manifest {
  const { result, digest, bytes, additions, knownRules, now } = source;
  const { attested, expectedFailures, ...claims } = claimsOf(result);
  return {
    format: 'carrierspec-certificate',
    version: manifestVersion,
    certifiedAt: new Date(now).toISOString(),
    ...claims,
    outcome,
    result: { digest, bytes, ...claims.result },
    suites: { ...claims.suites, additions },
    notJudged: notJudgedOf(result.rules, knownRules),
    attested,
    expectedFailures,
  };
}
