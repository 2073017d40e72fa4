import { check } from '../pipeline/context.ts';
import { refuse } from '../refusal.ts';
import { serverInitiated } from '../endpoints/server-initiated.ts';
import { stringMember } from '../json.ts';
import { memberOf } from '../http/query.ts';
import { redirectUriRegistered } from '../checks/redirect-uri-registered.ts';
import {
  all,
  changedRoute,
  defineFault,
  insteadOf,
  withDiscovery,
  withMakers,
  without,
  withPipeline,
  withPolicy,
  withRoutes,
} from './edit/define.ts';

/** On addresses, methods and what is answered to whom: §4, §1.4, §2.3. */
export const routeFaults = [
  defineFault({
    name: 'methods-not-told-apart',
    says: 'The server-initiated endpoint takes any method that brings a body.',
    breaks: ['TRN-012'],
    apply: changedRoute('serverInitiated', { methods: ['POST', 'PUT', 'PATCH', 'DELETE'] }),
  }),
  defineFault({
    name: 'one-endpoint-for-both',
    says: 'A POST to the authorization endpoint is taken for a server-initiated request.',
    breaks: ['TRN-013'],
    apply: withRoutes(({ signIn, serverInitiated: route }) => ({
      byPost: signIn && route && { ...route, path: signIn.path },
    })),
  }),
  defineFault({
    name: 'request-status-readable',
    says: 'A GET below the server-initiated endpoint shows how a request stands.',
    breaks: ['FLOW-010'],
    apply: withRoutes(({ serverInitiated: route }) => ({
      status: route && {
        ...route,
        path: `${route.path}/:id`,
        methods: ['GET'],
        answer: ({ requests }, request, reply) => {
          const found = requests.get(stringMember(memberOf(request, 'params'), 'id') ?? '');
          return reply.send({ state: found?.state ?? refuse('invalid_request', 'there is no such request', 404) });
        },
      },
    })),
  }),
  defineFault({
    name: 'usertrait-by-put',
    says: 'The usertrait endpoint takes PUT like POST.',
    breaks: ['UT-001'],
    apply: changedRoute('usertrait', { methods: ['POST', 'PUT'] }),
  }),
  defineFault({
    name: 'usertrait-without-version',
    says: 'The path of the usertrait endpoint has no version.',
    breaks: ['UT-002'],
    apply: all(
      changedRoute('usertrait', { path: '/usertrait' }),
      withDiscovery(({ configuration }) => ({
        configuration: (address) => ({
          ...configuration(address),
          usertrait_endpoint: `${address.origin}/usertrait`,
        }),
      })),
    ),
  }),
  defineFault({
    name: 'cancel-opens-requests',
    says: 'The address of the cancel endpoint leads to the server-initiated endpoint.',
    breaks: ['CXL-001', 'SEC-17'],
    blinds: ['CXL-002'],
    apply: withRoutes(({ cancel }) => ({
      cancel: undefined,
      cancelled: cancel && { ...cancel, answer: serverInitiated },
    })),
  }),
  defineFault({
    name: 'token-answer-cacheable',
    says: 'The answer of the token endpoint may be kept for a minute.',
    breaks: ['SEC-34'],
    apply: changedRoute('token', { cacheControl: 'private, max-age=60' }),
  }),
  defineFault({
    name: 'profile-cacheable',
    says: 'User info may be kept for five minutes.',
    breaks: ['SEC-34'],
    apply: changedRoute('userinfo', { cacheControl: 'private, max-age=300' }),
  }),
  defineFault({
    name: 'sdk-needs-no-redirect-uri',
    says: 'A request of the SDK, told by its sdk_version, needs no redirect_uri.',
    breaks: ['TRN-004'],
    apply: insteadOf(redirectUriRegistered.name, (context) => {
      const isOfTheSdk = 'sdk_version' in context.claims || 'sdk_version' in context.outside;
      if (!isOfTheSdk || 'redirect_uri' in context.claims) redirectUriRegistered.run(context);
    }),
  }),
  defineFault({
    name: 'granted-for-a-week',
    says: 'expires_in has no limit.',
    breaks: ['ERR-006'],
    apply: all(without('expires-in-within-48-hours'), withPolicy({ maxGrant: 604_800 })),
  }),
  defineFault({
    name: 'sign-in-by-code-closed',
    says: 'The authorization endpoint refuses code as well.',
    breaks: ['REQ-024'],
    apply: withMakers(() => ({ signInTypes: [] })),
  }),
  defineFault({
    name: 'fails-above-40-pending',
    says: 'A table with room for 40 pending requests of a user fails with 500 when it is full.',
    breaks: ['SEC-23', 'SEC-46', 'TRN-015'],
    crosses: true,
    apply: withPipeline(({ onSubscriber }) => ({
      onSubscriber: [
        ...onSubscriber,
        check('room-for-another', ({ client, subscriber, countPending }) => {
          if (countPending(client, subscriber) >= 40) refuse('server_error', 'the request cannot be kept', 500);
        }),
      ],
    })),
  }),
] as const;
