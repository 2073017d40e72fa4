import { verifyJws } from '../jose/jws.ts';
import {
  type ClientContext,
  hasClaim,
  type KeyContext,
  type ObjectContext,
  requireString,
} from '../pipeline/context.ts';
import { check, reader } from '../pipeline/step.ts';
import { refuse } from '../refusal.ts';
import type { RegisteredKey } from '../state/accounts.ts';

/** §2.3 client_id: a registered client that has not been disabled. */
export const clientIsRegistered = reader('client-is-registered', (context: ObjectContext): ClientContext => {
  const client = context.accounts.clients.get(requireString(context, 'client_id'));
  if (client === undefined || client.disabled) refuse('invalid_client', 'client_id is not a registered client');
  return { ...context, client };
});

/** §1.3: the client registered public keys; a secret does not count. */
export const clientHasAKey = check('client-has-a-key', ({ client }: ClientContext) => {
  if (client.keys.size === 0) refuse('invalid_client', 'the client has registered no key');
});

/** §2.2 kid: required where the client registered more than one key, and then it names one of them. */
export const kidSelectsTheKey = reader(
  'kid-selects-the-key',
  (context: ClientContext): KeyContext => ({
    ...context,
    key: selectKey(context),
  }),
);

function selectKey({ header, client }: ClientContext): RegisteredKey {
  if (!Object.hasOwn(header, 'kid')) {
    const [only, ...others] = client.keys.values();
    if (only !== undefined && others.length === 0) return only;
    return refuse('invalid_request_object', 'kid is required: the client registered several keys');
  }
  const kid = header['kid'];
  const key = typeof kid === 'string' ? client.keys.get(kid) : undefined;
  return key ?? refuse('invalid_request_object', 'kid names no registered key of the client');
}

/** RFC 8725 §3.1: a key is used with the one algorithm it was registered for. */
export const algFitsTheKey = check('alg-fits-the-key', ({ header, key }: KeyContext) => {
  if (header['alg'] !== key.alg) refuse('invalid_request_object', 'alg does not fit the registered key');
});

/** §5.1: the request object verifies with the key the client registered. */
export const signatureVerifies = check('signature-verifies', ({ jws, key }: KeyContext) => {
  if (!verifyJws(jws, key.key, key.alg)) refuse('invalid_request_object', 'the signature does not verify');
});

/** §1.3: the client is registered for server-initiated access. */
export const serverInitiatedIsOn = check('server-initiated-is-on', ({ client }: KeyContext) => {
  if (client.flags.get('server_initiated') !== true) {
    refuse('unauthorized_client', 'the client is not registered for server-initiated access');
  }
});

/** §2.3 iss: equals client_id. */
export const issIsTheClient = check('iss-is-the-client', (context: KeyContext) => {
  const iss = requireString(context, 'iss', 'invalid_client');
  if (iss !== context.client.clientId) refuse('invalid_client', 'iss must equal client_id');
});

/** §2.3 sub: the client_id; a carrier may do without it (A18), never with another value. */
export const subIsTheClient = check('sub-is-the-client', (context: KeyContext) => {
  if (!hasClaim(context, 'sub') && !context.policy.subRequired) return;
  const sub = requireString(context, 'sub', 'invalid_client');
  if (sub !== context.client.clientId) refuse('invalid_client', 'sub must equal client_id');
});

/** §2.3 aud: the issuer URL of this carrier, character by character, alone or in a list (RFC 7519 §4.1.3). */
export const audIsTheIssuer = check('aud-is-the-issuer', (context: KeyContext) => {
  if (!hasClaim(context, 'aud')) refuse('invalid_request_object', 'aud is required');
  const aud = context.claims['aud'];
  const named: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  if (!named.every((entry) => typeof entry === 'string') || !named.includes(context.issuer)) {
    refuse('invalid_request_object', 'aud must be the issuer');
  }
});
