import type { CarrierDefinition } from '../definition.ts';
import type { Authentication, AuthorizationRequest } from '../state/requests.ts';
import { stringMember } from '../json.ts';
import { reader } from '../pipeline/context.ts';
import { defineFault, withMakers, withPipeline } from './edit/define.ts';

/** On the phone, the sign-in page and the life of a request: §2.3, §2.4, §3. */
export const standingFaults = [
  defineFault({
    name: 'implicit-flow-open',
    says: 'The authorization endpoint still takes token.',
    breaks: ['REQ-024'],
    apply: withMakers(({ signInTypes }) => ({ signInTypes: [...signInTypes, 'token'] })),
  }),
  defineFault({
    name: 'async-token-at-the-sign-in',
    says: 'The authorization endpoint takes async_token as well, and opens the sign-in page.',
    breaks: ['REQ-024'],
    apply: withMakers(({ signInTypes }) => ({ signInTypes: [...signInTypes, 'async_token'] })),
  }),
  defineFault({
    name: 'sign-in-error-of-its-own',
    says: 'The authorization endpoint redirects with an error code that nobody registered.',
    breaks: ['REQ-024'],
    apply: withMakers(() => ({ signInError: () => 'E4711' })),
  }),
  defineFault({
    name: 'light-and-dark-is-dark',
    says: 'Of light and dark the last one read wins.',
    breaks: ['REQ-052'],
    apply: withMakers(({ card }) => ({
      card: (request, authentication) => ({
        ...card(request, authentication),
        ...(asksForBoth(request) ? { colourMode: 'dark' } : {}),
      }),
    })),
  }),
  defineFault({
    name: 'a3-only-right-after-the-pin',
    says: 'A token is of a3 only where the PIN was asked for in the same request.',
    breaks: ['REQ-057', 'REQ-062'],
    apply: (definition: CarrierDefinition) => {
      const proved = new WeakMap<AuthorizationRequest, Authentication>();
      return withMakers(({ acr, authentication }) => ({
        authentication: (request, policy, now) => {
          const needed = authentication(request, policy, now);
          proved.set(request, needed);
          return needed;
        },
        acr: (request, policy) => (proved.get(request) === 'reused' ? 'a1' : acr(request, policy)),
      }))(definition);
    },
  }),
  defineFault({
    name: 'phone-number-by-its-beginning',
    says: 'A phone number is looked up by its first eleven characters, as if the rest were an extension.',
    breaks: ['REQ-067'],
    apply: withPipeline(({ readSubscriber }) => ({
      readSubscriber: reader(readSubscriber.name, (context) => {
        const found = readSubscriber.read(context);
        const hint = stringMember(context.claims, 'login_hint') ?? '';
        if (!hint.startsWith('+')) return found;
        const first = [...context.accounts.subscribers.values()].find(
          ({ phone, subs }) => phone.slice(0, 11) === hint.slice(0, 11) && subs.has(context.client.name),
        );
        return { ...found, subscriber: first ?? found.subscriber };
      }),
    })),
  }),
  defineFault({
    name: 'auth-req-id-of-9',
    says: 'auth_req_id has 9 characters after the prefix.',
    breaks: ['RSP-003', 'SEC-23'],
    apply: withMakers(({ authReqId }) => ({ authReqId: (wanted) => authReqId(wanted).slice(0, 14) })),
  }),
  defineFault({
    name: 'auth-req-id-of-201',
    says: 'auth_req_id has 201 characters after the prefix.',
    breaks: ['RSP-003'],
    apply: withMakers(({ authReqId }) => ({ authReqId: (wanted) => authReqId(wanted).padEnd(206, 'x') })),
  }),
  defineFault({
    name: 'auth-req-id-of-21',
    says: 'auth_req_id has 21 characters after the prefix, which hold less than 128 bits.',
    breaks: ['SEC-23'],
    apply: withMakers(({ authReqId }) => ({ authReqId: (wanted) => authReqId(wanted).slice(0, 26) })),
  }),
  defineFault({
    name: 'times-out-a-minute-late',
    says: 'A request is cancelled a minute after its granted life.',
    breaks: ['FLOW-012', 'RSP-006'],
    apply: withMakers(() => ({ timesOutAt: ({ receivedAt, granted }) => receivedAt + granted * 1000 + 60_000 })),
  }),
  defineFault({
    name: 'times-out-10-seconds-early',
    says: 'A request is cancelled ten seconds before the end of its granted life.',
    breaks: ['FLOW-015', 'RSP-006'],
    blinds: ['FLOW-012', 'REQ-020'],
    apply: withMakers(() => ({ timesOutAt: ({ receivedAt, granted }) => receivedAt + granted * 1000 - 10_000 })),
  }),
  defineFault({
    name: 'granted-a-second-more',
    says: 'A second is added to the life that was asked for, so that it is never zero.',
    breaks: ['RSP-006'],
    apply: withMakers(({ granted }) => ({ granted: (wanted, policy) => granted(wanted, policy) + 1 })),
  }),
  defineFault({
    name: 'callback-bearer-cut-at-1000',
    says: 'The notification token is cut to 1000 characters.',
    breaks: ['CB-004'],
    apply: withMakers(({ callbackHeaders }) => ({
      callbackHeaders: (request, policy) => {
        const { authorization, ...headers } = callbackHeaders(request, policy);
        return authorization === undefined ? headers : { ...headers, authorization: authorization.slice(0, 1007) };
      },
    })),
  }),
] as const;

function asksForBoth({ wanted }: AuthorizationRequest): boolean {
  return ['light', 'dark'].every((mode) => wanted.options.includes(mode));
}
