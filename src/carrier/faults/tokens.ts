import { serverInitiated } from '../endpoints/server-initiated.ts';
import { encryptJwe } from '../jose/jwe.ts';
import type { CompactJws } from '../jose/jws.ts';
import { type JsonObject, stringMember } from '../json.ts';
import { refuseClient } from '../pipeline/assertion.ts';
import { check, reader } from '../pipeline/step.ts';
import { refuse } from '../refusal.ts';
import { defineFaults } from './edit/define.ts';
import {
  changedRoute,
  withAssertion,
  withBuilders,
  withCancel,
  without,
  withPipeline,
  withRoutes,
} from './edit/parts.ts';

const nothing = new Uint8Array();
const nothingSigned: CompactJws = {
  header: nothing,
  payload: nothing,
  payloadText: '',
  signed: nothing,
  signature: nothing,
};

/** On the token and cancel endpoints and the login_hint_token: §4.3, §4.4, §4.6, §5.5. */
export const tokenFaults = defineFaults({
  'token-without-assertion': {
    description: 'A client_id without an assertion opens the token endpoint.',
    breaks: ['TOK-001'],
    apply: withAssertion(({ readAssertion, onAssertion }) => ({
      readAssertion: reader('assertion-or-client-id', (context) => {
        const client = context.accounts.clients.get(stringMember(context.parameters, 'client_id') ?? '');
        const bare = client !== undefined && !isAsserted(context.parameters);
        return bare ? { ...context, client, jws: nothingSigned, header: {}, claims: {} } : readAssertion.read(context);
      }),
      onAssertion: onAssertion.map(({ name, run }) =>
        check(name, (context) => {
          if (isAsserted(context.parameters)) run(context);
        }),
      ),
    })),
  },
  'assertion-signature-not-verified': {
    description: 'A client assertion is decoded and believed.',
    breaks: ['TOK-001'],
    apply: without('assertion-is-signed-by-the-client'),
  },
  'assertion-not-supported': {
    description: 'The token endpoint knows client secrets only.',
    breaks: ['TOK-001'],
    masks: ['CXL-002', 'SEC-17', 'TOK-002'],
    apply: withAssertion(() => ({ readAssertion: reader('no-assertion', () => refuseClient()) })),
  },
  'code-of-any-client': {
    description: 'An authorization code is taken from any client that signs.',
    breaks: ['TOK-001'],
    apply: without('code-is-for-the-client'),
  },
  'request-object-as-assertion': {
    description: 'A request object passes for a client assertion.',
    breaks: ['TOK-002', 'SEC-17'],
    apply: without('assertion-aud-is-the-endpoint', 'assertion-is-no-request-object', 'assertion-jti-not-repeated'),
  },
  'cancel-without-effect': {
    description: 'A cancelled request stays on the phone.',
    breaks: ['CXL-002'],
    apply: withBuilders(() => ({ cancels: false })),
  },
  'cancel-by-anyone': {
    description: 'Any client can cancel a request.',
    breaks: ['SEC-45'],
    apply: without('cancel-is-by-the-client-that-asked'),
  },
  'cancel-tells-of-others': {
    description: 'Another client’s auth_req_id gets another response than one that never existed.',
    breaks: ['SEC-45'],
    apply: withCancel(({ onRequest }) => ({
      onRequest: [
        check('cancel-is-allowed', ({ client, request }) => {
          if (request.client !== client) refuse('access_denied', 'the request is another client’s', 403);
        }),
        ...onRequest,
      ],
    })),
  },
  'hint-token-of-any-client': {
    description: 'A login_hint_token may be used by any client.',
    breaks: ['SEC-45'],
    apply: without('login-hint-token-is-for-the-client'),
  },
  'hint-token-expired-accepted': {
    description: 'A login_hint_token that has expired is taken.',
    breaks: ['LHT-009'],
    apply: without('login-hint-token-has-not-expired'),
  },
  'hint-token-signed-only': {
    description: 'A login_hint_token is signed, and not encrypted.',
    breaks: ['LHT-001', 'LHT-002', 'LHT-003', 'REQ-069'],
    masks: ['FLOW-002', 'LHT-009', 'SEC-45'],
    apply: (definition) => ({ ...definition, hintToken: clearToken }),
  },
  'hint-token-shows-sub': {
    description: 'The header of a login_hint_token names the subscriber.',
    breaks: ['LHT-002'],
    apply: (definition) => ({
      ...definition,
      hintToken: (key, claims) => encryptJwe(key, claims, { sub: claims['sub'] ?? null }),
    }),
  },
  'hint-token-refused': {
    description: 'No login_hint_token is taken.',
    breaks: ['LHT-003', 'REQ-069'],
    masks: ['FLOW-002', 'LHT-009', 'SEC-45'],
    apply: withPipeline(() => ({
      readHintToken: reader('no-hint-token', () => refuse('invalid_login_hint_token', 'login_hint_token is not valid')),
    })),
  },
  'cancel-opens-requests': {
    description: 'The address of the cancel endpoint leads to the server-initiated endpoint.',
    breaks: ['CXL-001', 'SEC-17'],
    masks: ['CXL-002'],
    apply: withRoutes(({ cancel }) => ({
      cancel: undefined,
      cancelled: cancel && { ...cancel, respond: serverInitiated },
    })),
  },
  'token-answer-cacheable': {
    description: 'Caches may keep the response of the token endpoint for a minute.',
    breaks: ['SEC-34'],
    apply: changedRoute('token', { cacheControl: 'private, max-age=60' }),
  },
});

function isAsserted({ client_assertion: assertion }: JsonObject): boolean {
  return assertion !== undefined && assertion !== '';
}

/** Three parts that are not encrypted. */
function clearToken(_key: Buffer, claims: JsonObject): string {
  const part = (value: JsonObject): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'RS256', typ: 'JWT' })}.${part(claims)}.c2lnbmF0dXJl`;
}
