import { defineCheck } from '../../../judge/check.ts';
import { claimText, memberOf } from './words.ts';

/** §2.3 options local_redirect: the phone opens the redirect_uri with the client state. */
export const openedUriIsRedirectWithState = defineCheck((observation) => {
  if (observation.kind !== 'look' || observation.sent === undefined) return [];
  const opened = memberOf(observation.card, 'openedUri');
  const redirect = claimText(observation.sent.claims, 'redirect_uri') ?? '';
  const state = claimText(observation.sent.claims, 'state');
  const uri = typeof opened === 'string' ? opened : '';
  const [, base = '', query = '', fragment = ''] = /^([^?#]*)\??([^#]*)#?(.*)$/s.exec(uri) ?? [];
  const carried = new URLSearchParams(query).get('state') ?? new URLSearchParams(fragment).get('state');
  if (base === redirect.replace(/[?#].*$/s, '') && carried === (state ?? null)) return [];
  return [{ path: 'card.openedUri', expected: `${redirect} with state ${state ?? '(none)'}`, actual: opened ?? null }];
});
