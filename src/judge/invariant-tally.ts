import { omitUndefined } from '../lib/json.ts';
import type { Finding } from '../model/finding.ts';
import type { Confirmation, InvariantResult } from '../model/result.ts';
import { renderRuleRef, isConclusive, type Verdict, worstVerdict } from '../model/rule.ts';
import type { NamedChecks, RunCheckState } from './check.ts';
import { countedVerdict } from '../verdict/standing.ts';
import type { Invariant } from '../suite/suites.ts';

/** Violations of each rule and aspect that are kept in full, first in suite order; the rest are only counted. */
export const maxKeptFindings = 10;

export interface InvariantTally {
  readonly invariant: Invariant;
  judged: number;
  /** Messages that could not be judged. */
  unjudged: number;
  /** Why the first of them could not; undefined if no published keys were read near them. */
  unjudgedReason: string | undefined;
  violations: number;
  /** Cases that showed a required violation, by rule and aspect. */
  readonly seenIn: Map<string, Set<string>>;
  /** Kept findings, by rule and aspect. */
  readonly kept: Map<string, readonly { readonly order: number; readonly finding: Finding }[]>;
  readonly states: readonly RunCheckState[];
  /** Case with the first message that shows a required violation of a check over the run. */
  shown?: string;
}

export function openInvariantTally(invariant: Invariant, checks: NamedChecks): InvariantTally {
  const names = invariant.expectations.flatMap((expectation) => expectation.checks ?? []);
  const states = names.flatMap((name) => {
    const check = checks[name];
    return check?.over === 'run' ? [check.begin()] : [];
  });
  const counts = { judged: 0, unjudged: 0, unjudgedReason: undefined, violations: 0 };
  return { invariant, ...counts, seenIn: new Map(), kept: new Map(), states };
}

/** Counts messages that the invariant cannot judge. */
export function skipMessage(tally: InvariantTally, why: string, count = 1): void {
  tally.unjudged += count;
  tally.unjudgedReason ??= why;
}

/** Keeps the first findings of each rule and aspect, in suite order. */
export function keepFindings(tally: InvariantTally, found: readonly Finding[], order: number): void {
  for (const finding of found) {
    const ref = renderRuleRef(finding);
    if (countedVerdict(finding) === 'fail')
      tally.seenIn.set(ref, (tally.seenIn.get(ref) ?? new Set()).add(finding.seenIn ?? ''));
    const kept = [...(tally.kept.get(ref) ?? []), { order, finding }].toSorted((a, b) => a.order - b.order);
    tally.kept.set(ref, kept.slice(0, maxKeptFindings));
  }
}

/** Nothing confirms a violation but the same case once more; undefined if nothing required was broken. */
function confirmTally({ invariant, seenIn }: InvariantTally): Confirmation | undefined {
  if (seenIn.size === 0) return undefined;
  return {
    status: 'seen-once',
    reason: invariant.on === 'run' ? 'it shows over a whole run only' : 'no case ran again',
  };
}

export interface BrokenInvariant {
  readonly id: string;
  /** Case that showed it. */
  readonly seenIn: string;
}

/** A required violation that makes the run red and that two cases showed, or that a comparison of messages showed; undefined if there is none yet. */
export function brokenForSure(
  { invariant: { id }, seenIn, kept, shown }: InvariantTally,
  breaks: (finding: Finding, invariant: string) => boolean,
): BrokenInvariant | undefined {
  const red = [...seenIn].filter(([ref]) => kept.get(ref)?.some(({ finding }) => breaks(finding, id)) === true);
  if (shown !== undefined && red.length > 0) return { id, seenIn: shown };
  const [first] = red.filter(([, { size }]) => size > 1).flatMap(([, cases]) => [...cases]);
  return first === undefined ? undefined : { id, seenIn: first };
}

type InvariantCounts = Pick<InvariantResult, 'judged' | 'unjudged' | 'findings'>;

/** A violation stands whatever else was not judged; without one, an invariant that skipped messages has no verdict. */
export function invariantVerdict({ judged, unjudged = 0, findings }: InvariantCounts): Verdict {
  const found = worstVerdict(findings.map(countedVerdict));
  if (found === 'fail') return found;
  if (unjudged > 0) return 'inconclusive';
  return judged === 0 ? 'not-run' : (found ?? 'pass');
}

function invariantReason({
  judged,
  unjudged = 0,
  unjudgedReason: why = 'no published keys were read near them',
}: InvariantCounts & Partial<Pick<InvariantTally, 'unjudgedReason'>>): string | undefined {
  if (unjudged > 0) return `${unjudged} of ${judged + unjudged} messages could not be judged: ${why}`;
  return judged === 0 ? 'no message of this kind was seen' : undefined;
}

/** The result with at least as many messages that could not be judged as another one of the same invariant. */
export function withUnjudged(result: InvariantResult, { unjudged = 0, reason }: InvariantResult): InvariantResult {
  if (unjudged <= (result.unjudged ?? 0)) return result;
  const { reason: _, ...rest } = { ...result, unjudged };
  const verdict = invariantVerdict(rest);
  return { ...rest, verdict, ...omitUndefined({ reason: isConclusive(verdict) ? undefined : reason }) };
}

export function concludeTally(tally: InvariantTally): InvariantResult {
  const { invariant, judged, unjudged, unjudgedReason, violations, kept } = tally;
  const findings = [...kept.values()].flatMap((entries) => entries.map(({ finding }) => finding));
  const { id, title, suite, area, position, on } = invariant;
  const counted = { judged, findings, ...omitUndefined({ unjudged: unjudged || undefined }) };
  const verdict = invariantVerdict(counted);
  return {
    id,
    title,
    suite,
    area,
    position,
    on,
    rules: invariant.expectations.flatMap((expectation) => expectation.rules),
    verdict,
    ...omitUndefined({ reason: isConclusive(verdict) ? undefined : invariantReason({ ...counted, unjudgedReason }) }),
    ...counted,
    violations,
    ...omitUndefined({ confirmation: confirmTally(tally) }),
  };
}
