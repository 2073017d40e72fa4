import { type AssertionPipeline, refuseClient } from '../pipeline/assertion.ts';
import type { CancelPipeline } from '../pipeline/cancel.ts';
import { check, reader } from '../pipeline/context.ts';
import { encryptJwe } from '../jose/jwe.ts';
import { asText, type JsonObject, stringMember } from '../json.ts';
import type { CompactJws } from '../jose/jws.ts';
import { refuse } from '../refusal.ts';
import {
  defineFault,
  type Edit,
  lessChecks,
  refusing,
  withMakers,
  without,
  withPipeline,
  withPolicy,
} from './edit/define.ts';

const nothing = new Uint8Array();
const nothingSigned: CompactJws = {
  header: nothing,
  payload: nothing,
  payloadText: '',
  signed: nothing,
  signature: nothing,
};

/** On the token and cancel endpoints, login_hint_token, and what keeps users from harm: §4.3, §4.4, §4.6, §5.5. */
export const tokenFaults = [
  defineFault({
    name: 'token-without-assertion',
    says: 'A client_id without an assertion opens the token endpoint.',
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
  }),
  defineFault({
    name: 'assertion-signature-not-verified',
    says: 'A client assertion is decoded and believed.',
    breaks: ['TOK-001'],
    apply: lessAssertionChecks('assertion-is-signed-by-the-client'),
  }),
  defineFault({
    name: 'assertion-not-supported',
    says: 'The token endpoint knows client secrets only.',
    breaks: ['TOK-001'],
    blinds: ['CXL-002', 'SEC-17', 'TOK-002'],
    apply: withAssertion(() => ({ readAssertion: reader('no-assertion', () => refuseClient()) })),
  }),
  defineFault({
    name: 'code-of-any-client',
    says: 'An authorization code is taken from any client that signs.',
    breaks: ['TOK-001'],
    apply: (definition) => ({
      ...definition,
      codeChecks: lessChecks(definition.codeChecks, 'code-is-for-the-client'),
    }),
  }),
  defineFault({
    name: 'request-object-as-assertion',
    says: 'A request object passes for a client assertion.',
    breaks: ['TOK-002', 'SEC-17'],
    apply: lessAssertionChecks(
      'assertion-aud-is-the-endpoint',
      'assertion-is-no-request-object',
      'assertion-jti-not-repeated',
    ),
  }),
  defineFault({
    name: 'cancel-without-effect',
    says: 'A cancelled request stays on the phone.',
    breaks: ['CXL-002'],
    apply: withMakers(() => ({ cancels: false })),
  }),
  defineFault({
    name: 'cancel-by-anyone',
    says: 'Any client can cancel a request.',
    breaks: ['SEC-45'],
    apply: withCancel(({ onRequest }) => ({ onRequest: lessChecks(onRequest, 'cancel-is-by-the-client-that-asked') })),
  }),
  defineFault({
    name: 'cancel-tells-of-others',
    says: 'Another client’s auth_req_id is answered otherwise than one that never was.',
    breaks: ['SEC-45'],
    apply: withCancel(({ onRequest }) => ({
      onRequest: [
        check('cancel-is-allowed', ({ client, request }) => {
          if (request.client !== client) refuse('access_denied', 'the request is another client’s', 403);
        }),
        ...onRequest,
      ],
    })),
  }),
  defineFault({
    name: 'hint-token-of-any-client',
    says: 'A login_hint_token may be used by any client.',
    breaks: ['SEC-45'],
    apply: withPipeline(({ onHintToken }) => ({
      onHintToken: lessChecks(onHintToken, 'login-hint-token-is-for-the-client'),
    })),
  }),
  defineFault({
    name: 'hint-token-expired-accepted',
    says: 'A login_hint_token that has expired is taken.',
    breaks: ['LHT-009'],
    apply: withPipeline(({ onHintToken }) => ({
      onHintToken: lessChecks(onHintToken, 'login-hint-token-has-not-expired'),
    })),
  }),
  defineFault({
    name: 'hint-token-signed-only',
    says: 'A login_hint_token is signed, and not encrypted.',
    breaks: ['LHT-001', 'LHT-002', 'LHT-003', 'REQ-069'],
    blinds: ['FLOW-002', 'LHT-009', 'SEC-45'],
    apply: (definition) => ({ ...definition, hintToken: clearToken }),
  }),
  defineFault({
    name: 'hint-token-shows-sub',
    says: 'The header of a login_hint_token names the subscriber.',
    breaks: ['LHT-002'],
    apply: (definition) => ({
      ...definition,
      hintToken: (key, claims) => encryptJwe(key, claims, { sub: claims['sub'] ?? null }),
    }),
  }),
  defineFault({
    name: 'hint-token-refused',
    says: 'No login_hint_token is taken.',
    breaks: ['LHT-003', 'REQ-069'],
    blinds: ['FLOW-002', 'LHT-009', 'SEC-45'],
    apply: withPipeline(() => ({
      readHintToken: reader('no-hint-token', () => refuse('invalid_login_hint_token', 'login_hint_token is not valid')),
    })),
  }),
  defineFault({
    name: 'hint-wins-over-token',
    says: 'login_hint takes precedence over login_hint_token.',
    breaks: ['REQ-070'],
    apply: withPipeline(() => ({ hintTokenWins: false })),
  }),
  defineFault({
    name: 'pending-unbounded',
    says: 'Any number of pushes is sent to one user.',
    breaks: ['SEC-46'],
    apply: without('few-requests-pending'),
  }),
  defineFault({
    name: 'users-distinguishable',
    says: 'An unknown user is told from one without the app.',
    breaks: ['SEC-35'],
    apply: withPolicy({ unknownHintError: 'user_not_found', unenrolledError: 'user_unsupported' }),
  }),
  defineFault({
    name: 'error-description-with-trace',
    says: 'error_description shows where it was thrown.',
    breaks: ['SEC-36'],
    apply: refusing(({ body }) => ({
      body: {
        ...body,
        error_description: `"${asText(body['error_description'])}"\\n at check (/srv/carrier/check.js:1:1)`,
      },
    })),
  }),
] as const;

function isAsserted({ client_assertion: assertion }: JsonObject): boolean {
  return assertion !== undefined && assertion !== '';
}

function withAssertion(change: (steps: AssertionPipeline) => Partial<AssertionPipeline>): Edit {
  return (definition) => ({ ...definition, assertion: { ...definition.assertion, ...change(definition.assertion) } });
}

function lessAssertionChecks(...names: readonly string[]): Edit {
  return withAssertion(({ onAssertion }) => ({ onAssertion: lessChecks(onAssertion, ...names) }));
}

function withCancel(change: (steps: CancelPipeline) => Partial<CancelPipeline>): Edit {
  return (definition) => ({ ...definition, cancel: { ...definition.cancel, ...change(definition.cancel) } });
}

/** Three parts that everybody can read. */
function clearToken(_key: Buffer, claims: JsonObject): string {
  const part = (value: JsonObject): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'RS256', typ: 'JWT' })}.${part(claims)}.c2lnbmF0dXJl`;
}
