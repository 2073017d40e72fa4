import type { Observation, ResponseObservation } from '../../judge/observation.ts';
import { isThrottled } from '../../judge/classify.ts';
import { cutAt } from '../../lib/cut.ts';
import { textMemberOf, sameJson, defined } from '../../lib/json.ts';
import type { CaseContext } from '../context/case-context.ts';
import { resolveUri } from '../context/scope.ts';
import type { Finding } from '../../model/finding.ts';
import type { NamedDifference } from '../../model/exchange.ts';
import type { Rule } from '../../model/rule.ts';
import type { Step } from '../../suite/suites.ts';
import { redactFinding } from '../context/open-context.ts';

const longest = 200;

const refused: ReadonlySet<ResponseObservation['outcome']> = new Set(['denied', 'redirected', 'broken']);

/** The carrier answered, and did not accept. What is about its load says nothing of the request. */
export const isRefusal = (observation: Observation): observation is ResponseObservation =>
  observation.kind === 'response' && refused.has(observation.outcome) && !isThrottled(observation);

/** `denied 400 invalid_request, "redirect_uri is not registered"`: what came, with the words of the carrier. */
export function summaryWithDescription(observation: Observation): string {
  const given = observation.kind === 'response' ? textMemberOf(observation.body, 'error_description') : undefined;
  if (given === undefined || given === '') return observation.summary;
  return `${observation.summary}, ${JSON.stringify(cutAt(given, longest))}`;
}

/** The request had nothing different from the valid one of its client. */
const isPlain = ({ differences }: ResponseObservation): boolean =>
  differences?.every(({ what }) => what === 'client') === true;

/** Notes of a request what the run must know of its client: whether its plain request was ever accepted. */
export function noteAccepted(observation: Observation, ctx: CaseContext): void {
  if (observation.kind !== 'response' || observation.outcome !== 'accepted' || observation.client === undefined) return;
  ctx.world.state.acceptedFrom.add(observation.client);
}

/** The plain request of a client was refused, and no request of it was ever accepted: P14. */
export const isRoot = (observation: Observation, { world: { state } }: CaseContext): boolean =>
  isRefusal(observation) &&
  observation.client !== undefined &&
  observation.claims !== undefined &&
  !state.acceptedFrom.has(observation.client) &&
  isPlain(observation);

/** Most likely causes that are named. */
const mostCauses = 3;

/** What in the target file or in the registration may be wrong, the most likely first. */
function causesOf(said: string, { client, subscriber, world }: CaseContext): readonly string[] {
  const notificationUri = resolveUri(client.notificationUris[0] ?? '', world.receiver);
  const { refusalHints } = world.interface;
  const likely = refusalHints.filter(({ matches }) => matches.test(said));
  return [...likely, ...refusalHints.filter((hint) => !likely.includes(hint))]
    .slice(0, mostCauses)
    .map(({ change }) => change({ client, subscriber, notificationUri, issuer: world.endpoints.issuer }));
}

/** Ends the run where the plain request of a client is refused from the beginning: every other verdict would only repeat that. */
export function noteRefused(observation: Observation, ctx: CaseContext): void {
  if (!isRefusal(observation)) return;
  ctx.state.refused = true;
  if (!isRoot(observation, ctx)) return;
  const { client, subscriber, redactor, world } = ctx;
  const said = summaryWithDescription(observation);
  const key = `alg ${textMemberOf(observation.header, 'alg') ?? 'none'}, kid ${textMemberOf(observation.header, 'kid') ?? 'none'}`;
  const sent = `POST ${observation.url} with client_id ${client.clientId} (${key}) for subscriber ${subscriber.name}`;
  world.onFirstRefused?.({
    client: observation.client ?? client.name,
    case: ctx.case.id,
    sent: redactor.text(sent),
    came: redactor.text(said),
    causes: causesOf(said, ctx),
  });
}

/** The step means nothing unless its request is accepted. */
export const wantsAcceptance = ({ control, expectations }: Step): boolean =>
  expectations.length === 0 ? control : expectations.some(({ outcome }) => outcome === 'accepted');

/** Returns a finding for each rule that allows a difference for which the request was refused. */
export function judgeRefusal(step: Step, observation: Observation, ctx: CaseContext): readonly Finding[] {
  if (!wantsAcceptance(step) || !isRefusal(observation)) return [];
  const { rules } = ctx.world;
  const before = [...ctx.state.traces.values()].flatMap((one) =>
    one.kind === 'response' && one.outcome === 'accepted' ? (one.differences ?? []) : [],
  );
  const allowed = new Map<Rule, NamedDifference>();
  for (const difference of observation.differences ?? []) {
    const rule = rules.accepting(difference);
    if (rule !== undefined && !before.some((one) => sameJson(one, difference))) allowed.set(rule, difference);
  }
  return [...allowed].map(([{ id }, { what }]) => {
    const finding = {
      rule: id,
      ...rules.bindingOf({ rule: id }),
      code: 'refused',
      path: what,
      expected: 'accepted',
      actual: observation.summary,
      step: step.name,
      ...defined({ message: observation.message }),
      position: step.position,
    } as const;
    return redactFinding(finding, ctx);
  });
}
