import type { Routes } from '../carrier.ts';
import { cancel, signIn, token } from './oauth.ts';
import { configuration, discoveryUi, keySet, ownConfiguration } from './discovery.ts';
import { serverInitiated, usertrait } from './signed-requests.ts';
import { userinfo } from './userinfo.ts';

const cacheControl = 'no-store';

/** The addresses of §4. */
export const strictRoutes: Routes = {
  configuration: {
    path: '/.well-known/openid_configuration',
    methods: ['GET'],
    cacheControl,
    respond: configuration,
  },
  // The spelling of OpenID Connect Discovery, for the carrier's own issuer (A4).
  ownConfiguration: {
    path: '/.well-known/openid-configuration',
    methods: ['GET'],
    cacheControl,
    respond: ownConfiguration,
  },
  keySet: { path: '/jwks', methods: ['GET'], cacheControl, respond: keySet },
  discoveryUi: { path: '/discovery-ui', methods: ['GET'], cacheControl, respond: discoveryUi },
  serverInitiated: { path: '/bc-authorize', methods: ['POST'], cacheControl, respond: serverInitiated },
  signIn: { path: '/authorize', methods: ['GET'], cacheControl, respond: signIn },
  token: { path: '/token', methods: ['POST'], cacheControl, respond: token },
  cancel: { path: '/cancel', methods: ['POST'], cacheControl, respond: cancel },
  // OIDC Core §5.3.1: GET and POST.
  userinfo: { path: '/userinfo', methods: ['GET', 'POST'], cacheControl, respond: userinfo },
  usertrait: { path: '/v1/usertrait', methods: ['POST'], cacheControl, respond: usertrait },
};
