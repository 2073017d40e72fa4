import { waitFor } from '../../../engine/act/await.ts';
import { type CaseContext, Unmet } from '../../../engine/context/case-context.ts';
import { denyRequest, drive } from '../../../engine/drive/drive.ts';
import type { CallbackObservation, ResponseObservation } from '../../../judge/observation.ts';
import { isJsonObject, type Json } from '../../../lib/json.ts';
import { latencyOf } from '../../../model/declared.ts';
import type { Step } from '../../../suite/suites.ts';
import { authorize, sendRequest } from '../verbs/authorize.ts';
import { constant } from '../verbs/proof.ts';

export type Claims = Readonly<Record<string, Json>>;

const stepOf = (name: string, claims: Claims): Step => ({
  name,
  position: { file: 'preflight', line: 1, column: 1 },
  act: sendRequest({ claims: Object.entries(claims).map(([claim, value]) => [claim, constant(value)] as const) }),
  times: 1,
  control: false,
  expectations: [],
  record: [],
});

/** Sends a valid request with other claims, which stays pending. */
export async function request(name: string, claims: Claims, ctx: CaseContext): Promise<ResponseObservation> {
  const step = stepOf(name, claims);
  ctx.state.lastRequest = name;
  const response = await authorize.run(step.act, step, ctx);
  if (response.kind !== 'response') throw new TypeError('a valid request has a response');
  ctx.redactor.learnMembers(response.claims);
  ctx.state.traces.set(name, response);
  return response;
}

/** The same, and it is denied again where there is a driver for that. */
export async function ask(name: string, claims: Claims, ctx: CaseContext): Promise<ResponseObservation> {
  const response = await request(name, claims, ctx);
  if (response.outcome === 'accepted') await denyRequest({ step: name, response }, ctx);
  return response;
}

export const isAccepted = ({ outcome }: ResponseObservation): boolean => outcome === 'accepted';

export function said({ summary, body }: ResponseObservation): string {
  const words = isJsonObject(body) ? body['error_description'] : undefined;
  return (typeof words === 'string' ? `${summary}: ${words}` : summary).slice(0, 300);
}

/** The callback of a request that is approved with these scopes. Throws Unmet where there is none. */
export async function complete(
  claims: Claims,
  scopes: readonly string[],
  ctx: CaseContext,
): Promise<CallbackObservation> {
  if (ctx.world.target.drivers['approve'] === undefined) throw new Unmet('there is no driver for approve');
  const name = 'approved';
  const response = await request(name, claims, ctx);
  if (!isAccepted(response)) throw new Unmet(`its request is refused: ${said(response)}`);
  const { done, summary } = await drive({ action: 'approve', of: name, given: { scopes }, step: 'approve' }, ctx);
  if (!done) throw new Unmet(`it cannot be approved: ${summary}`);
  const inboxes = ctx.state.inboxes.filter(({ step }) => step === name);
  const callback = (): CallbackObservation | undefined => inboxes[0]?.deliveries[0];
  const { callback: seconds } = latencyOf(ctx.world.target);
  const until = ctx.now() + seconds * 1000;
  await waitFor({ inboxes, until, enough: () => callback() !== undefined }, ctx);
  const found = callback();
  if (found === undefined) throw new Unmet(`no callback came within ${seconds} s: is latency.callback longer?`);
  ctx.redactor.learnMembers(found.body);
  return found;
}
