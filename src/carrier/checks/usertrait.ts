import { mediaType, readJson } from '../http/request.ts';
import { stringMember } from '../json.ts';
import {
  type ProofContext,
  refuseProof,
  type TraitBody,
  type TraitClient,
  type TraitMessage,
  type TraitSubscriber,
} from '../pipeline/context.ts';
import { check, reader } from '../pipeline/step.ts';
import { refuse } from '../refusal.ts';

/** §4.7: no form here. */
export const traitContentTypeIsJson = check('trait-content-type-is-json', ({ contentType }: TraitMessage) => {
  if (mediaType(contentType) !== 'application/json') {
    refuse('invalid_request', 'the content type must be application/json', 415);
  }
});

/** §4.7: the payload is a JSON object. */
export const traitBodyIsJson = reader('trait-body-is-json', (context: TraitMessage): TraitBody => {
  return { ...context, body: readJson(context.bytes) };
});

/** §2.8 client_id: it names the client whose key signs the proof. */
export const traitClientIsRegistered = reader('trait-client-is-registered', (context: TraitBody): TraitClient => {
  const id = stringMember(context.body, 'client_id') ?? refuse('invalid_request', 'client_id is required');
  const client = context.accounts.clients.get(id);
  if (client === undefined || client.disabled) return refuseProof('client_id is not a registered client');
  return { ...context, client };
});

/** §4.7: access requires enabling through the SP portal. */
export const usertraitsAreOn = check('usertraits-are-on', ({ client }: ProofContext) => {
  if (client.flags.get('usertraits_enabled') !== true) {
    refuse('unauthorized_client', 'the client is not registered for usertraits', 403);
  }
});

/** §2.8 usertrait: the only supported value is sim_tenure. */
export const traitIsSimTenure = check('trait-is-sim-tenure', ({ body }: TraitBody) => {
  if (body['usertrait'] !== 'sim_tenure') refuse('invalid_request', 'usertrait must be sim_tenure');
});

/** §2.8 correlation_id, in the pattern of §2.3. */
export const traitCorrelationIdPattern = check('trait-correlation-id-pattern', ({ body, policy }: TraitBody) => {
  const id = body['correlation_id'];
  if (id === undefined) return;
  if (typeof id !== 'string' || !/^[A-Za-z0-9\-_]*$/.test(id) || id.length > policy.correlationIdMax) {
    refuse('invalid_request', 'correlation_id must be at most 128 letters, digits, hyphens and underscores');
  }
});

/** §2.8 sub: the carrier code, a dash, and the rest. */
export const traitSubIsPairwise = check('trait-sub-is-pairwise', ({ body, mccmnc }: TraitBody) => {
  const { sub } = body;
  if (typeof sub !== 'string' || !sub.startsWith(`${mccmnc}-`) || sub.length > 255) {
    refuse('invalid_request', 'sub must be a subscriber id of this carrier');
  }
});

/** §2.8: the sub of this SP; any other sub gets the same refusal. */
export const traitSubIsTheClientsOwn = reader(
  'trait-sub-is-the-clients-own',
  (context: ProofContext): TraitSubscriber => {
    const found = context.accounts.findSub(stringMember(context.body, 'sub') ?? '');
    if (found?.clientName !== context.client.name) refuse('invalid_request', 'sub names no subscriber of the client');
    return { ...context, subscriber: found.subscriber };
  },
);

/** §1.6: only users with the phone app are covered. */
export const traitSubscriberHasTheApp = check('trait-subscriber-has-the-app', ({ subscriber }: TraitSubscriber) => {
  if (!subscriber.enrolled) refuse('access_denied', 'the subscriber is not covered', 403);
});

/** §1.6: the phone app is linked to the SP's app or site. */
export const traitSubscriberIsLinked = check(
  'trait-subscriber-is-linked',
  ({ subscriber, client }: TraitSubscriber) => {
    if (subscriber.unlinked.has(client.name)) refuse('access_denied', 'the subscriber is not covered', 403);
  },
);

/** §4.7, §5.4: the user's consent for the SP is verified. */
export const traitSubscriberConsented = check(
  'trait-subscriber-consented',
  ({ subscriber, client }: TraitSubscriber) => {
    const consented = subscriber.consents.get(client.name)?.has('openid') === true;
    if (!consented) refuse('access_denied', 'the subscriber is not covered', 403);
  },
);
