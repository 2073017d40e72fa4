import { defineCheck } from '../check.ts';
import { claimText, memberOf } from './words.ts';

/** §2.3 options local_redirect: the phone opens the redirect_uri with the client state. */
export const openedUriIsRedirectWithState = defineCheck((seen) => {
  if (seen.kind !== 'look' || seen.sent === undefined) return [];
  const opened = memberOf(seen.card, 'openedUri');
  const redirect = claimText(seen.sent.claims, 'redirect_uri') ?? '';
  const state = claimText(seen.sent.claims, 'state');
  const uri = typeof opened === 'string' ? opened : '';
  const query = new URLSearchParams(/\?([^#]*)/.exec(uri)?.[1] ?? '');
  if (uri.startsWith(redirect) && query.get('state') === (state ?? null)) return [];
  return [{ path: 'card.openedUri', expected: `${redirect} with state ${state ?? '(none)'}`, actual: opened ?? null }];
});
