import { createInvariantJudge } from '../../judge/invariants.ts';
import { verdictOfFinding } from '../../judge/rule-book.ts';
import { groupBy } from '../../lib/lists.ts';
import type { Confirmation, InvariantResult } from '../../model/result.ts';
import { renderRuleRef } from '../../model/rule.ts';
import { worst } from '../../model/verdict.ts';
import type { Invariant } from '../../suite/suites.ts';
import { inTimeline } from '../clock/timeline.ts';
import { type Planned, runs } from '../plan/assign.ts';
import { attempt } from './attempt.ts';
import { onceOnly } from './confirm.ts';
import type { Confirming } from './plain-control.ts';

/** What was seen in one case only, and which. */
interface Single {
  readonly result: InvariantResult;
  readonly seenIn: string;
}

function singleOf(result: InvariantResult): Single | undefined {
  const { confirmation, on, findings } = result;
  if (confirmation?.status !== 'seen-once' || on === 'run') return undefined;
  const seenIn = findings.find((one) => verdictOfFinding(one) === 'fail')?.seenIn;
  return seenIn === undefined ? undefined : { result, seenIn };
}

const seenOnce = (result: InvariantResult, reason: string): InvariantResult => ({
  ...result,
  confirmation: { status: 'seen-once', reason },
});

/** The invariant after the case that broke it was run again; `again` is what broke then. */
function compared(result: InvariantResult, seenIn: string, again: InvariantResult | undefined): InvariantResult {
  const broken = new Set(again?.findings.map(renderRuleRef));
  const findings = result.findings.map((one) => {
    const isGone = one.seenIn === seenIn && verdictOfFinding(one) === 'fail' && !broken.has(renderRuleRef(one));
    return isGone ? { ...one, unstable: true as const } : one;
  });
  const status: Confirmation['status'] = findings.some((one) => verdictOfFinding(one) === 'fail')
    ? 'confirmed'
    : 'unstable';
  return {
    ...result,
    findings,
    verdict: worst(findings.map(verdictOfFinding)) ?? result.verdict,
    confirmation: { status },
  };
}

/** Runs a case again, and judges its messages by the invariants that it alone had broken. */
async function seenAgain(
  singles: readonly Single[],
  planned: Planned | undefined,
  { confirming, invariants }: { readonly confirming: Confirming; readonly invariants: readonly Invariant[] },
): Promise<readonly InvariantResult[]> {
  const { world } = confirming;
  const once = (reason: string): readonly InvariantResult[] => singles.map(({ result }) => seenOnce(result, reason));
  if (planned === undefined || !runs(planned)) return once('its case did not run');
  const reason = onceOnly(planned, confirming);
  if (reason !== undefined) return once(reason);
  const names = new Set(singles.map(({ result }) => result.id));
  const {
    rules,
    interface: { checks },
  } = world;
  const judge = createInvariantJudge({ invariants: invariants.filter(({ id }) => names.has(id)), checks, rules });
  const { case: given, assignment } = planned;
  const trying = { case: given, assignment, of: given.id, name: 'again', order: 0, invariants: judge } as const;
  const again = await inTimeline(world.timeline, () => attempt(trying, world));
  if ('impossible' in again) return once(`no second try: ${again.impossible}`);
  const found = new Map(judge.conclude().map((one) => [one.id, one]));
  return singles.map(({ result, seenIn }) => compared(result, seenIn, found.get(result.id)));
}

/** What an invariant found in one case only is confirmed by that case; what two showed was seen twice. */
export async function confirmInvariants(
  results: readonly InvariantResult[],
  plan: readonly Planned[],
  given: { readonly confirming: Confirming; readonly invariants: readonly Invariant[] },
): Promise<readonly InvariantResult[]> {
  if (!given.confirming.again) return results;
  const byCase = groupBy(
    results.flatMap((one) => singleOf(one) ?? []),
    ({ seenIn }) => seenIn,
  );
  const planned = new Map(plan.map((one) => [one.case.id, one]));
  const confirmed = await Promise.all([...byCase].map(([id, singles]) => seenAgain(singles, planned.get(id), given)));
  const byId = new Map(confirmed.flat().map((one) => [one.id, one]));
  return results.map((one) => byId.get(one.id) ?? one);
}
