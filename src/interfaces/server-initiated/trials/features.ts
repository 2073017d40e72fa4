import { waitUntil } from '../../../engine/act/await.ts';
import { type CaseContext, type CaseWith, Unmet } from '../../../engine/context/case-context.ts';
import { denyRequest, driveAction, requireDriver } from '../../../engine/drive/drive.ts';
import {
  type ProbeNote,
  okNote,
  skippedNote,
  type DeclarationTrial,
  warningNote,
} from '../../../engine/context/note.ts';
import type { CallbackObservation, ResponseObservation } from '../../../judge/observation.ts';
import { isJsonObject, type Json } from '../../../lib/json.ts';
import { effectiveLatency } from '../../../model/declaration.ts';
import type { Client } from '../../../model/target.ts';
import type { Step } from '../../../suite/suites.ts';
import { authorize, sendRequest } from '../verbs/authorize.ts';
import { fixedTemplate } from '../verbs/proof.ts';
import { afterSeconds } from '../../../lib/time.ts';

export type TrialClaims = Readonly<Record<string, Json>>;

const trialStep = (name: string, claims: TrialClaims): Step => ({
  name,
  position: { file: 'preflight', line: 1, column: 1 },
  act: sendRequest({ claims: Object.entries(claims).map(([claim, value]) => [claim, fixedTemplate(value)] as const) }),
  times: 1,
  control: false,
  expectations: [],
  record: [],
});

/** Sends a valid request with other claims, which stays pending. */
export async function sendTrialRequest(
  name: string,
  claims: TrialClaims,
  ctx: CaseContext,
): Promise<ResponseObservation> {
  const step = trialStep(name, claims);
  ctx.state.lastRequest = name;
  const response = await authorize.run(step.act, step, ctx);
  if (response.kind !== 'response') throw new TypeError('a valid request has a response');
  ctx.redactor.learnMembers(response.claims);
  ctx.state.traces.set(name, response);
  return response;
}

/** Sends such a request; an accepted one is denied if there is a driver. */
export async function tryRequest(name: string, claims: TrialClaims, ctx: CaseContext): Promise<ResponseObservation> {
  const response = await sendTrialRequest(name, claims, ctx);
  if (response.outcome === 'accepted') await denyRequest({ step: name, response }, ctx);
  return response;
}

export const isAcceptedResponse = ({ outcome }: ResponseObservation): boolean => outcome === 'accepted';

export function summarizeRefusal({ summary, body }: ResponseObservation): string {
  const words = isJsonObject(body) ? body['error_description'] : undefined;
  return (typeof words === 'string' ? `${summary}: ${words}` : summary).slice(0, 300);
}

/** Callback of a request that is approved with these scopes. Throws Unmet if there is none. */
export async function approveRequest(
  claims: TrialClaims,
  scopes: readonly string[],
  ctx: CaseContext,
): Promise<CallbackObservation> {
  requireDriver('approve', ctx);
  const name = 'approved';
  const response = await sendTrialRequest(name, claims, ctx);
  if (!isAcceptedResponse(response)) throw new Unmet(`its request is refused: ${summarizeRefusal(response)}`);
  const { done, summary } = await driveAction({ action: 'approve', of: name, given: { scopes }, step: 'approve' }, ctx);
  if (!done) throw new Unmet(`it cannot be approved: ${summary}`);
  const inboxes = ctx.state.inboxes.filter(({ step }) => step === name);
  const callback = (): CallbackObservation | undefined => inboxes[0]?.deliveries[0];
  const { callback: seconds } = effectiveLatency(ctx.services.target);
  const until = afterSeconds(ctx.now(), seconds);
  await waitUntil({ inboxes, until, enough: () => callback() !== undefined }, ctx);
  const found = callback();
  if (found === undefined) throw new Unmet(`no callback came within ${seconds} s: is latency.callback longer?`);
  ctx.redactor.learnMembers(found.body);
  return found;
}

type FeatureTrial = DeclarationTrial<CaseContext>;

/** Compares whether the carrier has a feature with the target file; a contradiction is a warning. */
function judgeFeature(
  word: string,
  { has, what }: { readonly has: boolean; readonly what: string },
  ctx: CaseWith<never, 'target'>,
): ProbeNote {
  const declared = ctx.services.target.supports[word];
  if (has === (declared ?? true)) return okNote('', has ? 'the carrier has it' : 'the carrier has it not, as declared');
  return warningNote('', {
    whose: 'configuration',
    description: `the file ${declared === undefined ? 'does not say that the carrier has no' : declared ? 'says that the carrier has' : 'says that the carrier has no'} ${word}, and ${what}`,
    change: has
      ? `take "${word}: false" out of "supports", so that it is judged`
      : `write "supports: { ${word}: false }"`,
  });
}

interface RequestFeature {
  readonly word: string;
  readonly fits: (client: Client) => boolean;
  readonly claims: (ctx: CaseContext) => TrialClaims | undefined;
}

const isMainClient = ({ name }: Client): boolean => name === 'main';

/** Words of `supports` that the response to one request shows. */
const requestFeatures: readonly RequestFeature[] = [
  { word: 'scopes-without-openid', fits: isMainClient, claims: () => ({ scope: 'name' }) },
  { word: 'long-values', fits: isMainClient, claims: () => ({ state: 's'.repeat(1100), nonce: 'n'.repeat(1100) }) },
  {
    word: 'phone-hints',
    fits: ({ flags }) => flags['enum_enabled'] === true,
    claims: ({ subscriber: { phone } }) => (phone === undefined ? undefined : { login_hint: phone }),
  },
];

const requestTrials = requestFeatures.map(
  ({ word, fits, claims }): FeatureTrial => ({
    about: `supports ${word}`,
    fits,
    run: async (ctx) => {
      const given = claims(ctx);
      if (given === undefined) return [skippedNote('', 'not tried: the subscriber has no phone')];
      const response = await tryRequest(word, given, ctx);
      const what = isAcceptedResponse(response)
        ? 'a request with it is accepted'
        : `a request with it is refused: ${summarizeRefusal(response)}`;
      return [judgeFeature(word, { has: isAcceptedResponse(response), what }, ctx)];
    },
  }),
);

const grantedScopes = (body: unknown): readonly string[] => {
  const scope = isJsonObject(body) ? body['scope'] : undefined;
  return typeof scope === 'string' ? scope.split(' ') : [];
};

/** Approves one of two scopes: does the token have both? */
const partialApprovalTrial: FeatureTrial = {
  about: 'supports partial-approval',
  fits: isMainClient,
  run: async (ctx) => {
    const callback = await approveRequest({ scope: 'openid name email', prompt: 'consent' }, ['openid', 'name'], ctx);
    const got = grantedScopes(callback.body);
    if (got.length === 0) return [skippedNote('', 'not known: the callback names no scope')];
    const has = got.includes('name') && !got.includes('email');
    const what = `of "openid name email" the approval of "openid name" gave "${got.join(' ')}"`;
    return [judgeFeature('partial-approval', { has, what }, ctx)];
  },
};

export const featureTrials: readonly FeatureTrial[] = [...requestTrials, partialApprovalTrial];
