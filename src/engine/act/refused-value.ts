import type { Observation, ResponseObservation } from '../../judge/observation.ts';
import type { Finding } from '../../model/finding.ts';
import type { NamedDifference } from '../../model/exchange.ts';
import type { Rule } from '../../model/rule.ts';
import type { Step } from '../../suite/suites.ts';
import { sameJson } from '../../lib/json.ts';
import { defined } from '../../lib/optional.ts';
import type { CaseContext } from '../context/case-context.ts';
import { redactFinding } from '../context/open-context.ts';
import { isRefusal } from './refused-control.ts';

/** The step means nothing unless its request is accepted. */
export const wantsAcceptance = ({ control, expectations }: Step): boolean =>
  expectations.length === 0 ? control : expectations.some(({ outcome }) => outcome === 'accepted');

interface Allowed {
  readonly rule: Rule;
  readonly difference: NamedDifference;
}

/** Differences that earlier steps of the case have shown to be accepted. */
const acceptedBefore = ({ state }: CaseContext): readonly NamedDifference[] =>
  [...state.traces.values()].flatMap((one) =>
    one.kind === 'response' && one.outcome === 'accepted' ? (one.differences ?? []) : [],
  );

/** The differences of a request that rules allow, with the first rule that allows each, without those accepted before. */
function allowedIn({ differences = [] }: ResponseObservation, ctx: CaseContext): readonly Allowed[] {
  const before = acceptedBefore(ctx);
  return differences.flatMap((difference) => {
    const rule = ctx.world.rules.accepting(difference);
    return rule === undefined || before.some((one) => sameJson(one, difference)) ? [] : [{ rule, difference }];
  });
}

/** Returns a finding for each rule that allows what differs from the plain request, where the request was refused. */
export function judgeRefusal(step: Step, observation: Observation, ctx: CaseContext): readonly Finding[] {
  if (!wantsAcceptance(step) || !isRefusal(observation)) return [];
  const byRule = new Map(allowedIn(observation, ctx).map(({ rule, difference }) => [rule, difference]));
  return [...byRule].map(([{ id }, { what }]) =>
    redactFinding(
      {
        rule: id,
        ...ctx.world.rules.bindingOf({ rule: id }),
        code: 'refused',
        path: what,
        expected: 'accepted',
        actual: observation.summary,
        step: step.name,
        ...defined({ message: observation.message }),
        position: step.position,
      },
      ctx,
    ),
  );
}
