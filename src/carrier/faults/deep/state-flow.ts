import type { Tokens } from '../../builders/tokens.ts';
import { stringMember } from '../../json.ts';
import { reader } from '../../pipeline/step.ts';
import type { SigningKey } from '../../jose/jws.ts';
import type { Client, Subscriber } from '../../state/accounts.ts';
import type { AuthorizationRequest } from '../../state/requests.ts';
import { all } from '../edit/define.ts';
import { after } from '../edit/messages.ts';
import { withBuilders, withCancel, withPipeline } from '../edit/parts.ts';
import { defineRemembering, pairOf, watching } from './lives.ts';

/** What the callback, the tokens and the phone keep of an earlier request of the flow. */
export const flowStateFaults = defineRemembering('state', {
  'cancel-takes-the-newest': [
    'Where two requests of an SP wait for a user, a cancellation takes the card on top, whichever it names.',
    'FLOW-002 FLOW-015',
    () =>
      withCancel(({ readRequest }) => ({
        readRequest: reader(readRequest.name, (context) => {
          const found = readRequest.read(context);
          const newest = [...context.requests.values()].findLast(
            (one) => one.state === 'pending' && pairOf(one) === pairOf(found.request),
          );
          const isOwn = found.request.client === context.client && found.request.state === 'pending';
          return isOwn && newest !== undefined ? { ...found, request: newest } : found;
        }),
      })),
  ],
  'auth-req-id-of-the-first-try': [
    'A callback is filed under its correlation_id, so the retry of a request that is over has the auth_req_id of the first.',
    'CB-006 CB-007',
    () => {
      const firsts = new Map<string, AuthorizationRequest>();
      const idOf = ({ client, wanted, id }: Pick<AuthorizationRequest, 'client' | 'wanted'> & { id?: string }) => {
        const first = firsts.get(correlationOf({ client, wanted }));
        return first === undefined || first.id === id ? {} : { auth_req_id: first.id };
      };
      return all(
        watching({
          ended: (request) => {
            const key = correlationOf(request);
            if (request.wanted.correlationId !== undefined && !firsts.has(key)) firsts.set(key, request);
          },
        }),
        withBuilders(({ success, failure }) => ({
          success: after(success, (_body, { request }) => idOf(request)),
          failure: after(failure, (_body, { request }) => idOf(request)),
        })),
      );
    },
  ],
  'tokens-kept-for-a-request-without-nonce': [
    'Tokens are kept for a minute by user and scopes, and given again where no nonce asks for new ones.',
    'REQ-040 SEC-28 SEC-31',
    () => {
      const kept = new Map<string, { readonly at: number; readonly tokens: Tokens }>();
      return withBuilders(({ success }) => ({
        success: (approval, tokens) => {
          const { request, scopes, acr, now } = approval;
          const key = JSON.stringify([pairOf(request), scopes, acr]);
          const before = kept.get(key);
          const isKept = before !== undefined && now - before.at < 60_000 && request.wanted.nonce === undefined;
          if (!isKept) kept.set(key, { at: now, tokens });
          return success(approval, isKept ? before.tokens : tokens);
        },
      }));
    },
  ],
  'hint-token-user-sticks': [
    'The user of a login_hint_token stays in the session of the SP, so its next login_hint reaches the same one.',
    'FLOW-001 REQ-064',
    () => {
      const stuck = new WeakMap<Client, Subscriber>();
      return withPipeline(({ readHintToken, readSubscriber }) => ({
        readHintToken: reader(readHintToken.name, (context) => {
          const found = readHintToken.read(context);
          stuck.set(found.client, found.subscriber);
          return found;
        }),
        readSubscriber: reader(readSubscriber.name, (context) => {
          const found = readSubscriber.read(context);
          const subscriber = stuck.get(found.client) ?? found.subscriber;
          stuck.delete(found.client);
          return { ...found, subscriber };
        }),
      }));
    },
  ],
  'old-number-still-reaches': [
    'The number of a login_hint is looked up once, so a number that was given up still reaches its old owner.',
    'FLOW-004 REQ-067',
    () => {
      const known = new Map<string, Subscriber>();
      return withPipeline(({ readSubscriber }) => ({
        readSubscriber: reader(readSubscriber.name, (context) => {
          const hint = stringMember(context.claims, 'login_hint') ?? '';
          const kept = context.client.flags.get('enum_enabled') === true ? known.get(hint) : undefined;
          if (kept !== undefined) return { ...context, subscriber: kept };
          const found = readSubscriber.read(context);
          if (hint.startsWith('+')) known.set(hint, found.subscriber);
          return found;
        }),
      }));
    },
  ],
  'first-id-token-after-a-rotation': [
    'One worker learns of new keys after it has signed, so the first id token after a rotation has a false signature.',
    'SEC-31',
    () => {
      let last: SigningKey | undefined;
      return withBuilders(({ idTokenKey }) => ({
        idTokenKey: (key) => {
          const own = idTokenKey(key);
          const used = last ?? own;
          last = own;
          return { ...used, kid: own.kid };
        },
      }));
    },
  ],
});

function correlationOf({ client, wanted }: Pick<AuthorizationRequest, 'client' | 'wanted'>): string {
  return JSON.stringify([client.clientId, wanted.correlationId ?? null]);
}
