import type { CheckMismatch, NamedCheck } from '../../../judge/check.ts';
import type { CallbackObservation, DriverCallRecord, RequestHistory } from '../../../judge/observation.ts';
import { readMember, readTextMember } from '../../../lib/json.ts';
import { MissingValue } from '../../../model/suite.ts';
import { defineCallbackCheck, splitWords } from './define-check.ts';

/** Reasons why no approval explains the tokens of a request. */
type UndecidedReason = 'denied' | 'unconsented' | 'another-approved' | 'nothing-done' | 'consent-removed';

/** Seconds by which two clocks may differ. */
const decisionSkew = 5;

/** Whether the action was done or may have been: a driver that failed does not say. */
const mayHaveActed = ({ done }: DriverCallRecord): boolean => done !== false;

const matchActions = (...actions: readonly string[]): ((call: DriverCallRecord) => boolean) => {
  const names = new Set(actions);
  return (call) => names.has(call.action) && mayHaveActed(call);
};

/** Whether all values that the callback repeats are its request's, so that no other request is meant. */
function repeatsOwnRequest({ body, sent }: CallbackObservation): boolean {
  const state = readMember(body, 'state');
  return (
    readTextMember(body, 'auth_req_id') === readTextMember(sent.body, 'auth_req_id') &&
    (state === undefined || state === sent.claims?.['state'])
  );
}

/** Throws MissingValue if a person may have decided, or if the carrier may have read another request than the one sent. */
function requireHistory(callback: CallbackObservation): RequestHistory {
  const { history, sent } = callback;
  const isPlain = sent.outcome === 'accepted' && sent.readable === 'verified' && sent.outside?.['prompt'] === undefined;
  if (history?.isDriven !== true || !isPlain || !repeatsOwnRequest(callback))
    throw new MissingValue('driver calls that decide');
  return history;
}

/** Whether the consent to all scopes was removed before the request, long enough ago to count, and not renewed. */
function isConsentRemoved({ ofSubscriber, settles }: RequestHistory, { sent }: CallbackObservation): boolean {
  const ofClient = ofSubscriber.filter(({ client }) => client === sent.client);
  const last = ofClient.findLast(matchActions('remove-consent', 'give-consent', 'approve', 'issue-code'));
  if (last?.action !== 'remove-consent' || last.done !== true || last.given['scopes'] !== undefined) return false;
  return last.at + settles <= sent.sentAt;
}

/** Whether the subscriber never consented, before the run or in it. */
const isUnconsented = ({ tags, ofSubscriber }: RequestHistory): boolean =>
  tags.includes('unconsented') && !ofSubscriber.some(matchActions('approve', 'give-consent', 'issue-code'));

/** Says why tokens should not have come; undefined if an approval or prompt none explains them. Throws MissingValue. */
function judgeDecision(callback: CallbackObservation): UndecidedReason | undefined {
  const history = requireHistory(callback);
  const { calls, ofSubscriber, request, earlier } = history;
  const { sent, receivedAt } = callback;
  // FLOW-014 judges a second result.
  if (earlier > 0 || calls.some(({ action }) => action === 'approve')) return undefined;
  if (splitWords(sent.claims?.['prompt']).includes('none')) {
    // Cases of REQ-042 judge whether the client may use it.
    return isConsentRemoved(history, callback) ? 'consent-removed' : undefined;
  }
  if (isUnconsented(history) || isConsentRemoved(history, callback)) return 'unconsented';
  // At its end, a request may bring tokens through its time-out, whatever was decided by then.
  if (sent.granted !== undefined && receivedAt >= sent.sentAt + sent.granted - decisionSkew) return 'nothing-done';
  if (calls.some(matchActions('deny'))) return 'denied';
  const isBeside = ({ request: other, at }: DriverCallRecord): boolean => other !== request && at >= sent.sentAt;
  return ofSubscriber.filter(matchActions('approve')).some(isBeside) ? 'another-approved' : 'nothing-done';
}

const describeCallOutcome = ({ done }: DriverCallRecord): string =>
  done === undefined ? 'under way' : done ? 'done' : 'not possible';

function describeCalls({ calls }: RequestHistory, sentAt: number): string {
  if (calls.length === 0) return 'no driver was called for the request';
  const each = calls.map(
    (call) => `${call.action} ${(call.at - sentAt).toFixed(1)} s after it (${describeCallOutcome(call)})`,
  );
  return `for the request the driver calls were ${each.join(', ')}`;
}

function tokenMismatch(callback: CallbackObservation, expected: string): CheckMismatch {
  const { history, sent, receivedAt } = callback;
  const came = `tokens ${(receivedAt - sent.sentAt).toFixed(1)} s after the request ${history?.request ?? ''}`;
  const why = history === undefined ? '' : `; ${describeCalls(history, sent.sentAt)}`;
  return { expected, actual: `${came}${why}`, carries: 'tokens' };
}

const defineTokenCheck = (name: string, kind: UndecidedReason, expected: string): NamedCheck =>
  defineCallbackCheck(name, (callback) =>
    callback.tokens && judgeDecision(callback) === kind ? [tokenMismatch(callback, expected)] : [],
  );

/** Whether tokens may come: as the first result of a request that was approved or is silent, and without an error. */
function mayBringTokens({ error, sent, history }: CallbackObservation): boolean {
  if (error || history === undefined) return !error;
  const { calls, earlier, isDriven } = history;
  const isSilent = splitWords(sent.claims?.['prompt']).includes('none');
  return earlier === 0 && (!isDriven || isSilent || calls.some(matchActions('approve')));
}

/** Checks that tokens come from a driver's decision, whatever the case is about (P13). */
export const decidedChecks: readonly NamedCheck[] = [
  defineTokenCheck('tokens-after-no-denial', 'denied', 'no tokens for a request that was denied'),
  defineTokenCheck('tokens-of-a-consent', 'unconsented', 'no tokens without a consent of the subscriber'),
  defineTokenCheck('tokens-by-their-own-approval', 'another-approved', 'tokens for the approved request alone'),
  defineTokenCheck(
    'tokens-by-a-decision',
    'nothing-done',
    'no tokens for a request that the subscriber did not approve',
  ),
  defineTokenCheck('silent-tokens-of-a-consent', 'consent-removed', 'no tokens after the consent was removed'),

  /** §1.2, §2.6: an id_token is there if openid was requested, unless the user left openid out of the approval. */
  defineCallbackCheck('id-token-if-openid', (callback) => {
    const { sent, withoutIdToken } = callback;
    const requested = splitWords(sent.claims?.['scope']);
    const approved = readTextMember(callback.body, 'scope')?.split(' ') ?? requested;
    if (withoutIdToken !== true || !mayBringTokens(callback)) return [];
    if (!requested.includes('openid') || !approved.includes('openid')) return [];
    return [{ path: 'body.id_token', expected: 'an id_token, because openid was requested', actual: null }];
  }),
];
