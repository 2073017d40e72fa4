import { createHmac, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { hasClaim, type KeyContext, reader, requireString, type SubscriberContext } from '../../carrier/context.ts';
import { promptNoneIsAllowed, subscriberConsentedToOpenid } from '../../carrier/checks/subscriber.ts';
import type { CompactJws, CarrierSigningKey } from '../../carrier/jose/jws.ts';
import { asText, isJsonObject, type JsonObject, stringMember } from '../../carrier/json.ts';
import { refuse } from '../../carrier/refusal.ts';
import type { SubscriberState } from '../../carrier/state/accounts.ts';
import type { AuthorizationRequest } from '../../carrier/state/requests.ts';
import {
  replaceClaimCheck,
  replaceSubscriberCheck,
  skipChecksIf,
  withAssertion,
  withBuilders,
  withContent,
  withEvents,
  withPipeline,
  withRoutes,
  withTraits,
  withUserinfo,
  withUserinfoCall,
} from '../../carrier/seams/definition-parts.ts';
import type { Carrier, Route } from '../../carrier/carrier.ts';
import { raiseEvent } from '../../carrier/flow/events.ts';
import { combineEdits, defineFaults, type Edit, type Fault, freshEdit } from '../edit/fault-table.ts';
import { removeSignature } from '../edit/keys.ts';
import { changeIdToken, changeTokens, writeIdToken } from '../edit/messages.ts';

interface PresentedToken {
  readonly jws: CompactJws;
  readonly header: JsonObject;
  readonly keys: readonly CarrierSigningKey[];
}

/** Accepts access tokens at user info whose signature another reading finds right. */
const acceptTokenIf = (isTaken: (token: PresentedToken) => boolean): Edit =>
  withUserinfoCall(({ onToken }) => ({ onToken: skipChecksIf(onToken, isTaken, ['token-is-signed-by-the-carrier']) }));

const pemOf = (key: KeyObject): string => key.export({ type: 'spki', format: 'pem' }).toString();

function verifiesByItsOwnKey({ jws, header }: PresentedToken): boolean {
  if (!isJsonObject(header['jwk'])) return false;
  try {
    const key = createPublicKey({ key: { ...header['jwk'] }, format: 'jwk' });
    const how = key.asymmetricKeyType === 'ec' ? ({ key, dsaEncoding: 'ieee-p1363' } as const) : key;
    return verify('sha256', jws.signed, how, jws.signature);
  } catch {
    return false;
  }
}

const requestIdClaim = 'urn:openid:params:jwt:claim:auth_req_id';

/** Changes the signed id token of a sign-in, which has no auth_req_id. */
const changeSignInIdToken = (change: (jws: string) => string): Edit =>
  withBuilders(({ signIdToken }) => ({
    signIdToken: (key, claims) => {
      const jws = signIdToken(key, claims);
      return requestIdClaim in claims ? jws : change(jws);
    },
  }));

const changeSignInClaims = (change: (claims: JsonObject) => JsonObject): Edit =>
  changeIdToken((claims) => (claims[requestIdClaim] === undefined ? change(claims) : {}));

/** Completes requests although something was taken away while they were pending. */
const completeIf = (isEnough: (request: AuthorizationRequest) => boolean): Edit =>
  withBuilders(() => ({ mayComplete: isEnough }));

const hasConsent = ({ client, subscriber }: AuthorizationRequest): boolean =>
  subscriber.consents.get(client.name)?.has('openid') === true;
const isOn = ({ client }: AuthorizationRequest): boolean => client.flags.get('server_initiated') === true;

/** Lets a user without consent in, and asks for none. */
const letIn = (isExcused: (context: SubscriberContext) => boolean): Edit =>
  combineEdits(
    replaceSubscriberCheck('subscriber-consented-to-openid', (context) => {
      if (!isExcused(context)) subscriberConsentedToOpenid.run(context);
    }),
    withBuilders(({ consentScreen }) => ({
      consentScreen: (wanted, subscriber, client) =>
        subscriber.consents.get(client.name)?.has('openid') === true ? consentScreen(wanted, subscriber, client) : [],
    })),
  );

/** Takes URIs that are the registered ones once `plain` has tidied both. */
const compareUris = (claim: 'redirect_uri' | 'notification_uri', plain: (uri: string) => string): Edit =>
  replaceClaimCheck(claim === 'redirect_uri' ? 'redirect-uri-registered' : 'notification-uri-registered', (context) => {
    const uri = plain(requireString(context, claim));
    const { redirectUris, notificationUris } = context.client;
    const known = claim === 'redirect_uri' ? redirectUris : notificationUris;
    if (!known.some((one) => plain(one) === uri)) refuse('invalid_request', `${claim} is not registered`);
  });

const oneSlash = (uri: string): string => uri.replaceAll(/([^:/])\/{2,}/g, '$1/');
const withoutParameters = (uri: string): string => uri.replaceAll(/;[^/?#]*/g, '');
const withoutEmptyQuery = (uri: string): string => uri.replace(/\?$/, '');

/** An edit that gets the carrier, once a request has come: builders and checks do not. */
const withCarrier = (edit: (carrier: () => Carrier | undefined) => Edit): Edit =>
  freshEdit(() => {
    let own: Carrier | undefined;
    const noting = withRoutes(({ serverInitiated: route }) => ({
      serverInitiated: route && {
        ...route,
        respond: (carrier, call, reply) => {
          own = carrier;
          return route.respond(carrier, call, reply);
        },
      },
    }));
    return combineEdits(
      noting,
      edit(() => own),
    );
  });

/** Posts the refusal to a notification_uri that is not registered, as a second notice. */
const noticeAtRefusedUri = (): Edit =>
  withCarrier((carrier) =>
    replaceClaimCheck('notification-uri-registered', (context) => {
      const uri = requireString(context, 'notification_uri');
      if (context.client.notificationUris.includes(uri)) return;
      const { content, policy } = carrier()?.definition ?? {};
      if (content !== undefined && policy !== undefined && URL.canParse(uri)) {
        carrier()?.deliveries.send({
          uri,
          headers: {
            authorization: `Bearer ${requireString(context, 'client_notification_token')}`,
            'cache-control': 'no-cache',
            'content-type': 'application/json',
          },
          body: () => ({
            error: 'invalid_request',
            error_description: 'notification_uri is not registered',
            correlation_id: context.claims['correlation_id'] ?? null,
            state: context.claims['state'] ?? null,
          }),
          write: content.callback,
          delay: policy.callbackDelay,
          deadline: policy.callbackDeadline,
          retries: 0,
          retryAfter: 60,
          confirms: () => true,
        });
      }
      refuse('invalid_request', 'notification_uri is not registered');
    }),
  );

/** Raises an event when a request ends in one way. */
const raiseAt = (end: 'success' | 'failure', event: string): Edit =>
  withCarrier((carrier) => {
    const raise = ({ subscriber }: Pick<AuthorizationRequest, 'subscriber'>): void => {
      const own = carrier();
      if (own !== undefined) raiseEvent(own, { subscriber, event, cause: 'a fault' });
    };
    const raising = withBuilders(({ success, failure }) => ({
      success: (approval, tokens) => {
        if (end === 'success') raise(approval.request);
        return success(approval, tokens);
      },
      failure: (failed) => {
        if (end === 'failure') raise(failed.request);
        return failure(failed);
      },
    }));
    return raising;
  });

/** Sends each result a second time under an auth_req_id that was never issued. */
const repeatUnderAnotherId = (): Edit => {
  const written = new Set<string>();
  return combineEdits(
    withBuilders(() => ({ callbackCopies: () => 2 })),
    withContent(({ callback }) => ({
      callback: (text) => {
        if (!written.has(text)) {
          written.add(text);
          return callback(text);
        }
        return callback(text.replace(/"auth_req_id":"ccid-[^"]*"/, '"auth_req_id":"ccid-00unknown00unknown00"'));
      },
    })),
  );
};

const forHost = (route: Route): Route => ({
  ...route,
  respond: (carrier, request, reply) => {
    const { host = '' } = request.headers;
    const isOwn = new URL(carrier.origin).host === host;
    const origin = isOwn ? carrier.origin : `https://${host}`;
    return route.respond({ ...carrier, origin, issuer: isOwn ? carrier.issuer : origin }, request, reply);
  },
});

/** Faults that a hostile reader of the interface thought of, beside those that the lists of its rules lead to. */
const thoughtOf = defineFaults({
  'userinfo-token-alg-none': [
    'User info takes an access token whose header says that it is not signed.',
    'SEC-33',
    acceptTokenIf(({ header }) => asText(header['alg']).toLowerCase() === 'none'),
  ],
  'userinfo-token-by-hmac': [
    'User info takes an access token whose HMAC is keyed with the public key of the carrier.',
    'SEC-33',
    acceptTokenIf(
      ({ header, jws, keys }) =>
        header['alg'] === 'HS256' &&
        keys.some(({ publicKey }) =>
          createHmac('sha256', pemOf(publicKey)).update(jws.signed).digest().equals(jws.signature),
        ),
    ),
  ],
  'userinfo-token-with-its-own-key': [
    'User info verifies an access token with the key in its header.',
    'SEC-33',
    acceptTokenIf(verifiesByItsOwnKey),
  ],
  'sign-in-id-token-unsigned': [
    'The id token of a code is not signed.',
    'SEC-31',
    changeSignInIdToken(removeSignature),
  ],
  'sign-in-id-token-for-another-client': [
    'aud of the id token of a code is another client.',
    'SEC-31',
    changeSignInClaims(() => ({ aud: 'ccid-ofanothersp' })),
  ],
  'sign-in-id-token-of-another-user': [
    'sub of the id token of a code is that of another user.',
    'SEC-31',
    changeSignInClaims(({ sub }) => ({ sub: `${asText(sub).slice(0, -1)}x` })),
  ],
  'userinfo-of-another-subscriber': [
    'User info has the right sub, and the profile of the first user who was looked up.',
    'SEC-34',
    freshEdit(() => {
      let first: SubscriberState | undefined;
      return withUserinfo(({ attribute }) => ({
        attribute: (scope, call) => {
          first ??= call.subscriber;
          return attribute(scope, { ...call, subscriber: first });
        },
      }));
    }),
    { stateful: true },
  ],
  'consent-not-asked-with-a-hint-token': [
    'A user counts as one who has consented if a login_hint_token names them.',
    'FLOW-006',
    letIn((context) => hasClaim(context, 'login_hint_token')),
  ],
  'consent-not-asked-with-prompt-consent': [
    'A request with prompt consent may be the first one of a user.',
    'FLOW-006',
    letIn(({ claims }) => asText(claims['prompt']).split(' ').includes('consent')),
  ],
  'silent-a3-without-a-recent-authentication': [
    'A request with prompt none and a3 is completed without the user, however long ago the user signed in.',
    'REQ-057',
    replaceSubscriberCheck('prompt-none-is-allowed', (context) =>
      promptNoneIsAllowed.run({ ...context, claims: { ...context.claims, acr_values: 'a1' } }),
    ),
  ],
  'id-token-by-an-unlisted-alg': [
    'Id tokens are signed with PS256, which discovery does not list.',
    'SEC-31',
    writeIdToken((header, claims) => [JSON.stringify(header), JSON.stringify(claims)], { alg: 'PS256' }),
  ],
  'refused-uri-gets-a-notice': [
    'A notification_uri that is not registered is refused, and gets the refusal as a callback as well.',
    'REQ-033 CB-001 CB-024',
    noticeAtRefusedUri(),
  ],
  'birthdate-with-an-age-scope': [
    'An SP that asks for an age flag gets the birthdate as well.',
    'SEC-34',
    withUserinfo(({ scopes }) => ({
      scopes: (approved, client, subscriber) => {
        const given = scopes(approved, client, subscriber);
        return given.some((scope) => scope.startsWith('is_')) ? [...given, 'birthdate'] : given;
      },
    })),
  ],
  'tenure-in-the-details-of-a-refusal': [
    'The description of a refused query says how old the SIM is.',
    'UT-019',
    withTraits(({ refusal }) => ({
      refusal: (refused) => ({ ...refusal(refused), details: { reason: refused.description, sim_tenure: 'false' } }),
    })),
  ],
  'redirect-uri-with-two-slashes': [
    'Slashes in a row count as one in redirect_uri.',
    'REQ-030',
    compareUris('redirect_uri', oneSlash),
  ],
  'redirect-uri-with-a-path-parameter': [
    'The path of redirect_uri is compared only up to a semicolon.',
    'REQ-030',
    compareUris('redirect_uri', withoutParameters),
  ],
  'redirect-uri-with-an-empty-query': [
    'A question mark at the end of redirect_uri is not compared.',
    'REQ-030',
    compareUris('redirect_uri', withoutEmptyQuery),
  ],
  'notification-uri-with-two-slashes': [
    'Slashes in a row count as one in notification_uri.',
    'REQ-033',
    compareUris('notification_uri', oneSlash),
  ],
  'notification-uri-with-a-path-parameter': [
    'The path of notification_uri is compared only up to a semicolon.',
    'REQ-033',
    compareUris('notification_uri', withoutParameters),
  ],
  'notification-uri-with-an-empty-query': [
    'A question mark at the end of notification_uri is not compared.',
    'REQ-033 CB-001 CB-024',
    compareUris('notification_uri', withoutEmptyQuery),
  ],
  'acr-as-number': [
    'acr_values 3 is taken for a3.',
    'REQ-058',
    withPipeline(({ readObject }) => ({
      readObject: reader(readObject.name, (context) => {
        const read = readObject.read(context);
        const { acr_values: acr } = read.claims;
        return acr === 3 || acr === '3' ? { ...read, claims: { ...read.claims, acr_values: 'a3' } } : read;
      }),
    })),
  ],
  'tokens-after-the-consent-was-taken-away': [
    'A request that is pending is completed although the user has withdrawn all consent.',
    'CB-023',
    completeIf((request) => request.client.keys.has(request.kid) && isOn(request)),
  ],
  'tokens-after-the-access-was-taken-away': [
    'A request that is pending is completed although its SP has lost server-initiated access.',
    'CB-023',
    completeIf((request) => hasConsent(request) && request.client.keys.has(request.kid)),
  ],
  'tokens-after-the-key-was-taken-away': [
    'A request that is pending is completed although its key was removed.',
    'CB-023',
    completeIf((request) => hasConsent(request) && isOn(request)),
  ],
  'assertion-used-twice': [
    'A client assertion may be used any number of times.',
    'TOK-002',
    withAssertion(({ onAssertion }) => ({
      onAssertion: skipChecksIf(onAssertion, () => true, ['assertion-jti-not-repeated']),
    })),
  ],
  'scopes-with-commas': [
    'Scopes may be separated by commas.',
    'REQ-036',
    withPipeline(({ readObject }) => ({
      readObject: reader(readObject.name, (context) => {
        const read = readObject.read(context);
        const scope = stringMember(read.claims, 'scope');
        return scope?.includes(',') === true
          ? { ...read, claims: { ...read.claims, scope: scope.replaceAll(/,\s*/g, ' ') } }
          : read;
      }),
    })),
  ],
  'login-hint-without-the-carrier-code': [
    'A login_hint without the carrier code is completed.',
    'REQ-099',
    withPipeline(({ readSubscriber }) => ({
      readSubscriber: reader(readSubscriber.name, (context: KeyContext) => {
        const hint = stringMember(context.claims, 'login_hint') ?? '';
        const own = [...context.accounts.subscribers.values()].find(({ subs }) => {
          const sub = subs.get(context.client.name) ?? '';
          return hint !== '' && sub.slice(sub.indexOf('-') + 1) === hint;
        });
        return own === undefined ? readSubscriber.read(context) : { ...context, subscriber: own };
      }),
    })),
  ],
  'life-as-a-moment': [
    'expires_in of the response is the moment at which the request ends.',
    'RSP-006',
    withBuilders(({ response }) => ({
      response: (request, policy) => {
        const built = response(request, policy);
        const ends = Math.floor(request.receivedAt / 1000) + request.granted;
        return { ...built, body: { ...built.body, expires_in: ends } };
      },
    })),
  ],
  'userinfo-after-the-consent-was-removed': [
    'User info is given for as long as the access token lives, whatever the user has withdrawn.',
    'SEC-34',
    withUserinfo(() => ({ mayRead: () => true })),
  ],
  'consent-revoked-after-a-denial': [
    'A denied request is reported as a consent that was revoked.',
    'CRV-002',
    raiseAt('failure', 'consent_revoked'),
    { stateful: true },
  ],
  'device-change-at-each-approval': [
    'The phone that approves is reported as a changed device.',
    'EVT-004',
    raiseAt('success', 'device_change'),
    { stateful: true },
  ],
  'event-memory-per-number': [
    'Reported events are remembered with the phone number, and forgotten when it changes.',
    'EVT-018',
    withEvents(({ duplicateKey }) => ({
      duplicateKey: (news) => JSON.stringify([duplicateKey(news), news.subscriber.phone]),
    })),
    { stateful: true },
  ],
  'event-memory-per-consent': [
    'Reported events are remembered with the consent, and forgotten when it is given anew.',
    'EVT-018',
    freshEdit(() => {
      let removals = 0;
      return withEvents(({ duplicateKey, isRevoked }) => ({
        isRevoked: (before, after) => {
          removals += 1;
          return isRevoked(before, after);
        },
        duplicateKey: (news) => JSON.stringify([duplicateKey(news), news.event === 'device_change' ? removals : 0]),
      }));
    }),
    { stateful: true },
  ],
  'host-header-as-issuer': [
    'The configuration is made for the host of the Host header.',
    'SEC-47 DSC-012',
    withRoutes(({ ownConfiguration, configuration }) => ({
      ownConfiguration: ownConfiguration && forHost(ownConfiguration),
      configuration: configuration && forHost(configuration),
    })),
  ],
  'result-under-an-unknown-id-as-well': [
    'Each result comes again under an auth_req_id that was never issued.',
    'CB-006 CB-007 SEC-27',
    freshEdit(repeatUnderAnotherId),
    { stateful: true },
  ],
  'scope-of-the-callback-wider': [
    'The access token is for all scopes that were ever approved, and the callback says so.',
    'CB-012 TRN-005 TRN-008',
    changeTokens((_body, { request, scopes }) => ({
      scope: [...new Set([...scopes, ...(request.subscriber.consents.get(request.client.name) ?? [])])].join(' '),
    })),
  ],
});

export const besideTheListsFaults: readonly Fault[] = thoughtOf.map((fault) => ({
  ...fault,
  keeps: 'it is a kind of its own, whatever else turns its rules',
}));
