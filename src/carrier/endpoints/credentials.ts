import { timingSafeEqual } from 'node:crypto';
import type { Carrier } from '../carrier.ts';
import type { JsonObject } from '../json.ts';
import type { ClientState } from '../state/accounts.ts';
import { refuseClient, runAssertionPipeline } from '../pipeline/assertion.ts';

interface Credentials {
  readonly carrier: Carrier;
  readonly parameters: JsonObject;
  readonly authorization: string | undefined;
  /** Route called, which an assertion may have as its audience instead of the token endpoint. */
  readonly endpoint?: string;
}

/** §5.5: accepts a client assertion or the client's secret; anything else is 401 invalid_client. */
export function authenticateClient(credentials: Credentials): ClientState {
  const { carrier, authorization } = credentials;
  const client = authorization === undefined ? findByAssertion(credentials) : findBySecret(carrier, authorization);
  return client === undefined || client.disabled ? refuseClient() : client;
}

function findBySecret({ accounts }: Carrier, authorization: string): ClientState | undefined {
  const encoded = /^basic ([A-Za-z0-9+/]+=*)$/i.exec(authorization)?.[1] ?? '';
  const [id = '', ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  const client = accounts.clients.get(id);
  if (client?.secret === undefined) return undefined;
  const given = Buffer.from(rest.join(':'));
  const wanted = Buffer.from(client.secret);
  return given.length === wanted.length && timingSafeEqual(given, wanted) ? client : undefined;
}

function findByAssertion({ carrier, parameters, endpoint = 'token' }: Credentials): ClientState {
  const { accounts, replays, clock, definition } = carrier;
  return runAssertionPipeline(definition.assertion, {
    parameters,
    audiences: acceptedAudiences(carrier, endpoint),
    accounts,
    replays,
    policy: definition.policy,
    now: clock.now(),
  });
}

/** Accepted audiences (RFC 7523 §3): the token endpoint and the endpoint called, the issuer, or all of them. */
function acceptedAudiences({ origin, issuer, definition }: Carrier, endpoint: string): readonly string[] {
  const { assertionAudience } = definition.policy;
  const urls = [...new Set(['token', endpoint])].map((route) => `${origin}${definition.routes[route]?.path ?? ''}`);
  if (assertionAudience === 'token-endpoint') return urls;
  return assertionAudience === 'issuer' ? [issuer] : [...urls, issuer];
}
