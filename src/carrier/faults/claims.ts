import { jtiNotRepeated } from '../checks/jti-not-repeated.ts';
import type { Client, Subscriber } from '../state/accounts.ts';
import { nobody } from '../checks/login-hint-names-a-subscriber.ts';
import { type KeyContext, optionalString, requireString, words } from '../pipeline/context.ts';
import { asText, stringMember } from '../json.ts';
import { refuse } from '../refusal.ts';
import { all, defineFault, type Edit, insteadOf, insteadOfLast, withMakers, withPolicy } from './edit/define.ts';
import { everyAcceptance } from './edit/every-acceptance.ts';
import { alsoRefused, refusedLast } from './edit/looser.ts';

/** On single claims of the request object, and what becomes of them: §2.3, §6, SEC-27, SEC-30. */
export const claimFaults = [
  defineFault({
    name: 'sub-missing-as-access-denied',
    says: 'A request object without sub is refused as if the user had denied it.',
    breaks: ['ERR-005', 'REQ-004'],
    apply: insteadOf('sub-is-the-client', (context) => {
      if (!('sub' in context.claims)) refuse('access_denied', 'sub is required');
      if (requireString(context, 'sub') !== context.client.clientId) refuse('invalid_client', 'sub must be client_id');
    }),
  }),
  defineFault({
    name: 'aud-is-the-endpoint',
    says: 'aud must be the URL of the endpoint, as in client assertions.',
    breaks: [...everyAcceptance, 'REQ-050', 'REQ-084'],
    blinds: 'what follows',
    apply: refusedLast('aud-is-the-endpoint', ({ claims, issuer }) => claims['aud'] !== `${issuer}/bc-authorize`),
  }),
  defineFault({
    name: 'scopes-separated-by-commas',
    says: 'scope is split at commas, so two scopes are one that nobody knows.',
    breaks: [...everyAcceptance, 'REQ-050', 'REQ-084'],
    blinds: 'what follows',
    apply: refusedLast(
      'scopes-known',
      ({ claims, client }) =>
        !asText(claims['scope'])
          .split(',')
          .every((word) => client.scopes.includes(word)),
      'invalid_scope',
    ),
  }),
  defineFault({
    name: 'offline-access-unknown',
    says: 'There are no refresh tokens yet, so the scope offline_access is unknown.',
    breaks: ['REQ-037'],
    apply: scopeUnknown('offline_access'),
  }),
  defineFault({
    name: 'birthdate-unknown',
    says: 'birthdate is missing in the table of scopes, which was copied from OpenID Connect.',
    breaks: ['REQ-037'],
    blinds: 'what follows',
    apply: scopeUnknown('birthdate'),
  }),
  defineFault({
    name: 'login-hint-without-carrier-code',
    says: 'login_hint must not begin with the carrier code.',
    breaks: [...everyAcceptance, 'REQ-050', 'REQ-084'].filter((rule) => !['REQ-069', 'LHT-003'].includes(rule)),
    blinds: 'what follows',
    apply: refusedLast('login-hint-without-code', ({ claims }) => /^\d+-/.test(asText(claims['login_hint']))),
  }),
  defineFault({
    name: 'context-hyphen-refused',
    says: 'context may hold letters and digits only.',
    breaks: [...everyAcceptance, 'REQ-050', 'REQ-084'].filter((rule) => rule !== 'REQ-071'),
    blinds: 'what follows',
    apply: refusedLast('context-alphanumeric', ({ claims }) =>
      /^[A-Za-z0-9]+-[A-Za-z0-9-]*$/.test(asText(claims['context'])),
    ),
  }),
  defineFault({
    name: 'callback-204-not-believed',
    says: 'A callback is delivered again unless it is answered with 200.',
    breaks: ['SEC-27'],
    apply: all(
      withPolicy({ callbackRetries: 3 }),
      withMakers(() => ({ callbackConfirms: (status) => status !== 202 && status !== 204 })),
    ),
  }),
  defineFault({
    name: 'callback-always-sent-again',
    says: 'A callback is delivered again whatever it was answered with.',
    breaks: ['FLOW-014', 'SEC-27'],
    apply: all(
      withPolicy({ callbackRetries: 1 }),
      withMakers(() => ({ callbackConfirms: () => false })),
    ),
  }),
  defineFault({
    name: 'state-html-escaped',
    says: 'state is escaped for HTML before it is kept.',
    breaks: ['CB-010', 'SEC-30'],
    apply: stateKeptAs((state) => state.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')),
  }),
  defineFault({
    name: 'state-backslash-doubled',
    says: 'Quotation marks and backslashes of state are escaped twice.',
    breaks: ['REQ-039', 'CB-010', 'CB-011', 'SEC-30'],
    apply: stateKeptAs((state) => state.replaceAll(/["\\]/g, String.raw`\$&`)),
  }),
  defineFault({
    name: 'state-control-characters-dropped',
    says: 'Control characters of state are taken out.',
    breaks: ['CB-010', 'SEC-30'],
    apply: stateKeptAs((state) => state.replaceAll(/\p{Cc}/gu, '')),
  }),
  defineFault({
    name: 'state-beyond-the-first-plane-replaced',
    says: 'state is kept in a column of three bytes a character, so an emoji becomes a question mark.',
    breaks: ['REQ-039', 'CB-010', 'CB-011', 'SEC-30'],
    apply: stateKeptAs((state) => state.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '?')),
  }),
  defineFault({
    name: 'replay-without-jti-unnoticed',
    says: 'A request object without jti cannot be recognized, so the same one is taken again.',
    breaks: ['SEC-21'],
    apply: insteadOfLast('jti-not-repeated', (context) => {
      if ('jti' in context.claims) jtiNotRepeated.run(context);
    }),
  }),
  defineFault({
    name: 'revoked-consent-remembered',
    says: 'A consent that was taken back stays in a cache, so nobody is asked again.',
    breaks: ['CRV-004'],
    apply: all(
      insteadOfLast('subscriber-consented-to-openid', ({ subscriber, client, policy }) => {
        if (!consentsOnce(subscriber, client).includes('openid')) refuse(policy.unconsentedError, nobody);
      }),
      withMakers(({ consentScreen }) => ({
        consentScreen: (wanted, subscriber, client) =>
          consentScreen(wanted, subscriber, client).filter(
            (scope) => wanted.prompt.includes('consent') || !consentsOnce(subscriber, client).includes(scope),
          ),
      })),
    ),
  }),
] as const;

function scopeUnknown(name: string): Edit {
  const isAsked = (context: KeyContext): boolean => words(optionalString(context, 'scope') ?? '').includes(name);
  return alsoRefused(`${name}-is-unknown`, isAsked, 'invalid_scope');
}

function stateKeptAs(change: (state: string) => string): Edit {
  return withMakers(({ claims }) => ({
    claims: (context) => {
      const read = claims(context);
      const state = stringMember(read, 'state');
      return state === undefined ? read : { ...read, state: change(state) };
    },
  }));
}

/** What the user had consented to when the carrier started. */
function consentsOnce({ registered }: Subscriber, { name }: Client): readonly string[] {
  return registered.consents[name] ?? [];
}
