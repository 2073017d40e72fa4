import { userinfo } from '../endpoints/userinfo.ts';
import { all, defineVariants } from '../faults/edit/define.ts';
import { changedRoute, withEvents, withPolicy, withRoutes, withTraits, withTraitSteps } from '../faults/edit/parts.ts';
import { mediaType } from '../http/request.ts';
import { asText } from '../json.ts';
import { check, reader } from '../pipeline/step.ts';
import type { Subscriber } from '../state/accounts.ts';

/** Nothing is known of this subscriber's SIM. */
const undetermined = (subscriber: Subscriber, client: string): Subscriber => ({
  ...subscriber,
  simUnknown: true,
  enrolled: true,
  consents: new Map([[client, new Set(['openid'])]]),
});

const challenge = { 'www-authenticate': 'Bearer error="invalid_request"' };

/** What a carrier may do otherwise at its other endpoints: §4.3, §4.4, §4.7 to §4.9. */
export const endpointVariants = defineVariants({
  'tenure-error-for-strangers': [
    'A subscriber that is not known, or not of the SP, gets the value error (C1.8).',
    withTraitSteps(({ readSubscriber }) => ({
      readSubscriber: reader(readSubscriber.name, (context) => {
        const { name } = context.client;
        const found = context.accounts.findSub(asText(context.body['sub']));
        const [any] = context.accounts.subscribers.values();
        if (found?.clientName === name || any === undefined) return readSubscriber.read(context);
        return { ...context, subscriber: undetermined(any, name) };
      }),
    })),
  ],
  'tenure-read-as-text': [
    'A usertrait query of JSON is read under text/plain as well (C1.9).',
    withTraitSteps(({ onMessage }) => ({
      onMessage: onMessage.map((one) =>
        one.name === 'trait-content-type-is-json'
          ? check(one.name, (context) => {
              if (mediaType(context.contentType) !== 'text/plain') one.run(context);
            })
          : one,
      ),
    })),
  ],
  'tenure-undetermined-as-an-error': [
    'Where the tenure cannot be told, the body has the error beside the value (§7: its shape is not shown).',
    withTraits(({ response }) => ({
      response: (tenure) =>
        tenure === 'error'
          ? { ...response(tenure), error: 'server_error', error_description: 'the network did not answer' }
          : response(tenure),
    })),
  ],
  'event-keys-elsewhere': [
    'Events are signed with a key that is published at an address of its own (C1.15).',
    all(
      withPolicy({ eventKeys: 'own' }),
      withRoutes(({ keySet }) => ({
        eventKeys: keySet && {
          ...keySet,
          path: '/event-keys',
          respond: ({ eventKey }, _request, reply) =>
            reply.send({ keys: eventKey === undefined ? [] : [eventKey.publicJwk] }),
        },
      })),
    ),
  ],
  'events-with-more-headers': [
    'Events have further header fields (§4.8).',
    withEvents(({ headers }) => ({ headers: { ...headers, 'user-agent': 'carrier/7', accept: 'application/json' } })),
  ],
  'userinfo-wants-a-proof': [
    'User info wants x-authorization beside the token (C1.13).',
    changedRoute('userinfo', {
      respond: (carrier, request, reply) =>
        request.headers['x-authorization'] === undefined
          ? reply.code(401).header('www-authenticate', 'Bearer').send({ error: 'invalid_request' })
          : userinfo(carrier, request, reply),
    }),
  ],
  'empty-bearer-400': [
    'An empty bearer gets a 400 (RFC 6750 §3.1, C1.20).',
    changedRoute('userinfo', {
      respond: (carrier, request, reply) =>
        /^bearer *$/i.test(request.headers.authorization ?? 'none')
          ? reply.code(400).headers(challenge).send({ error: 'invalid_request' })
          : userinfo(carrier, request, reply),
    }),
  ],
  'userinfo-no-cache': ['User info says no-cache (C1.20).', changedRoute('userinfo', { cacheControl: 'no-cache' })],
  'token-no-cache': [
    'Responses of the token endpoint say no-cache (C1.20).',
    changedRoute('token', { cacheControl: 'no-cache' }),
  ],
  'other-cancel-payload': [
    'Cancellations have another payload, so that ours is refused (C1.12).',
    changedRoute('cancel', {
      respond: (_carrier, _request, reply) =>
        reply.code(400).send({ error: 'invalid_request', error_description: 'a member is missing' }),
    }),
    { declares: { 'cancel-payload': false } },
  ],
});
