import type { Observation, ResponseObservation } from '../../judge/observation.ts';
import { isThrottled, mayPass } from '../../judge/classify.ts';
import { truncateText } from '../../lib/truncation.ts';
import { isJsonObject, readTextMember, equalsJson, omitUndefined } from '../../lib/json.ts';
import { type Difference, MissingValue } from '../../model/suite.ts';
import { denyRequest } from '../drive/drive.ts';
import { type CaseContext, type CaseWith, type Narrowed, Unmet } from '../context/case-context.ts';
import { performAct } from './verb.ts';
import { resolveUri } from '../context/scope.ts';
import type { Finding } from '../../model/finding.ts';
import type { NamedDifference } from '../../model/exchange.ts';
import type { Rule } from '../../model/rule.ts';
import type { Step } from '../../suite/suites.ts';
import { addFindings, redactFinding } from '../context/open-context.ts';

const maxDescription = 200;

const refusedOutcomes: ReadonlySet<ResponseObservation['outcome']> = new Set(['denied', 'redirected', 'broken']);

/** Whether the carrier answered and did not accept. Throttling says nothing about the request. */
export const isRefusal = (observation: Observation): observation is ResponseObservation =>
  observation.kind === 'response' && refusedOutcomes.has(observation.outcome) && !isThrottled(observation);

/** Summary with the carrier's own description: `denied 400 invalid_request, "redirect_uri is not registered"`. */
export function fullSummary(observation: Observation): string {
  const given = observation.kind === 'response' ? readTextMember(observation.body, 'error_description') : undefined;
  if (given === undefined || given === '') return observation.summary;
  return `${observation.summary}, ${JSON.stringify(truncateText(given, maxDescription))}`;
}

/** Whether the request differed in nothing from the valid one of its client. */
const isPlainRequest = ({ differences }: ResponseObservation): boolean =>
  differences?.every(({ what }) => what === 'client') === true;

/** Notes that the plain request of a client was accepted. Any other accepted request shows less: a carrier may demand a member. */
export function noteAccepted(observation: Observation, ctx: CaseWith<never, 'state'>): void {
  if (observation.kind !== 'response' || observation.outcome !== 'accepted' || observation.client === undefined) return;
  if (observation.claims === undefined) return;
  const { plainAcceptedFrom, acceptedFrom } = ctx.services.state;
  acceptedFrom.add(observation.client);
  if (isPlainRequest(observation)) plainAcceptedFrom.add(observation.client);
}

/** Whether the plain request of a client was refused, and never accepted before: P14. */
export const isRootRefusal = (observation: Observation, { services: { state } }: CaseWith<never, 'state'>): boolean =>
  isRefusal(observation) &&
  observation.client !== undefined &&
  observation.claims !== undefined &&
  !state.plainAcceptedFrom.has(observation.client) &&
  isPlainRequest(observation);

const maxCauses = 3;

/** Possible causes in the target file or the registration, the most likely first. */
function likelyCauses(
  said: string,
  { client, subscriber, services }: CaseWith<'client' | 'subscriber', 'endpoints' | 'interface' | 'receiver'>,
): readonly string[] {
  const notificationUri = resolveUri(client.notificationUris[0] ?? '', services.receiver);
  const { refusalHints } = services.interface;
  const likely = refusalHints.filter(({ matches }) => matches.test(said));
  const whole = likely.filter(({ isWhole }) => isWhole === true);
  const others = refusalHints.filter((hint) => !likely.includes(hint) && hint.isWhole !== true);
  return (whole.length > 0 ? whole : [...likely, ...others])
    .slice(0, maxCauses)
    .map(({ change }) => change({ client, subscriber, notificationUri, issuer: services.endpoints.issuer }));
}

/**
 * Tries the refused plain request in forms that are one step away from it. A form that is accepted shows what the carrier demands: if that
 * is optional, it is a finding of the rule that says so (P12).
 */
export async function narrowRefusal(
  refused: ResponseObservation,
  { position }: Pick<Step, 'position'>,
  given: CaseContext,
): Promise<Narrowed> {
  const ctx = given.as(refused.client);
  const { rules, interface: certified } = ctx.services;
  const accepted: { readonly words: string; readonly rule: string | undefined }[] = [];
  const plain = { claims: isJsonObject(refused.claims) ? refused.claims : {}, phone: ctx.subscriber.phone };
  const forms = certified.narrowings(plain);
  /** Whether the carrier accepts this form; the accepted request is denied, if there is a driver, before the next one is sent. */
  const isTaken = async (difference: Difference, form: string): Promise<boolean> => {
    const name = `${refused.step}-${form}`;
    const act = certified.validRequest(difference);
    const response = await performAct({ name, position, act, control: false, expectations: [], record: [] }, ctx).catch(
      (error: unknown): undefined => {
        if (!(error instanceof Unmet || error instanceof MissingValue)) throw error;
        return undefined;
      },
    );
    if (response?.kind !== 'response' || response.outcome !== 'accepted') return false;
    noteAccepted(response, ctx);
    await denyRequest({ step: name, response }, ctx);
    return true;
  };
  for (const [index, { words, difference, allows }] of forms.entries()) {
    if (!(await isTaken(difference, `form-${index + 1}`))) continue;
    // The plain request once more: the refusal may have had another reason, which is over.
    if (accepted.length === 0 && (await isTaken({}, 'plain-again')))
      return { tried: index + 1, accepted: [], over: true };
    const rule = allows && rules.accepting(allows)?.id;
    accepted.push({ words, rule });
    if (rule === undefined || allows === undefined) continue;
    const finding = {
      rule,
      ...rules.bindingOf({ rule }),
      code: 'demanded' as const,
      path: allows.what,
      expected: 'accepted',
      actual: `${refused.summary}, and accepted ${words}`,
      step: refused.step,
      message: refused.message,
      position,
    };
    addFindings([redactFinding(finding, given)], given.state);
    // One demand explains the refusal, and each form is a push to a phone.
    return { tried: index + 1, accepted };
  }
  return { tried: forms.length, accepted };
}

/** Notes a refusal. Ends the run if the client's plain request was never accepted: all other verdicts would only repeat that. */
export async function noteRefused(
  observation: Observation,
  step: Pick<Step, 'position'>,
  ctx: CaseContext,
): Promise<void> {
  if (!isRefusal(observation)) return;
  ctx.state.refused = true;
  if (!isRootRefusal(observation, ctx)) return;
  const { subscriber, redactor, services } = ctx;
  // A step may be of another client than its case.
  const client = services.target.clients.find(({ name }) => name === observation.client) ?? ctx.client;
  const said = fullSummary(observation);
  const key = `alg ${readTextMember(observation.header, 'alg') ?? 'none'}, kid ${readTextMember(observation.header, 'kid') ?? 'none'}`;
  const sent = `POST ${observation.url} with client_id ${client.clientId} (${key}) for subscriber ${subscriber.name}`;
  const refusal = {
    client: client.name,
    case: ctx.case.id,
    sent: redactor.text(sent),
    came: redactor.text(said),
    causes: likelyCauses(said, { client, subscriber, services }),
    passing: mayPass(observation),
  };
  await services.onFirstRefused?.(refusal, () => narrowRefusal(observation, step, ctx));
}

/** Whether the step means nothing unless its request is accepted. */
export const requiresAcceptance = ({ control, expectations }: Step): boolean =>
  expectations.length === 0 ? control : expectations.some(({ outcome }) => outcome === 'accepted');

/** Returns a finding for each rule that allows a difference for which the request was refused. */
export function judgeRefusal(
  step: Step,
  observation: Observation,
  ctx: CaseWith<'redactor' | 'state', 'rules'>,
): readonly Finding[] {
  if (!requiresAcceptance(step) || !isRefusal(observation)) return [];
  const { rules } = ctx.services;
  const before = [...ctx.state.traces.values()].flatMap((one) =>
    one.kind === 'response' && one.outcome === 'accepted' ? (one.differences ?? []) : [],
  );
  const allowed = new Map<Rule, NamedDifference>();
  for (const difference of observation.differences ?? []) {
    const rule = rules.accepting(difference);
    if (rule !== undefined && !before.some((one) => equalsJson(one, difference))) allowed.set(rule, difference);
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
      ...omitUndefined({ message: observation.message }),
      position: step.position,
    } as const;
    return redactFinding(finding, ctx);
  });
}
