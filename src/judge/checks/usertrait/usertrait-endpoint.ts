import { defineCheck } from '../../check.ts';
import { answerOf } from '../deliveries-of.ts';
import { memberOf } from '../words.ts';

/** §4.7, §9: the path carries the version. */
export const usertraitPath = defineCheck((seen) => {
  const answer = answerOf(seen);
  if (answer === undefined || !URL.canParse(answer.url)) return [];
  const { pathname } = new URL(answer.url);
  return pathname.endsWith('/v1/usertrait')
    ? []
    : [{ path: 'url', expected: 'a path that ends in /v1/usertrait', actual: pathname }];
});

/** Keys under which the endpoint may stand; the interface names none. */
const keys = ['usertrait_endpoint', 'usertraits_endpoint', 'usertrait_uri', 'usertraits_uri'] as const;

/** §4.7: each carrier publishes a usertraits endpoint in its OpenID configuration. */
export const usertraitEndpointPublished = defineCheck((seen) => {
  const answer = answerOf(seen);
  if (answer === undefined) return [];
  const named = keys.filter((key) => memberOf(answer.body, key) !== undefined);
  const addresses = named.map((key) => memberOf(answer.body, key));
  if (addresses.some((address) => typeof address === 'string' && URL.canParse(address))) return [];
  const actual =
    named.length === 0 ? null : Object.fromEntries(named.map((key, index) => [key, addresses[index] ?? null]));
  return [{ path: 'body', expected: `a URL under one of ${keys.join(', ')}`, actual }];
});
