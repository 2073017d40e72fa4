import type { Json } from '../../../../model/json.ts';
import { defineCheck } from '../../../../judge/check.ts';
import { responseOf } from '../deliveries-of.ts';
import { memberOf } from '../words.ts';

const cancelKeys = ['server_initiated_cancel_endpoint', 'cancel_endpoint'] as const;
const requestKeys = [
  'server_initiated_authorization_endpoint',
  'server_initiated_endpoint',
  'backchannel_authentication_endpoint',
] as const;

/** The address without what two spellings of one may differ in. */
function addressOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' && URL.canParse(value) ? new URL(value).href.replace(/\/$/, '') : undefined;
}

/** §4.4: a separate endpoint; the key is that of public configurations. */
export const cancelEndpointSeparate = defineCheck((observation) => {
  const response = responseOf(observation);
  if (response === undefined) return [];
  const at = (key: string): Json | undefined => memberOf(response.body, key);
  const key = cancelKeys.find((name) => at(name) !== undefined);
  if (key === undefined) {
    return [{ aspect: 'published', path: 'body', expected: `one of ${cancelKeys.join(', ')}`, actual: null }];
  }
  const address = addressOf(at(key));
  const path = `body.${key}`;
  if (address === undefined) return [{ path, expected: 'an absolute URL', actual: at(key) ?? null }];
  const same = requestKeys.find((name) => addressOf(at(name)) === address);
  return same === undefined ? [] : [{ path, expected: `another URL than ${same}`, actual: address }];
});
