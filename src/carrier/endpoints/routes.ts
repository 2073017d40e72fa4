import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Carrier, Routes } from '../carrier.ts';
import { takeBodiesAsBytes } from '../http/request.ts';
import { openServer, type ServerOptions } from '../http/server.ts';
import { refuse } from '../refusal.ts';
import { respondConfiguration, respondDiscoveryUi, respondKeySet, respondOwnConfiguration } from './discovery.ts';
import { respondCancel, respondSignIn, respondToken } from './oauth.ts';
import { respondServerInitiated, respondUsertrait } from './signed-requests.ts';
import { respondUserinfo } from './userinfo.ts';

const defaultCacheControl = 'no-store';

/** Endpoints of §4. */
export const strictRoutes: Routes = {
  configuration: {
    path: '/.well-known/openid_configuration',
    methods: ['GET'],
    cacheControl: defaultCacheControl,
    respond: respondConfiguration,
  },
  // Path of OpenID Connect Discovery, for the carrier's own issuer (A4).
  ownConfiguration: {
    path: '/.well-known/openid-configuration',
    methods: ['GET'],
    cacheControl: defaultCacheControl,
    respond: respondOwnConfiguration,
  },
  keySet: { path: '/jwks', methods: ['GET'], cacheControl: defaultCacheControl, respond: respondKeySet },
  discoveryUi: {
    path: '/discovery-ui',
    methods: ['GET'],
    cacheControl: defaultCacheControl,
    respond: respondDiscoveryUi,
  },
  serverInitiated: {
    path: '/bc-authorize',
    methods: ['POST'],
    cacheControl: defaultCacheControl,
    respond: respondServerInitiated,
  },
  signIn: { path: '/authorize', methods: ['GET'], cacheControl: defaultCacheControl, respond: respondSignIn },
  token: { path: '/token', methods: ['POST'], cacheControl: defaultCacheControl, respond: respondToken },
  cancel: { path: '/cancel', methods: ['POST'], cacheControl: defaultCacheControl, respond: respondCancel },
  // OIDC Core §5.3.1: GET and POST.
  userinfo: {
    path: '/userinfo',
    methods: ['GET', 'POST'],
    cacheControl: defaultCacheControl,
    respond: respondUserinfo,
  },
  usertrait: { path: '/v1/usertrait', methods: ['POST'], cacheControl: defaultCacheControl, respond: respondUsertrait },
};

/** Server that SPs call (§4). */
export function publicServer(carrier: Carrier, options: ServerOptions): FastifyInstance {
  const write: ServerOptions['write'] = (text) => carrier.definition.content.response(text);
  const { readAgain } = carrier.definition;
  const app = openServer(carrier.clock, carrier.log, {
    ...options,
    write,
    readAgain: readAgain && ((packet) => readAgain(carrier, packet)),
  });
  takeBodiesAsBytes(app, carrier.definition.policy);
  openRoutes(app, carrier);
  return app;
}

/** Registers every route; any other method gets a 405 with a JSON error (RFC 9110 §15.5.6). */
function openRoutes(app: FastifyInstance, carrier: Carrier): void {
  const taken = new Map<string, string[]>();
  for (const { path, methods, cacheControl, respond } of Object.values(carrier.definition.routes)) {
    taken.set(path, [...(taken.get(path) ?? []), ...methods]);
    app.route({
      method: [...methods],
      url: path,
      handler: (request, reply) => {
        reply.header('cache-control', cacheControl);
        return respond(carrier, request, reply);
      },
    });
  }
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404) refuseOtherMethods(reply, taken.get(request.url.split('?', 1)[0] ?? ''));
    done();
  });
}

function refuseOtherMethods(reply: FastifyReply, methods: readonly string[] | undefined): void {
  if (methods === undefined) return;
  const allowed = methods.join(', ');
  reply.header('allow', allowed);
  refuse('invalid_request', `the method must be ${allowed}`, 405);
}
