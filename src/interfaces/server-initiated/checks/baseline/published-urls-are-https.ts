import { isJsonObject } from '../../../../model/json.ts';
import { defineCheck } from '../../../../judge/check.ts';
import { responseOf } from '../deliveries-of.ts';

const namesUrl = (name: string): boolean => name === 'issuer' || /_(?:endpoint|uri)$/.test(name);

/** OIDC Discovery §3: the issuer and every endpoint of the configuration have the scheme https. */
export const publishedUrlsAreHttps = defineCheck((observation) => {
  const body = responseOf(observation)?.body;
  if (!isJsonObject(body)) return [];
  return Object.entries(body)
    .filter(([name, value]) => namesUrl(name) && !(typeof value === 'string' && /^https:\/\//i.test(value)))
    .map(([name, value]) => ({ path: `body.${name}`, expected: 'an https URL', actual: value }));
});
