import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import type { Carrier } from '../carrier.ts';
import { signIn } from './authorization.ts';
import { cancel } from './cancel.ts';
import { configuration, discoveryUi, keySet, ownConfiguration } from './discovery.ts';
import { serverInitiated } from './server-initiated.ts';
import { token } from './token.ts';
import { userinfo } from './userinfo.ts';
import { usertrait } from './usertrait.ts';
import { refuse } from '../refusal.ts';

/** One address of the public door. */
export interface Route {
  readonly path: string;
  readonly methods: readonly HTTPMethods[];
  /** Cache-Control of its answers, where the answer itself sets no other. */
  readonly cacheControl: string;
  readonly answer: (carrier: Carrier, request: FastifyRequest, reply: FastifyReply) => FastifyReply | Promise<void>;
}

/** The addresses of §4, each by a name. */
export type Routes = Readonly<Record<string, Route>>;

const kept = 'no-store';

export const strictRoutes: Routes = {
  configuration: {
    path: '/.well-known/openid_configuration',
    methods: ['GET'],
    cacheControl: kept,
    answer: configuration,
  },
  // The spelling of OpenID Connect Discovery, for the carrier's own issuer (A4).
  ownConfiguration: {
    path: '/.well-known/openid-configuration',
    methods: ['GET'],
    cacheControl: kept,
    answer: ownConfiguration,
  },
  keySet: { path: '/jwks', methods: ['GET'], cacheControl: kept, answer: keySet },
  discoveryUi: { path: '/discovery-ui', methods: ['GET'], cacheControl: kept, answer: discoveryUi },
  serverInitiated: { path: '/bc-authorize', methods: ['POST'], cacheControl: kept, answer: serverInitiated },
  signIn: { path: '/authorize', methods: ['GET'], cacheControl: kept, answer: signIn },
  token: { path: '/token', methods: ['POST'], cacheControl: kept, answer: token },
  cancel: { path: '/cancel', methods: ['POST'], cacheControl: kept, answer: cancel },
  // OIDC Core §5.3.1: GET and POST.
  userinfo: { path: '/userinfo', methods: ['GET', 'POST'], cacheControl: kept, answer: userinfo },
  usertrait: { path: '/v1/usertrait', methods: ['POST'], cacheControl: kept, answer: usertrait },
};

const allMethods: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Opens every address; another method there is 405 with a JSON error (RFC 9110 §15.5.6). */
export function openRoutes(app: FastifyInstance, carrier: Carrier): void {
  const taken = new Map<string, HTTPMethods[]>();
  for (const route of Object.values(carrier.definition.routes)) {
    const { path, methods, answer } = route;
    taken.set(path, [...(taken.get(path) ?? []), ...methods]);
    app.route({
      method: [...methods],
      url: path,
      handler: (request, reply) => {
        reply.header('cache-control', route.cacheControl);
        return answer(carrier, request, reply);
      },
    });
  }
  for (const [path, methods] of taken) refuseOthers(app, path, methods);
}

function refuseOthers(app: FastifyInstance, path: string, methods: readonly HTTPMethods[]): void {
  app.route({
    method: allMethods.filter((method) => !methods.includes(method)),
    url: path,
    handler: (_request, reply) => {
      const allowed = methods.join(', ');
      reply.header('allow', allowed);
      refuse('invalid_request', `the method must be ${allowed}`, 405);
    },
  });
}
