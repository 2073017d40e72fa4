import type { CheckMismatch } from '../../../judge/check.ts';
import { defineCheck } from '../../../judge/check.ts';
import type { CallbackObservation } from '../../../judge/observation.ts';
import { sameJson } from '../../../judge/path.ts';
import { deliveriesOf } from './deliveries-of.ts';
import { claimText, memberOf, wordsOf } from './words.ts';

/** §2.1: whatever stood outside the request object, the callback follows what stood inside. */
export const followsTheRequestObject = defineCheck((observation) => deliveriesOf(observation).flatMap(judge));

function judge(callback: CallbackObservation): CheckMismatch[] {
  const { body, sent, idToken, target } = callback;
  const claims = sent.claims ?? {};
  const found: CheckMismatch[] = [];
  const compare = (path: string, expected: unknown, actual: unknown): void => {
    const same = expected === undefined ? actual === undefined || actual === '' : sameJson(expected, actual);
    if (same) return;
    const value = typeof actual === 'string' ? actual : null;
    found.push({
      path,
      expected: `${path} as in the request object: ${JSON.stringify(expected) ?? 'absent'}`,
      actual: value,
    });
  };
  compare('body.state', claims['state'], memberOf(body, 'state'));
  const correlation = memberOf(body, 'correlation_id');
  if (!callback.error || correlation !== undefined)
    compare('body.correlation_id', claims['correlation_id'], correlation);
  if (idToken !== undefined) compare('idToken.nonce', claims['nonce'], idToken['nonce']);
  const asked = wordsOf(claims['scope']);
  const extra = wordsOf(memberOf(body, 'scope')).filter((word) => !asked.includes(word));
  if (extra.length > 0) {
    found.push({ path: 'body.scope', expected: `no scope but ${asked.join(' ')}`, actual: extra.join(' ') });
  }
  const uri = claimText(claims, 'notification_uri');
  if (uri !== undefined && !uri.endsWith(target)) {
    found.push({ path: 'target', expected: `the notification_uri of the request object, ${uri}`, actual: target });
  }
  return found;
}
