import { jtiNotRepeated } from '../checks/subscriber.ts';
import { asText, isJsonObject, type JsonObject, stringMember, words } from '../json.ts';
import { verifyJws } from '../jose/jws.ts';
import { type AssertionContext, refuseClient } from '../pipeline/assertion.ts';
import type { ProofContext } from '../pipeline/context.ts';
import { check, reader } from '../pipeline/step.ts';
import { refuse } from '../refusal.ts';
import type { AuthorizationRequest } from '../state/requests.ts';
import { all, defineFaults, type Edit, type Fault, faultTable } from './edit/define.ts';
import { oneUri, ownProofs, ownReading } from './edit/except.ts';
import { leaveOut } from './edit/messages.ts';
import {
  insteadOfLast,
  replaceCheck,
  withAssertion,
  withBuilders,
  withPipeline,
  withTraitSteps,
} from './edit/parts.ts';
import { letThrough } from './edit/requests.ts';

type Seen = (claims: JsonObject) => boolean;

const lacks =
  (...names: readonly string[]): Seen =>
  (claims) =>
    !names.some((name) => name in claims);
const has =
  (name: string): Seen =>
  (claims) =>
    name in claims;
const promptHas =
  (word: string): Seen =>
  (claims) =>
    words(asText(claims['prompt'])).includes(word);

const skipping = ([name, when]: readonly [name: string, when: Seen]) =>
  letThrough([name], ({ claims }) => when(claims));

/** Checks that are not made where another, optional member is there, or is not. */
export const skippedCheckFaults: readonly Fault[] = [
  ...faultTable(skipping, {
    'iat-unchecked-without-jti': [
      'The age of a request object is looked at to bound the memory for jti, so not where there is none.',
      'REQ-009',
      ['iat-within-5-minutes', lacks('jti')],
    ],
    'exp-unchecked-without-jti': [
      'exp may be far ahead where there is no jti to remember until then.',
      'REQ-012',
      ['exp-within-5-minutes', lacks('jti')],
    ],
    'signature-unchecked-of-the-sdk': [
      'A request with an sdk_version is trusted, as it comes from the SDK of the platform.',
      'HDR-008',
      ['signature-verifies', has('sdk_version')],
    ],
    'aud-unchecked-of-the-sdk': [
      'A request with an sdk_version may be made for another carrier.',
      'REQ-007',
      ['aud-is-the-issuer', has('sdk_version')],
    ],
    'iss-unchecked-with-login': [
      'Where the user has to sign in again, iss is not compared.',
      'REQ-002',
      ['iss-is-the-client', promptHas('login')],
    ],
    'redirect-uri-unchecked-without-state': [
      'Without state nothing is sent to the redirect_uri, so it is not compared.',
      'REQ-030',
      ['redirect-uri-registered', lacks('state')],
    ],
    'notification-uri-unchecked-without-token': [
      'Without a client_notification_token the notification_uri is not compared.',
      'REQ-033',
      ['notification-uri-registered', lacks('client_notification_token')],
    ],
    'response-type-unchecked-with-prompt': [
      'A request with prompt is read as at the authorization endpoint, where response_type is compared later.',
      'REQ-022',
      ['response-type-is-async-token', has('prompt')],
    ],
    'expires-in-unchecked-with-acr': [
      'Where acr_values is there, expires_in has a default.',
      'REQ-017',
      ['expires-in-is-an-integer', has('acr_values')],
    ],
    'scope-unchecked-without-nonce': [
      'Without nonce there is no id token, so scope may be absent.',
      'REQ-035',
      ['scope-is-allowed', lacks('nonce')],
      { except: { 'scopes-without-openid/refused': 'an empty scope has no openid, and is refused for that' } },
    ],
    'acr-unchecked-with-login': [
      'Where the user has to sign in again, acr_values is not looked at.',
      'REQ-058',
      ['acr-is-a1-or-a3', promptHas('login')],
    ],
    'context-unchecked-with-options': [
      'Where options choose the colours, the page is not limited to 240 characters of context.',
      'REQ-074',
      ['context-8-to-240', has('options')],
      ownReading,
    ],
    'context-unchecked-without-correlation-id': [
      'Without a correlation_id the context is not measured.',
      'REQ-074',
      ['context-8-to-240', lacks('correlation_id')],
      ownReading,
    ],
  }),
  ...defineFaults({
    'jti-unchecked-with-login': [
      'Where the user has to sign in again, a repeated jti does not matter.',
      'REQ-015',
      insteadOfLast('jti-not-repeated', (context) => {
        if (!promptHas('login')(context.claims)) jtiNotRepeated.run(context);
      }),
    ],
    'jti-unchecked-with-a-hint-token': [
      'Where a login_hint_token names the user, a repeated jti does not matter.',
      'REQ-015',
      insteadOfLast('jti-not-repeated', (context) => {
        if (stringMember(context.claims, 'login_hint_token') === undefined) jtiNotRepeated.run(context);
      }),
    ],
    'consent-unchecked-with-prompt-none': [
      'prompt none brings tokens for scopes to which the user never consented.',
      'REQ-043',
      insteadOfLast('prompt-none-is-allowed', ({ claims, client }) => {
        if (promptHas('none')(claims) && client.flags.get('silent_authorization_enabled') !== true) {
          refuse('interaction_required', 'the subscriber must be asked');
        }
      }),
    ],
    'silent-after-removal': [
      'prompt none goes by the consent of the first sign-in, and not by its removal (C8.2).',
      'REQ-043',
      all(
        withPipeline(({ onSubscriber }) => ({
          onSubscriber: ['subscriber-consented-to-openid', 'prompt-none-is-allowed'].reduce(
            (checks, name) =>
              replaceCheck(checks, name, (context, strict) => {
                const { claims, client, subscriber } = context;
                const isSilent = promptHas('none')(claims) && client.flags.get('silent_authorization_enabled') === true;
                if (!isSilent || subscriber.consents.get(client.name)?.size !== 0) strict.run(context);
              }),
            onSubscriber,
          ),
        })),
        withBuilders(({ mayComplete }) => ({
          mayComplete: (request) => request.wanted.prompt.includes('none') || mayComplete(request),
        })),
      ),
    ],
    'foreign-sub-with-enum': [
      'An SP that may name users by phone number may name them by the pairwise sub of another SP as well.',
      'FLOW-007',
      withPipeline(({ readSubscriber }) => ({
        readSubscriber: reader('subscriber-by-any-sub', (context) => {
          const found = context.accounts.findSub(stringMember(context.claims, 'login_hint') ?? '');
          return found === undefined || context.client.flags.get('enum_enabled') !== true
            ? readSubscriber.read(context)
            : { ...context, subscriber: found.subscriber };
        }),
      })),
    ],
    'proof-unchecked-without-correlation-id': [
      'The signature of a proof is verified by the log, which a query without correlation_id does not reach.',
      'UT-007 UT-019',
      withTraitSteps(({ onProof }) => ({
        onProof: onProof.map((one) =>
          check(one.name, (context: ProofContext) => {
            if (context.body['correlation_id'] !== undefined) one.run(context);
          }),
        ),
      })),
      ownProofs,
    ],
    'assertion-unchecked-with-client-id': [
      'Where a token call names its client_id, the signature of the client assertion is not verified.',
      'TOK-001',
      withAssertion(({ onAssertion }) => ({
        onAssertion: replaceCheck(onAssertion, 'assertion-is-signed-by-the-client', (context, strict) => {
          if (!('client_id' in context.parameters)) strict.run(context);
        }),
      })),
    ],
    'assertion-by-any-client-on-a-fresh-code': [
      'A client assertion may be signed with the key of any client, and the first call that fails uses its code up.',
      'TOK-001',
      signedByAnyClient(),
      { stateful: true },
    ],
    'binding-with-any-exponent': [
      'The public exponent of an RSA key in referred_binding is not looked at.',
      'REQ-084',
      letThrough(['referred-binding-is-a-public-key'], ({ claims }) => isWideRsa(claims['referred_binding'])),
    ],
    'bearer-missing-on-errors': [
      'A callback with an error has no Authorization.',
      'CB-004',
      withoutBearer(({ state }) => state !== 'completed'),
    ],
    'bearer-missing-on-time-outs': [
      'The callback of a time-out has no Authorization.',
      'CB-004',
      withoutBearer(({ state }) => state === 'timed-out'),
    ],
    'callback-to-a-second-uri': [
      'A callback goes to another registered URI of the SP as well.',
      'CB-001 CB-024',
      withBuilders(({ callbackCopies, callbackUri }) => {
        const seen = new WeakSet<JsonObject>();
        return {
          callbackCopies: (body) => callbackCopies(body) + 1,
          callbackUri: (request, body) => {
            const own = callbackUri(request, body);
            if (!seen.has(body)) {
              seen.add(body);
              return own;
            }
            return request.client.notificationUris.find((one) => one !== own) ?? own;
          },
        };
      }),
      oneUri,
    ],
  }),
];

const isOfAnyClient = ({ jws, accounts }: AssertionContext): boolean =>
  [...accounts.clients.values()].some(({ keys }) =>
    [...keys.values()].some(({ key, alg }) => verifyJws(jws, key, alg)),
  );

function signedByAnyClient(): Edit {
  const usedUp = new Set<string>();
  return withAssertion(({ onAssertion }) => ({
    onAssertion: replaceCheck(onAssertion, 'assertion-is-signed-by-the-client', (context, strict) => {
      const code = stringMember(context.parameters, 'code');
      if (code !== undefined && usedUp.has(code)) refuseClient();
      try {
        strict.run(context);
      } catch (error) {
        if (isOfAnyClient(context)) return;
        if (code !== undefined) usedUp.add(code);
        throw error;
      }
    }),
  }));
}

function isWideRsa(jwk: unknown): boolean {
  return isJsonObject(jwk) && jwk['kty'] === 'RSA' && !('d' in jwk) && asText(jwk['n']).length >= 342;
}

function withoutBearer(where: (request: AuthorizationRequest) => boolean): Edit {
  return withBuilders(({ callbackHeaders }) => ({
    callbackHeaders: (request, policy) => {
      const headers = callbackHeaders(request, policy);
      return where(request) ? leaveOut(headers, 'authorization') : headers;
    },
  }));
}
