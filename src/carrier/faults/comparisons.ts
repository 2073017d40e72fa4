import { type KeyContext, requireString, words } from '../pipeline/context.ts';
import { asText, isJsonList, type Json } from '../json.ts';
import { defineFault, type Edit } from './edit/define.ts';
import { alsoRefused, letObjectThrough, letThrough } from './edit/looser.ts';

/** On how values are compared: by prefix, by case, as written, in part (§2.2, §2.3, SEC-16, SEC-20, SEC-26). */
export const comparisonFaults = [
  defineFault({
    name: 'aud-list-unseen',
    says: 'A list as aud is not looked into.',
    breaks: ['SEC-16'],
    apply: audListLetThrough(() => true),
  }),
  defineFault({
    name: 'aud-empty-list-accepted',
    says: 'Every entry of aud must be known, which holds for an empty list.',
    breaks: ['SEC-16'],
    apply: audListLetThrough((aud, { issuer }) => aud.every((entry) => entry === issuer)),
  }),
  defineFault({
    name: 'aud-list-by-prefix',
    says: 'An entry of aud that begins with the issuer is taken for it.',
    breaks: ['SEC-16'],
    apply: audListLetThrough((aud, { issuer }) => aud.some((entry) => asText(entry).startsWith(issuer))),
  }),
  defineFault({
    name: 'aud-list-in-any-case',
    says: 'Entries of aud are compared in lower case.',
    breaks: ['SEC-16'],
    apply: audListLetThrough((aud, { issuer }) => aud.some((entry) => entry === issuer.toUpperCase())),
  }),
  defineFault({
    name: 'aud-list-flattened',
    says: 'The issuer is looked for in the lists within aud as well.',
    breaks: ['SEC-16'],
    apply: audListLetThrough((aud, { issuer }) =>
      aud.flatMap((entry) => (isJsonList(entry) ? entry : [])).includes(issuer),
    ),
  }),
  defineFault({
    name: 'escaped-slash-refused',
    says: 'redirect_uri is compared as it stands in the JSON text, so an escaped slash is another character.',
    breaks: ['REQ-031'],
    apply: alsoRefused('redirect-uri-as-written', ({ texts }) => texts.get('redirect_uri')?.includes('\\/') === true),
  }),
  defineFault({
    name: 'notification-uri-user-ignored',
    says: 'User information in a notification_uri is read over when it is compared.',
    breaks: ['SEC-26'],
    apply: letThrough(['notification-uri-registered'], (context) => {
      const uri = asText(context.claims['notification_uri']);
      const plain = uri.replace(/^([a-z]+:\/\/)[^/@]*@/, '$1');
      return plain !== uri && context.client.notificationUris.includes(plain);
    }),
  }),
  defineFault({
    name: 'notification-uri-loopback-allowed',
    says: 'https on a loopback address is left open for development.',
    breaks: ['SEC-26'],
    apply: letThrough(['notification-uri-registered'], ({ claims }) => isLoopback(asText(claims['notification_uri']))),
  }),
  defineFault({
    name: 'notification-uri-by-prefix',
    says: 'A notification_uri that begins with a registered one is taken.',
    breaks: ['REQ-033'],
    apply: letThrough(['notification-uri-registered'], (context) => {
      const uri = requireString(context, 'notification_uri');
      return context.client.notificationUris.some((known) => uri.startsWith(known));
    }),
  }),
  defineFault({
    name: 'iss-in-any-case',
    says: 'iss and client_id are compared in lower case.',
    breaks: ['REQ-002'],
    apply: letThrough(
      ['iss-is-the-client'],
      ({ claims, client }) => asText(claims['iss']).toLowerCase() === client.clientId.toLowerCase(),
    ),
  }),
  defineFault({
    name: 'iss-trimmed',
    says: 'Blanks around iss are read over.',
    breaks: ['REQ-002'],
    apply: letThrough(['iss-is-the-client'], ({ claims, client }) => asText(claims['iss']).trim() === client.clientId),
  }),
  defineFault({
    name: 'response-type-among-others',
    says: 'response_type has to name async_token, and may name others.',
    breaks: ['REQ-022'],
    apply: letThrough(['response-type-is-async-token'], ({ claims }) =>
      words(asText(claims['response_type'])).includes('async_token'),
    ),
  }),
  defineFault({
    name: 'acr-in-any-case',
    says: 'acr_values is compared in lower case.',
    breaks: ['REQ-058'],
    apply: letThrough(['acr-is-a1-or-a3'], ({ claims }) => /^a[13]$/i.test(asText(claims['acr_values']))),
  }),
  defineFault({
    name: 'client-id-beside-in-any-case',
    says: 'client_id inside and outside are compared in lower case.',
    breaks: ['SEC-20'],
    apply: letObjectThrough(
      ['client-id-beside-is-the-same'],
      ({ claims, outside }) => asText(claims['client_id']).toLowerCase() === asText(outside['client_id']).toLowerCase(),
    ),
  }),
  defineFault({
    name: 'kid-of-36-refused',
    says: 'kid must have fewer than 36 characters.',
    breaks: ['HDR-001', 'HDR-004'],
    blinds: ['CB-023', 'SEC-13'],
    apply: alsoRefused('kid-below-36', ({ key }) => key.kid.length > 35, 'invalid_request_object'),
  }),
  defineFault({
    name: 'kid-of-one-letter-refused',
    says: 'kid must have more than one character.',
    breaks: ['HDR-001', 'HDR-004'],
    blinds: ['HDR-003', 'SEC-04', 'SEC-13'],
    apply: alsoRefused('kid-above-1', ({ key }) => key.kid.length < 2, 'invalid_request_object'),
  }),
] as const;

function audListLetThrough(isTaken: (aud: readonly Json[], context: KeyContext) => boolean): Edit {
  return letThrough(['aud-is-the-issuer'], (context) => {
    const { aud } = context.claims;
    return aud !== undefined && isJsonList(aud) && isTaken(aud, context);
  });
}

function isLoopback(uri: string): boolean {
  const { protocol, hostname } = URL.canParse(uri) ? new URL(uri) : { protocol: '', hostname: '' };
  return protocol === 'https:' && /^(127\.|localhost$|\[::1\]$|0\.0\.0\.0$)/.test(hostname);
}
