import { setTimeout as sleep } from 'node:timers/promises';
import type { Grant } from '../../carrier/carrier.ts';
import { respondServerInitiated } from '../../carrier/endpoints/signed-requests.ts';
import { encryptJwe } from '../../carrier/jose/jwe.ts';
import { type CompactJws, importPublicJwk, parseCompactJws, verifyJws } from '../../carrier/jose/jws.ts';
import { parseStrictObjectOr } from '../../carrier/jose/strict-json.ts';
import { type JsonObject, stringMember } from '../../carrier/json.ts';
import { refuseClient } from '../../carrier/pipeline/assertion.ts';
import { check, reader } from '../../carrier/context.ts';
import { type CodeCall, findCode } from '../../carrier/pipeline/grants.ts';
import { refuse } from '../../carrier/refusal.ts';
import { defineFaults, type Fault, lookupGap, type Edit } from '../edit/fault-table.ts';
import {
  changeRoute,
  dropChecks,
  skipChecksIf,
  withAssertion,
  withBuilders,
  withCancel,
  withCodeCall,
  withPipeline,
  withPolicy,
} from '../../carrier/seams/definition-parts.ts';
import { isHmac, publicPem } from '../edit/keys.ts';
import { skipAssertionCheckIf } from '../edit/requests.ts';
import { isPrefix } from './near-misses.ts';

const emptyBytes = new Uint8Array();
const emptyJws: CompactJws = {
  header: emptyBytes,
  payload: emptyBytes,
  payloadText: '',
  signed: emptyBytes,
  signature: emptyBytes,
};

function withGrants(change: (grant: Grant) => Grant): Edit {
  return (definition) => ({
    ...definition,
    grants: Object.fromEntries(Object.entries(definition.grants).map(([name, grant]) => [name, change(grant)])),
  });
}

/** Believes a client_id without an assertion in calls that `isSo` accepts. */
function believeBareClient(isSo: (parameters: JsonObject) => boolean): Edit {
  return withAssertion(({ readAssertion, onAssertion }) => ({
    readAssertion: reader('assertion-or-client-id', (context) => {
      const { accounts, parameters } = context;
      const client = accounts.clients.get(stringMember(parameters, 'client_id') ?? '');
      if (client === undefined || isAsserted(parameters) || !isSo(parameters)) return readAssertion.read(context);
      return { ...context, client, jws: emptyJws, header: {}, claims: {} };
    }),
    onAssertion: skipChecksIf(onAssertion, ({ parameters }) => !isAsserted(parameters) && isSo(parameters)),
  }));
}

/** Faults of the token and cancel endpoints and the login_hint_token: §4.3, §4.4, §4.6, §5.5. */
export const tokenFaults = defineFaults({
  'token-without-assertion': [
    'A client_id without an assertion opens the token endpoint.',
    'TOK-001',
    believeBareClient(({ auth_req_id: id }) => id === undefined),
  ],
  'assertion-signature-not-verified': [
    'A client assertion is decoded and believed.',
    'TOK-001',
    dropChecks('assertion-is-signed-by-the-client'),
  ],
  'assertion-alg-none-accepted': [
    'A client assertion with alg none and an empty signature is taken.',
    'TOK-001',
    skipAssertionCheckIf(
      'assertion-is-signed-by-the-client',
      ({ header, jws }) => header['alg'] === 'none' && jws.signature.length === 0,
    ),
  ],
  'assertion-hmac-with-the-pem': [
    'The alg of a client assertion chooses how to verify, and HMAC takes the PEM file of a public key for its secret.',
    'TOK-001',
    skipAssertionCheckIf('assertion-is-signed-by-the-client', ({ header, jws, client }) =>
      [...client.keys.values()].some((key) => isHmac({ header, jws }, publicPem(key))),
    ),
  ],
  'assertion-header-jwk-believed': [
    'A client assertion is verified with the key in its own header.',
    'TOK-001',
    skipAssertionCheckIf('assertion-is-signed-by-the-client', ({ header, jws }) => {
      const own = importPublicJwk(header['jwk']);
      return own !== undefined && verifyJws(jws, own.key, own.alg);
    }),
  ],
  'assertion-not-supported': [
    'The token endpoint knows client secrets only.',
    'TOK-001',
    withAssertion(() => ({ readAssertion: reader('no-assertion', () => refuseClient()) })),
  ],
  'code-of-any-client': [
    'An authorization code is taken from any client that signs.',
    'TOK-001',
    dropChecks('code-is-for-the-client'),
  ],
  'code-for-any-redirect-uri': [
    'An authorization code is taken with any redirect_uri.',
    'SEC-50',
    dropChecks('code-is-for-the-redirect-uri'),
  ],
  'code-for-a-day': ['An authorization code is good for a day.', 'SEC-50', withPolicy({ codeLife: 86_400 })],
  'code-never-spent': [
    'An authorization code stays good until it expires.',
    'SEC-50',
    withCodeCall(() => ({
      takeCode: reader('code-is-looked-up', (call) => ({ ...call, ...findCode(call) })),
    })),
  ],
  'code-again-keeps-its-token': [
    'The token of an authorization code stays good when the code is used again.',
    'SEC-50',
    dropChecks('token-is-not-revoked'),
  ],
  'code-spent-too-late': [
    'An authorization code is looked up, and taken out only when the sign-in was loaded, so several calls at once get tokens (C4.2).',
    'SEC-50',
    withCodeCall(() => ({
      takeCode: reader('code-is-taken-out-late', async (call: CodeCall) => {
        const { code, signIn } = findCode(call);
        await sleep(lookupGap);
        call.codes.delete(code);
        return { ...call, signIn };
      }),
    })),
    { stateful: true },
  ],
  'request-object-as-assertion': [
    'A request object passes for a client assertion.',
    'TOK-002 SEC-17 SEC-45 SEC-52',
    dropChecks('assertion-aud-is-the-endpoint', 'assertion-is-no-request-object', 'assertion-jti-not-repeated'),
  ],
  'cancel-without-effect': [
    'A cancelled request stays on the phone.',
    'CXL-002',
    withBuilders(() => ({ cancels: () => false })),
  ],
  'cancel-of-a-login-without-effect': [
    'A cancelled request that asks the user to authenticate stays on the phone.',
    'CXL-002',
    withBuilders(() => ({ cancels: ({ wanted }) => !wanted.prompt.includes('login') })),
  ],
  'cancel-by-anyone': ['Any client can cancel a request.', 'SEC-45', dropChecks('cancel-is-by-the-client-that-asked')],
  'cancel-by-its-id-alone': [
    'A client_id without an assertion opens the cancel endpoint.',
    'SEC-45',
    believeBareClient(({ auth_req_id: id }) => id !== undefined),
    { except: { 'cancel/otherwise': 'the endpoint reads another form' } },
  ],
  'cancel-tells-of-others': [
    'Another client’s auth_req_id gets another response than one that never existed.',
    'SEC-45',
    withCancel(({ onRequest }) => ({
      onRequest: [
        check('cancel-is-allowed', ({ client, request }) => {
          if (request.client !== client) refuse('access_denied', 'the request is another client’s', 403);
        }),
        ...onRequest,
      ],
    })),
  ],
  'hint-token-of-any-client': [
    'A login_hint_token may be used by any client.',
    'SEC-45',
    dropChecks('login-hint-token-is-for-the-client'),
  ],
  'hint-token-expired-accepted': [
    'A login_hint_token that has expired is taken.',
    'LHT-009',
    dropChecks('login-hint-token-has-not-expired'),
  ],
  'hint-token-signed-only': [
    'A login_hint_token is signed, and not encrypted.',
    'LHT-001 LHT-002 LHT-003 REQ-069',
    (definition) => ({ ...definition, hintToken: unencryptedToken }),
  ],
  'hint-token-shows-sub': [
    'The header of a login_hint_token names the subscriber.',
    'LHT-002',
    (definition) => ({
      ...definition,
      hintToken: (key, claims) => encryptJwe(key, claims, { sub: claims['sub'] ?? null }),
    }),
  ],
  'hint-token-refused': [
    'No login_hint_token is taken.',
    'LHT-003 REQ-069',
    withPipeline(() => ({
      readHintToken: reader('no-hint-token', () => refuse('invalid_login_hint_token', 'login_hint_token is not valid')),
    })),
  ],
  'cancel-opens-requests': [
    'The address of the cancel endpoint leads to the server-initiated endpoint.',
    'CXL-001',
    changeRoute('cancel', { respond: respondServerInitiated }),
  ],
  'token-unknown-parameter-refused': [
    'A token call with a parameter that the carrier does not know is refused (C3.1).',
    'TOK-003',
    withGrants((grant) => refuseUnknownMembers(grant, tokenParameters)),
  ],
  'cancel-unknown-parameter-refused': [
    'A cancellation with a parameter that the carrier does not know is refused (C3.1).',
    'CXL-003',
    withCancel(({ onRequest }) => ({
      onRequest: [
        check('cancel-has-known-parameters', ({ parameters }) => refuseUnknown(parameters, cancelParameters)),
        ...onRequest,
      ],
    })),
  ],
  'token-answer-without-type': [
    'The response of the token endpoint has no token_type.',
    'TOK-001',
    withGrants((grant) => async (call) => {
      const { token_type: _, ...rest } = await grant(call);
      return rest;
    }),
  ],
  'token-answer-cacheable': [
    'Caches may keep the response of the token endpoint for a minute.',
    'SEC-34',
    changeRoute('token', { cacheControl: 'private, max-age=60' }),
  ],
});

const cancelParameters = ['auth_req_id', 'client_id', 'client_assertion_type', 'client_assertion'];
const tokenParameters = [
  'grant_type',
  'code',
  'redirect_uri',
  'refresh_token',
  'scope',
  'client_id',
  'client_assertion_type',
  'client_assertion',
];

function refuseUnknown(parameters: JsonObject, known: readonly string[]): void {
  const unknown = Object.keys(parameters).find((name) => !known.includes(name));
  if (unknown !== undefined) refuse('invalid_request', `the parameter ${unknown} is not known`);
}

function refuseUnknownMembers(grant: Grant, known: readonly string[]): Grant {
  return (call) => {
    refuseUnknown(call.parameters, known);
    return grant(call);
  };
}

function isAsserted({ client_assertion: assertion }: JsonObject): boolean {
  return assertion !== undefined && assertion !== '';
}

/** Token in three unencrypted parts. */
function unencryptedToken(_key: Buffer, claims: JsonObject): string {
  const part = (value: JsonObject): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'RS256', typ: 'JWT' })}.${part(claims)}.c2lnbmF0dXJl`;
}

/** Faults of the claims of a client assertion: RFC 7523 §3 (C8.12). */
export const clientAssertionFaults: readonly Fault[] = defineFaults({
  'assertion-sub-not-compared': [
    'The iss of a client assertion says which client calls; sub is not read (C8.12).',
    'SEC-52',
    withAssertion(({ readAssertion }) => ({
      readAssertion: reader(readAssertion.name, (context) => {
        const jws = parseCompactJws(stringMember(context.parameters, 'client_assertion') ?? '');
        if (jws === undefined) return readAssertion.read(context);
        const [header, claims] = [jws.header, jws.payload].map((part) => parseStrictObjectOr(part, refuseClient).value);
        const client = context.accounts.clients.get(stringMember(claims ?? {}, 'iss') ?? '');
        if (client === undefined) return readAssertion.read(context);
        return { ...context, jws, header: header ?? {}, claims: claims ?? {}, client };
      }),
    })),
  ],
  'assertion-aud-not-checked': [
    'A client assertion may be made for anyone (C8.12).',
    'SEC-52',
    dropChecks('assertion-aud-is-the-endpoint'),
  ],
  'assertion-aud-by-its-beginning': [
    'An aud with which the right one begins is taken for it in a client assertion (C8.12).',
    'SEC-52',
    skipAssertionCheckIf('assertion-aud-is-the-endpoint', ({ claims: { aud }, audiences }) =>
      audiences.some((url) => isPrefix(aud, url)),
    ),
  ],
  'assertion-exp-not-required': [
    'A client assertion without an exp never ends (C8.12).',
    'SEC-52',
    skipAssertionCheckIf('assertion-is-of-now', ({ claims }) => claims['exp'] === undefined),
  ],
  'assertion-nbf-ignored': [
    'A client assertion may come before its nbf (C8.12).',
    'SEC-52',
    dropChecks('assertion-nbf-has-come'),
  ],
  'assertion-crit-ignored': [
    'crit of a client assertion is not read (C8.12).',
    'SEC-52',
    dropChecks('assertion-has-no-extension'),
  ],
});
