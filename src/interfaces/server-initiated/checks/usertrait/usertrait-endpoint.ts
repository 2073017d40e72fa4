import { defineCheck } from '../../../../judge/check.ts';
import { responseOf } from '../deliveries-of.ts';
import { memberOf } from '../words.ts';

/** §4.7, §9: the path carries the version. */
export const usertraitPath = defineCheck((observation) => {
  const response = responseOf(observation);
  if (response === undefined || !URL.canParse(response.url)) return [];
  const { pathname } = new URL(response.url);
  return pathname.endsWith('/v1/usertrait')
    ? []
    : [{ path: 'url', expected: 'a path that ends in /v1/usertrait', actual: pathname }];
});

/** Keys under which the endpoint may stand; the interface names none. */
const keys = ['usertrait_endpoint', 'usertraits_endpoint', 'usertrait_uri', 'usertraits_uri'] as const;

/** §4.7: each carrier publishes a usertraits endpoint in its OpenID configuration. */
export const usertraitEndpointPublished = defineCheck((observation) => {
  const response = responseOf(observation);
  if (response === undefined) return [];
  const named = keys.filter((key) => memberOf(response.body, key) !== undefined);
  const addresses = named.map((key) => memberOf(response.body, key));
  if (addresses.some((address) => typeof address === 'string' && URL.canParse(address))) return [];
  const actual =
    named.length === 0 ? null : Object.fromEntries(named.map((key, index) => [key, addresses[index] ?? null]));
  return [{ path: 'body', expected: `a URL under one of ${keys.join(', ')}`, actual }];
});
