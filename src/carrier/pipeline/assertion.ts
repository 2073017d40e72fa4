import { type CompactJws, parseCompactJws, verifyJws } from '../jose/jws.ts';
import { parseStrictObjectOr } from '../jose/strict-json.ts';
import { asText, type JsonObject, stringMember } from '../json.ts';
import type { Policy } from '../policy.ts';
import { Refusal } from '../refusal.ts';
import type { Accounts, ClientState } from '../state/accounts.ts';
import type { Replays } from '../state/records.ts';
import { check, type Check, type Reader, reader, runChecks } from '../context.ts';

/** A call by which an SP proves its identity (§5.5). */
interface AssertionMessage {
  readonly parameters: JsonObject;
  readonly audiences: readonly string[];
  readonly accounts: Accounts;
  readonly replays: Replays;
  readonly policy: Policy;
  /** Milliseconds. */
  readonly now: number;
}

export interface AssertionContext extends AssertionMessage {
  readonly jws: CompactJws;
  readonly header: JsonObject;
  readonly claims: JsonObject;
  readonly client: ClientState;
}

export interface AssertionPipeline {
  readonly readAssertion: Reader<AssertionMessage, AssertionContext>;
  readonly onAssertion: readonly Check<AssertionContext>[];
}

/** RFC 6749 §5.2: one response, whatever the reason. */
export function refuseClient(): never {
  const headers = { 'www-authenticate': 'Basic' };
  throw new Refusal('invalid_client', 'client authentication failed', { status: 401, headers });
}

function requireOrRefuse(held: boolean): void {
  if (!held) refuseClient();
}

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** RFC 7523 §3, and RFC 9101 §10.8: a request object never passes for an assertion. */
export const strictAssertionPipeline: AssertionPipeline = {
  readAssertion: reader('assertion-names-a-client', (context) => {
    requireOrRefuse(context.parameters['client_assertion_type'] === assertionType);
    const jws = parseCompactJws(stringMember(context.parameters, 'client_assertion') ?? '') ?? refuseClient();
    const claims = readAssertionPart(jws.payload);
    const client = context.accounts.clients.get(stringMember(claims, 'sub') ?? '') ?? refuseClient();
    return { ...context, jws, header: readAssertionPart(jws.header), claims, client };
  }),
  onAssertion: [
    check('assertion-has-no-extension', ({ header }) => requireOrRefuse(header['crit'] === undefined)),
    check('assertion-is-signed-by-the-client', ({ jws, header, client }) => {
      const { kid, alg } = header;
      const key =
        kid === undefined && client.keys.size === 1 ? [...client.keys.values()][0] : client.keys.get(asText(kid));
      requireOrRefuse(key !== undefined && alg === key.alg && verifyJws(jws, key.key, key.alg));
    }),
    check('assertion-iss-is-the-client', ({ claims, client }) => requireOrRefuse(claims['iss'] === client.clientId)),
    check('assertion-aud-is-the-endpoint', ({ claims: { aud }, audiences }) => {
      const named: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
      requireOrRefuse(named.length > 0 && named.every((one) => audiences.some((url) => url === one)));
    }),
    check('assertion-is-no-request-object', ({ claims }) => {
      requireOrRefuse(!('response_type' in claims) && !('notification_uri' in claims));
    }),
    check('assertion-is-of-now', ({ claims: { iat, exp }, now, policy }) => {
      const at = Math.floor(now / 1000);
      requireOrRefuse(typeof iat === 'number' && iat <= at + policy.iatMaxAhead);
      requireOrRefuse(typeof exp === 'number' && exp > at && exp - Number(iat) <= policy.assertionLife);
    }),
    check('assertion-nbf-has-come', ({ claims: { nbf }, now, policy }) => {
      requireOrRefuse(nbf === undefined || (typeof nbf === 'number' && nbf <= now / 1000 + policy.notBeforeLeeway));
    }),
    check('assertion-jti-not-repeated', ({ claims: { jti }, client, replays, now, policy }) => {
      requireOrRefuse(typeof jti === 'string' && jti !== '');
      const key = JSON.stringify([client.clientId, 'assertion', asText(jti)]);
      requireOrRefuse(replays.takeFirst(key, now, policy.jtiWindow));
    }),
  ],
};

/** Returns the client that signed; throws a Refusal. */
export function runAssertionPipeline(steps: AssertionPipeline, message: AssertionMessage): ClientState {
  const assertion = steps.readAssertion.read(message);
  runChecks(steps.onAssertion, assertion);
  return assertion.client;
}

function readAssertionPart(bytes: Uint8Array): JsonObject {
  return parseStrictObjectOr(bytes, refuseClient).value;
}
