import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hintClaims } from '../builders/hint-token.ts';
import type { Carrier } from '../carrier.ts';
import { issueCode } from '../endpoints/oauth.ts';
import { recordApproval, recordDenial } from '../flow/outcomes.ts';
import { readRequestPart, queryParameters } from '../http/request.ts';
import { openServer } from '../http/server.ts';
import { carrierSigningKey } from '../jose/carrier-keys.ts';
import { definedMembers, type JsonObject, stringMember, words } from '../json.ts';
import { OptionError, parseVariants } from '../options.ts';
import { refuse } from '../refusal.ts';
import type { ClientState } from '../state/accounts.ts';
import type { AuthorizationRequest } from '../state/requests.ts';
import { addAccountRoutes, addSubscriberChanges, requireClient, requireSubscriber } from './accounts.ts';

/** Host that DNS rebinding cannot produce: a loopback name or address, with or without a port. */
const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/** Whether a browser sent the request for a page of another site; curl and programs send neither field. */
function isCrossSite({ host = '', origin, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  return origin !== undefined && origin.toLowerCase() !== `http://${host.toLowerCase()}`;
}

/** Refuses requests of web pages: DNS rebinding by the Host, other sites by the browser's own fields. */
function guardAdmin(app: FastifyInstance): void {
  app.addHook('onRequest', ({ headers }, _reply, done) => {
    if (!loopbackHost.test(headers.host ?? ''))
      refuse('invalid_request', 'the Host must be an address of this machine', 421);
    if (isCrossSite(headers)) refuse('access_denied', 'pages of other sites are not answered', 403);
    done();
  });
}

/** Adds the carrier's own systems: keys, policy, audit log and event errors. */
function addCarrierRoutes(app: FastifyInstance, carrier: Carrier): void {
  app.get('/events/errors', (_request, reply) => reply.send({ errors: carrier.events.errors }));
  app.get('/audit', (_request, reply) => reply.send({ entries: carrier.audited }));
  app.post('/keys/rotate', async (_request, reply) => {
    const key = await carrierSigningKey(carrier.retiredKeys.length + 2, carrier.definition.policy);
    carrier.retiredKeys.unshift(carrier.signingKey);
    carrier.signingKey = key;
    return reply.send({ kids: [key, ...carrier.retiredKeys].map(({ kid }) => kid) });
  });
  app.get('/policy', (_request, reply) => reply.send(carrier.definition.policy));
  app.put('/policy', (request, reply) => {
    const policy = { ...carrier.definition.policy, ...readPolicy(readRequestPart(request, 'body')) };
    carrier.definition = { ...carrier.definition, policy };
    return reply.send(policy);
  });
  addIssuingRoutes(app, carrier);
}

/** Adds the issuing of authorization codes and login_hint_tokens, which a sign-in and discovery_ui would do. */
function addIssuingRoutes(app: FastifyInstance, carrier: Carrier): void {
  app.post('/codes', (request, reply) => {
    const body = readRequestPart(request, 'body');
    const client = requireClient(carrier, body['client_id']);
    const code = issueCode(carrier, {
      client,
      subscriber: requireSubscriber(carrier, body['subscriber']),
      redirectUri: stringMember(body, 'redirect_uri') ?? client.redirectUris[0] ?? '',
      scopes: readSignInScopes(client, stringMember(body, 'scope') ?? 'openid'),
      expiresAt: carrier.clock.now() + carrier.definition.policy.codeLife * 1000,
      ...definedMembers({ nonce: stringMember(body, 'nonce') }),
    });
    return reply.send({ code });
  });
  app.post('/login-hint-tokens', (request, reply) => {
    const body = readRequestPart(request, 'body');
    const { ttl } = body;
    const { definition, hintKey, issuer, clock, signingKey } = carrier;
    const claims = hintClaims({
      subscriber: requireSubscriber(carrier, body['subscriber']),
      client: requireClient(carrier, body['client_id']),
      life: typeof ttl === 'number' ? ttl : definition.policy.hintTokenLife,
      issuer,
      now: clock.now(),
      key: signingKey,
    });
    return reply.send({ login_hint_token: definition.hintToken(hintKey, claims) });
  });
}

function readSignInScopes({ scopes: registered }: ClientState, scope: string): readonly string[] {
  const unknown = words(scope).find((one) => !registered.includes(one));
  if (unknown === undefined) return words(scope);
  const known = registered.join(' ');
  return refuse('invalid_scope', `scope names ${JSON.stringify(unknown)}; the client is registered for ${known}`);
}

function readPolicy(value: unknown): ReturnType<typeof parseVariants> {
  try {
    return parseVariants(value);
  } catch (error) {
    if (!(error instanceof OptionError)) throw error;
    return refuse('invalid_request', error.message);
  }
}

/** Server that plays the subscriber, the portal and the passing of time; an SP never calls it. */
export function adminServer(carrier: Carrier): FastifyInstance {
  const app = openServer(carrier.clock, carrier.log);
  guardAdmin(app);
  addClockRoutes(app, carrier);
  addRequestRoutes(app, carrier);
  addAccountRoutes(app, carrier);
  addSubscriberChanges(app, carrier);
  addCarrierRoutes(app, carrier);
  return app;
}

function addClockRoutes(app: FastifyInstance, { clock, deliveries }: Carrier): void {
  const reading = () => ({
    kind: clock.kind,
    now: clock.now(),
    nextDue: clock.nextDue(),
    inFlight: deliveries.inFlight(),
  });
  app.get('/clock', (_request, reply) => reply.send(reading()));
  app.post('/clock', (request, reply) => {
    const { to } = readRequestPart(request, 'body');
    if (typeof to !== 'number' || !Number.isSafeInteger(to)) refuse('invalid_request', 'to must be milliseconds');
    if (!clock.moveTo(to)) refuse('clock_immovable', 'the clock is real, or the moment is past', 409);
    return reply.send(reading());
  });
}

const userActs: Readonly<Record<string, (carrier: Carrier, request: AuthorizationRequest, body: JsonObject) => void>> =
  {
    approve: (carrier, request, body) => recordApproval(carrier, request, readApprovedScopes(carrier, request, body)),
    deny: recordDenial,
    ignore: () => undefined,
  };

function addRequestRoutes(app: FastifyInstance, carrier: Carrier): void {
  const { builders, policy } = carrier.definition;
  const card = (request: AuthorizationRequest): JsonObject =>
    builders.card(request, request.authentication ?? builders.authentication(request, policy, carrier.clock.now()));
  app.get('/requests/:id', (call, reply) => {
    const request = findRequest(carrier, call);
    const { state, subscriber, client } = request;
    return reply.send({ state, card: card(request), subscriber: subscriber.name, client_id: client.clientId });
  });
  for (const [name, act] of Object.entries(userActs)) {
    app.post(`/requests/:id/${name}`, (call, reply): FastifyReply => {
      const request = findRequest(carrier, call);
      if (!builders.isOpen(request)) refuse('not_pending', `the request is ${request.state}`, 409);
      act(carrier, request, readRequestPart(call, 'body'));
      return reply.send({ state: request.state });
    });
  }
  app.get('/phone', (call, reply) => {
    const { login_hint: hint } = queryParameters(call);
    const { accounts, requests } = carrier;
    const subscriber =
      typeof hint === 'string' ? (accounts.findSub(hint)?.subscriber ?? accounts.findPhone(hint)) : undefined;
    if (subscriber === undefined) refuse('unknown_subscriber', 'login_hint names no subscriber', 404);
    const shown = [...requests.values()].filter(
      (entry) => entry.subscriber === subscriber && entry.state === 'pending',
    );
    return reply.send({ cards: shown.map((entry) => ({ auth_req_id: entry.id, ...card(entry) })) });
  });
}

function findRequest(carrier: Carrier, call: FastifyRequest): AuthorizationRequest {
  const request = carrier.requests.get(stringMember(readRequestPart(call, 'params'), 'id') ?? '');
  return request ?? refuse('unknown_request', 'there is no such request', 404);
}

/** Scopes that the user left ticked: at least one; all of them without partialApproval. */
function readApprovedScopes(
  { definition: { policy } }: Carrier,
  { wanted }: AuthorizationRequest,
  { scopes }: JsonObject,
): readonly string[] {
  if (scopes === undefined || scopes === null || !policy.partialApproval) return wanted.scopes;
  const ticked = Array.isArray(scopes) ? wanted.scopes.filter((scope) => scopes.includes(scope)) : [];
  if (ticked.length === 0) refuse('invalid_request', 'scopes must be a list with a scope that was asked for');
  return ticked;
}
