import { timingSafeEqual } from 'node:crypto';
import type { Client } from './accounts.ts';
import type { Carrier } from './carrier.ts';
import { type JsonObject, stringMember } from './json.ts';
import { type CompactJws, parseCompactJws, verifyJws } from './jws.ts';
import { Refusal } from './refusal.ts';
import { parseStrictObject, StrictJsonError } from './strict-json.ts';

interface Credentials {
  readonly carrier: Carrier;
  readonly parameters: JsonObject;
  readonly authorization: string | undefined;
}

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const assertionLife = 86_400;

/** §5.5: the SP signs its token call again, or sends its secret; anything else is 401 invalid_client. */
export function authenticateClient({ carrier, parameters, authorization }: Credentials): Client {
  const client = authorization === undefined ? byAssertion(carrier, parameters) : bySecret(carrier, authorization);
  if (client === undefined || client.disabled) {
    throw new Refusal('invalid_client', 'client authentication failed', 401, { 'www-authenticate': 'Basic' });
  }
  return client;
}

function bySecret({ accounts }: Carrier, authorization: string): Client | undefined {
  const encoded = /^basic ([A-Za-z0-9+/]+=*)$/i.exec(authorization)?.[1] ?? '';
  const [id = '', ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  const client = accounts.clients.get(id);
  if (client?.secret === undefined) return undefined;
  const given = Buffer.from(rest.join(':'));
  const wanted = Buffer.from(client.secret);
  return given.length === wanted.length && timingSafeEqual(given, wanted) ? client : undefined;
}

function byAssertion(carrier: Carrier, parameters: JsonObject): Client | undefined {
  if (parameters['client_assertion_type'] !== assertionType) return undefined;
  const jws = parseCompactJws(stringMember(parameters, 'client_assertion') ?? '');
  const header = jws && readObject(jws.header);
  const claims = jws && readObject(jws.payload);
  if (jws === undefined || header === undefined || claims === undefined) return undefined;
  const client = carrier.accounts.clients.get(stringMember(claims, 'sub') ?? '');
  if (client === undefined || !verifies(jws, header, client) || !isFresh(carrier, claims)) return undefined;
  return claims['iss'] === client.clientId && isAssertion(carrier, claims) ? client : undefined;
}

function readObject(bytes: Uint8Array): JsonObject | undefined {
  try {
    return parseStrictObject(bytes).value;
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    return undefined;
  }
}

function verifies(jws: CompactJws, header: JsonObject, client: Client): boolean {
  const kid = stringMember(header, 'kid');
  const key = kid === undefined && client.keys.size === 1 ? [...client.keys.values()][0] : client.keys.get(kid ?? '');
  return (
    key !== undefined && header['alg'] === key.alg && header['crit'] === undefined && verifyJws(jws, key.key, key.alg)
  );
}

function isFresh({ clock }: Carrier, { exp, iat }: JsonObject): boolean {
  const now = Math.floor(clock.now() / 1000);
  return (
    typeof exp === 'number' && typeof iat === 'number' && exp > now && iat <= now + 60 && exp - iat <= assertionLife
  );
}

/** A request object (aud is the issuer, §2.3) never passes for an assertion (RFC 9101 §10.8). */
function isAssertion({ origin, replays, clock }: Carrier, claims: JsonObject): boolean {
  const jti = stringMember(claims, 'jti');
  if (jti === undefined || claims['aud'] !== `${origin}/token` || Object.hasOwn(claims, 'response_type')) return false;
  return replays.takeFirst(JSON.stringify([claims['sub'], 'assertion', jti]), clock.now(), 300);
}
