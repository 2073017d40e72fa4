import { countCodePoints, percentDecoded } from '../checks/claims.ts';
import { all, defineVariants } from '../faults/edit/define.ts';
import { changedIdToken } from '../faults/edit/messages.ts';
import { insteadOf, withBuilders, without, withPolicy } from '../faults/edit/parts.ts';
import { alsoRefused } from '../faults/edit/requests.ts';
import { tidied } from '../faults/edit/tidy.ts';
import { asText, type JsonObject, words } from '../json.ts';
import type { Policy } from '../policy.ts';
import { refuse } from '../refusal.ts';
import { idempotent } from './idempotent.ts';

const isShort = (value: unknown): boolean => typeof value === 'string' && value.length < 22;
const decoded = (body: JsonObject): JsonObject =>
  typeof body['context'] === 'string' ? { context: percentDecoded(body['context']) } : {};

function checkLength(text: string, { contextMin, contextMax }: Policy): void {
  const length = countCodePoints(text);
  if (length > contextMax) refuse('invalid_request', 'context exceeds 240 characters');
  if (length < contextMin) refuse('invalid_request', 'context is shorter than 8 characters');
}

/** Readings of a request that conform as well: section 1 of the decisions. */
export const readingVariants = defineVariants({
  'context-decoded-once': [
    'Percent escapes of context are decoded once; what is shown and signed is the decoded form (C1.2).',
    all(
      changedIdToken(decoded),
      withBuilders(({ card }) => ({
        card: (request, authentication) => {
          const shown = card(request, authentication);
          return { ...shown, ...decoded(shown) };
        },
      })),
    ),
  ],
  'context-counted-clear': [
    'Characters of context are counted after percent escapes are decoded (C1.2).',
    insteadOf('context-8-to-240', ({ claims: { context }, policy }) => {
      if (typeof context === 'string') checkLength(percentDecoded(context), policy);
    }),
  ],
  'context-pattern-on-decoded-form': [
    'The pattern of context holds for its decoded form, to the letter (C1.2).',
    alsoRefused(
      'context-in-its-pattern',
      ({ claims }) => 'context' in claims && !/^[A-Za-z0-9%-]{8,240}$/.test(percentDecoded(asText(claims['context']))),
    ),
  ],
  'context-of-characters-that-are-sure': [
    'context may hold letters, digits and hyphens only (C1.2).',
    alsoRefused(
      'context-of-sure-characters',
      ({ claims }) => 'context' in claims && !/^[A-Za-z0-9-]*$/.test(asText(claims['context'])),
    ),
  ],
  'repeats-get-the-same-id': ['An exact repetition gets the auth_req_id of the first, and no push (C1.4).', idempotent],
  'notification-tokens-of-22': [
    'A client_notification_token under 22 characters is refused (C1.10, CIBA Core §7.1: 128 bits).',
    alsoRefused('notification-token-of-128-bits', ({ claims }) => isShort(claims['client_notification_token'])),
  ],
  'request-uri-ignored': [
    'request_uri beside the request object is ignored, and nothing is fetched (§9.5, C1.11).',
    without('no-request-uri-beside'),
  ],
  'inner-request-ignored': [
    'request and request_uri inside the request object are ignored (§9.5, C1.11).',
    without('no-request-object-within'),
  ],
  'userinfo-without-openid': [
    'A token that was not issued for openid opens user info (§2.6: openid is optional, C7.6).',
    without('token-is-for-openid'),
  ],
  'openid-required': [
    'A request without openid is refused (§1.3, C1.26).',
    alsoRefused('openid-is-asked', ({ claims }) => !words(asText(claims['scope'])).includes('openid'), 'invalid_scope'),
    { declares: { 'scopes-without-openid': false } },
  ],
  'state-up-to-1-kb': [
    'state and nonce over 1 kB are refused (C1.26).',
    withPolicy({ stateMax: 1024 }),
    { declares: { 'long-values': false } },
  ],
  'byte-order-mark-ignored': [
    'A byte order mark at the beginning of the claims is ignored (RFC 8259 §8.1, C1.27).',
    tidied((request) =>
      request
        .split('.')
        .map((part) => part.replace(/^77-7/, ''))
        .join('.'),
    ),
  ],
  'future-iat-refused': [
    'A request object signed two seconds ahead is refused (§5.1 says nothing of the future).',
    withPolicy({ iatMaxAhead: 1 }),
  ],
  'iat-a-minute-late': [
    'A minute is allowed for clocks that differ (§8: generally 5 minutes).',
    withPolicy({ expLeeway: 60, notBeforeLeeway: 60 }),
  ],
});
