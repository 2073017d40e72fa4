import type { Grant } from '../../carrier/carrier.ts';
import { respondServerInitiated } from '../../carrier/endpoints/signed-requests.ts';
import { encryptJwe } from '../../carrier/jose/jwe.ts';
import { type CompactJws, parseCompactJws, verifyJws } from '../../carrier/jose/jws.ts';
import { parseStrictObjectOr } from '../../carrier/jose/strict-json.ts';
import { type JsonObject, stringMember } from '../../carrier/json.ts';
import { refuseClient } from '../../carrier/pipeline/assertion.ts';
import { check, reader } from '../../carrier/context.ts';
import { findCode } from '../../carrier/pipeline/grants.ts';
import { refuse } from '../../carrier/refusal.ts';
import { defineFaults, type Fault, type Edit } from '../edit/fault-table.ts';
import {
  changeRoute,
  dropChecks,
  replaceCheck,
  skipChecksIf,
  withAssertion,
  withBuilders,
  withCancel,
  withCodeCall,
  withPolicy,
} from '../../carrier/seams/definition-parts.ts';

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
    'A client_id without an assertion, or with one that is no JWT, opens the token endpoint.',
    'TOK-001',
    believeBareClient(({ auth_req_id: id }) => id === undefined),
  ],
  'assertion-signature-not-verified': [
    'A client assertion is decoded and believed.',
    'TOK-001',
    dropChecks('assertion-is-signed-by-the-client'),
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
  return typeof assertion === 'string' && parseCompactJws(assertion) !== undefined;
}

/** Token in three unencrypted parts. */
function unencryptedToken(_key: Buffer, claims: JsonObject): string {
  const part = (value: JsonObject): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'RS256', typ: 'JWT' })}.${part(claims)}.c2lnbmF0dXJl`;
}

/** Faults of the claims of a client assertion: RFC 7523 §3 (C8.12). */
export const clientAssertionFaults: readonly Fault[] = defineFaults({
  'assertion-by-the-key-of-any-client': [
    'A client assertion names its SP, and the keys of all SPs verify it.',
    'TOK-001',
    withAssertion(({ onAssertion }) => ({
      onAssertion: replaceCheck(onAssertion, 'assertion-is-signed-by-the-client', ({ jws, accounts }) => {
        const keys = [...accounts.clients.values()].flatMap((client) => [...client.keys.values()]);
        if (!keys.some(({ key, alg }) => verifyJws(jws, key, alg))) refuseClient();
      }),
    })),
  ],
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
  'assertion-iss-not-compared': [
    'The sub of a client assertion says which client calls; iss is not read (C8.12).',
    'SEC-52',
    dropChecks('assertion-iss-is-the-client'),
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
