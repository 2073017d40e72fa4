import type { InvariantResult } from '../../model/result.ts';
import { type PlannedCase, isAssigned } from '../plan/assign.ts';
import { planTime } from '../plan/planned-time.ts';
import { attemptCase } from './plain-case.ts';
import { type ConfirmServices, isRequired } from './plain-control.ts';
import type { Invariant } from '../../suite/suites.ts';
import type { Finding } from '../../model/finding.ts';
import { renderRuleRef, worstVerdict } from '../../model/rule.ts';
import { createInvariantJudge } from '../../judge/invariants.ts';
import { countedVerdict, seenOften } from '../../verdict/standing.ts';
import { groupBy } from '../../lib/lists.ts';
import { runInTimeline } from '../clock/timeline.ts';
import { markSeenOnce, reasonNotRerun } from './second-try.ts';

/** A broken invariant, whose violations must be seen again where they came: two cases never confirm each other (P26). */
interface OpenInvariant {
  readonly result: InvariantResult;
  /** Cases that showed a required violation, the shortest first. */
  readonly cases: readonly PlannedCase[];
}

/** Most cases that run again for an invariant before its violations count as unstable. */
const maxRerunCases = 3;

function openInvariant(
  result: InvariantResult,
  planned: ReadonlyMap<string, PlannedCase>,
  services: ConfirmServices['services'],
): OpenInvariant | undefined {
  const { confirmation, on, findings } = result;
  if (confirmation?.status !== 'seen-once' || on === 'run') return undefined;
  const seenIn = new Set(findings.filter(isRequired).flatMap((one) => one.seenIn ?? []));
  const cases = [...seenIn].flatMap((id) => planned.get(id) ?? []);
  const lengths = new Map(cases.map((one) => [one, planTime(one.case, services).held]));
  const byLength = cases.toSorted((one, other) => (lengths.get(one) ?? 0) - (lengths.get(other) ?? 0));
  return cases.length === 0 ? undefined : { result, cases: byLength.slice(0, maxRerunCases) };
}

interface RerunSettings {
  readonly confirming: ConfirmServices;
  readonly invariants: readonly Invariant[];
}

/** Findings of invariants in another try of a case, by their ids; a reason if there was no other try. */
type RerunOutcome = { readonly found: ReadonlyMap<string, readonly Finding[]> } | { readonly impossible: string };

/** Runs a case again, and judges its messages by these invariants. */
async function rerunCase(
  planned: PlannedCase,
  ids: ReadonlySet<string>,
  { confirming, invariants }: RerunSettings,
): Promise<RerunOutcome> {
  const { services } = confirming;
  if (!isAssigned(planned)) return { impossible: 'its case did not run' };
  const reason = reasonNotRerun(planned, confirming);
  if (reason !== undefined) return { impossible: reason };
  const {
    rules,
    interface: { checks },
  } = services;
  const judge = createInvariantJudge({ invariants: invariants.filter(({ id }) => ids.has(id)), checks, rules });
  const { case: given, assignment } = planned;
  const trying = { case: given, assignment, of: given.id, name: 'again', order: 0, invariants: judge } as const;
  const again = await runInTimeline(services.timeline, () => attemptCase(trying, services));
  if ('impossible' in again) return { impossible: `no second try: ${again.impossible}` };
  return { found: new Map((await judge.conclude()).map(({ id, findings }) => [id, findings])) };
}

/** Rule or aspect of a finding; for a failure that may pass also its case and step, because another one does not confirm it (P26). */
const seenKey = (finding: Finding): string => {
  const ref = renderRuleRef(finding);
  return finding.mayPass === true ? `${ref} ${finding.seenIn ?? ''} ${finding.step ?? ''}` : ref;
};

/** Keys of the findings in the other tries. */
function seenAgain({ id }: InvariantResult, tries: readonly RerunOutcome[]): ReadonlySet<string> {
  const again = tries.flatMap((one) => ('found' in one ? (one.found.get(id) ?? []) : []));
  return new Set(again.filter(isRequired).map(seenKey));
}

/** Whether the tries show all that the invariant found. */
const isSeenAgain = (result: InvariantResult, tries: readonly RerunOutcome[]): boolean => {
  const seen = seenAgain(result, tries);
  return result.findings.every((one) => !isRequired(one) || seen.has(seenKey(one)));
};

/** Compares an invariant with its other tries: one violation that is seen again confirms it, in whichever case. */
function compareInvariant(result: InvariantResult, tries: readonly RerunOutcome[]): InvariantResult {
  const seen = seenAgain(result, tries);
  const impossible = tries.flatMap((one) => ('impossible' in one ? one.impossible : []))[0];
  if (impossible !== undefined && seen.size === 0) return markSeenOnce(result, impossible);
  const often = seenOften(result.findings);
  const findings = result.findings.map((one) =>
    isRequired(one) && !seen.has(seenKey(one)) && !often.has(renderRuleRef(one))
      ? { ...one, unstable: true as const }
      : one,
  );
  const standing = findings.filter(isRequired);
  const status = standing.length === 0 ? 'unstable' : 'confirmed';
  const isChance = standing.length > 0 && standing.every((one) => !seen.has(seenKey(one)));
  const chance = {
    status: 'seen-once',
    reason: `several cases showed it, and ${tries.length} of them not again`,
  } as const;
  return {
    ...result,
    findings,
    verdict: worstVerdict(findings.map(countedVerdict)) ?? result.verdict,
    confirmation: isChance ? chance : { status },
  };
}

/** Confirms the broken invariants: runs a case that broke one again, and another one if it does not show it; at most three. */
export async function confirmInvariants(
  results: readonly InvariantResult[],
  plan: readonly PlannedCase[],
  given: RerunSettings,
): Promise<readonly InvariantResult[]> {
  const { services, again } = given.confirming;
  if (!again) return results;
  const planned = new Map(plan.map((one) => [one.case.id, one]));
  const all = results.flatMap((one) => openInvariant(one, planned, services) ?? []);
  const tried = new Map<string, RerunOutcome[]>(all.map(({ result }) => [result.id, []]));
  for (let round = 0; round < maxRerunCases; round += 1) {
    const open = all.filter(({ result }) => !isSeenAgain(result, tried.get(result.id) ?? []));
    const byCase = groupBy(
      open.flatMap(({ result, cases }) => {
        const next = cases[round];
        return next === undefined ? [] : [{ id: result.id, next }];
      }),
      ({ next }) => next.case.id,
    );
    await Promise.all(
      [...byCase.values()].map(async (broken) => {
        const [first] = broken;
        if (first === undefined) return;
        const outcome = await rerunCase(first.next, new Set(broken.map(({ id }) => id)), given);
        for (const { id } of broken) tried.get(id)?.push(outcome);
      }),
    );
  }
  const byId = new Map(all.map(({ result }) => [result.id, compareInvariant(result, tried.get(result.id) ?? [])]));
  return results.map((one) => byId.get(one.id) ?? one);
}
