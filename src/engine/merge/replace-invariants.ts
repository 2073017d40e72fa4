import type { CaseResult, Contribution, InvariantResult } from '../../model/result.ts';
import type { Invariant } from '../../suite/suites.ts';
import { confirmedAs, type JoinOptions, judgeContributions, sumOf } from './invariants.ts';
import { type Pair, sharesCarrier } from './parts.ts';

/** The cases of the whole run as they stand now. */
interface Standing {
  readonly cases: readonly CaseResult[];
  readonly contributions: ReadonlyMap<string, Contribution>;
  /** Those of the later run. */
  readonly ids: ReadonlySet<string>;
  /** Invariants that the later run judged. */
  readonly judgedLater: ReadonlySet<string>;
}

type Found = ReadonlyMap<string, InvariantResult>;

const byId = (found: readonly InvariantResult[]): Found => new Map(found.map((one) => [one.id, one]));

/** What the earlier run found in cases that stand; what it found in cases that ran again is the later run's to say. */
function withoutReplaced(before: InvariantResult, ids: ReadonlySet<string>): InvariantResult {
  const findings = before.findings.filter(({ seenIn }) => seenIn === undefined || !ids.has(seenIn));
  const gone = before.findings.length - findings.length;
  return { ...before, findings, violations: Math.max(findings.length, before.violations - gone) };
}

/**
 * What shows over a whole run only is judged again from the contributions of both, where these show as much of the earlier run as
 * that saw itself, and both asked one carrier; otherwise what both found stands.
 */
function joinOverRun(
  invariant: Invariant,
  { before, now, again }: { readonly [Name in 'before' | 'now' | 'again']: InvariantResult | undefined },
  { ids, isShown, orders }: { ids: ReadonlySet<string>; isShown: boolean; orders: ReadonlyMap<string, number> },
): InvariantResult | undefined {
  if (isShown && again !== undefined) return again;
  const found = [...(before === undefined ? [] : [withoutReplaced(before, ids)]), ...(now === undefined ? [] : [now])];
  return sumOf(invariant, found, orders);
}

/** The part whose confirmation is of what is found now. */
function confirmed(whole: InvariantResult, parts: readonly (InvariantResult | undefined)[]): InvariantResult {
  const seen = new Set(whole.findings.map(({ seenIn }) => seenIn));
  const about = parts.flatMap((part) => (part?.findings.some(({ seenIn }) => seen.has(seenIn)) === true ? [part] : []));
  return confirmedAs(whole, about);
}

/** The invariants over the cases as they stand now. One that the later run did not judge is as the earlier run had it. */
export function replaceInvariants(standing: Standing, pair: Pair, options: JoinOptions): readonly InvariantResult[] {
  const { cases, contributions, ids, judgedLater } = standing;
  const { earlier, later } = pair;
  const before = byId(earlier.result.invariants);
  const now = byId(later.result.invariants);
  const again = byId(judgeContributions(cases, contributions, options));
  const shown = byId(judgeContributions([...earlier.result.cases], earlier.contributions, options));
  const oneCarrier = [earlier, later].every(({ result }) => sharesCarrier(result.header));
  const orders = new Map(options.selected.cases.map(({ id }, order) => [id, order]));
  return options.selected.invariants.flatMap((invariant) => {
    const { id, on } = invariant;
    const found = { before: before.get(id), now: now.get(id), again: again.get(id) };
    if (!judgedLater.has(id) && found.before !== undefined) return [found.before];
    const isShown = oneCarrier && (shown.get(id)?.judged ?? 0) >= (found.before?.judged ?? 0);
    const whole = on === 'run' ? joinOverRun(invariant, found, { ids, isShown, orders }) : found.again;
    return whole === undefined
      ? []
      : [confirmed(whole, [found.before && withoutReplaced(found.before, ids), found.now])];
  });
}
