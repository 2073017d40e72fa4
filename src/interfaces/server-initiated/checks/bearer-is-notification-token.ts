import { defineCheck } from '../../../judge/check.ts';
import { deliveriesOf } from './deliveries-of.ts';
import { claimText } from './words.ts';

/** §4.2, §5.3: Authorization is one bearer credential, byte for byte the client_notification_token; the scheme's case is free. */
export const bearerIsNotificationToken = defineCheck((observation) =>
  deliveriesOf(observation).flatMap(({ headerLines, sent }) => {
    const token = claimText(sent.claims, 'client_notification_token');
    if (token === undefined) return [];
    const values = headerLines.filter(([name]) => name.toLowerCase() === 'authorization').map(([, value]) => value);
    const [value = ''] = values;
    if (values.length === 1 && /^bearer +/i.test(value) && value.replace(/^bearer +/i, '') === token) return [];
    const actual = values.length === 0 ? 'no Authorization header' : describe(values, token);
    return [
      { path: 'headers.authorization', expected: 'bearer and the client_notification_token of the request', actual },
    ];
  }),
);

/** Says what is wrong without repeating a credential. */
function describe(values: readonly string[], token: string): string {
  if (values.length > 1) return `${values.length} Authorization headers`;
  const [scheme = '', ...rest] = (values[0] ?? '').split(' ');
  const credential = rest.join(' ').trim();
  if (scheme.toLowerCase() !== 'bearer') return `scheme ${scheme}`;
  if (credential === '') return 'bearer without a credential';
  return `bearer with ${credential.length} other characters than the ${token.length} of the token`;
}
