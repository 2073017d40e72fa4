import { isSubscribed } from '../../builders/events.ts';
import { promptNoneIsAllowed, replayKey, takeOnce } from '../../checks/subscriber.ts';
import { asText, words } from '../../json.ts';
import type { Client, Subscriber } from '../../state/accounts.ts';
import type { AuthorizationRequest } from '../../state/requests.ts';
import { insteadOfLast, replaceCheck, withBuilders, withEvents, withTraits, withUserinfoCall } from '../edit/parts.ts';
import { defineRemembering, watching } from './lives.ts';

/** What the carrier keeps of consents, authentications, flags, keys and services when they have changed. */
export const accountStateFaults = defineRemembering('state', {
  'jti-memory-per-key-set': [
    'The used jtis are kept with the version of the registration, so they are free once a key of the SP was removed.',
    'REQ-015',
    () =>
      insteadOfLast('jti-not-repeated', (context) => {
        takeOnce(context, JSON.stringify([replayKey(context), ...context.client.keys.keys()]));
      }),
  ],
  'consents-rolled-back-by-denial': [
    'A denial rolls the consents of the user back to when the request came, also those removed meanwhile.',
    'FLOW-006 CRV-004 UT-020',
    () => {
      const before = new WeakMap<AuthorizationRequest, readonly string[]>();
      return watching({
        opened: (request) => {
          before.set(request, [...(request.subscriber.consents.get(request.client.name) ?? [])]);
        },
        ended: (request, how) => {
          const { subscriber, client } = request;
          if (how === 'denied') subscriber.consents.set(client.name, new Set(before.get(request) ?? []));
        },
      });
    },
  ],
  'unticked-scope-counted-as-consent': [
    'An approval stores all scopes of the screen, so one that the user unticked is not asked for again.',
    'REQ-080',
    () =>
      withBuilders(({ success }) => ({
        success: (approval, tokens) => {
          const { subscriber, client, wanted } = approval.request;
          for (const scope of wanted.scopes) subscriber.consents.get(client.name)?.add(scope);
          return success(approval, tokens);
        },
      })),
  ],
  'silent-flag-read-once': [
    'silent_authorization_enabled is read when an SP first uses prompt none, and its withdrawal is never seen.',
    'REQ-042 CFG-001',
    () => {
      const silent = new WeakSet<Client>();
      return insteadOfLast('prompt-none-is-allowed', (context) => {
        const { client, claims } = context;
        const flags = new Map(client.flags);
        if (silent.has(client)) flags.set('silent_authorization_enabled', true);
        promptNoneIsAllowed.run({ ...context, client: { ...client, flags } });
        if (words(asText(claims['prompt'])).includes('none')) silent.add(client);
      });
    },
  ],
  'tenure-kept-from-the-third-query-on': [
    'A tenure that was asked for three times is kept for an hour, so a SIM swap in it is not told.',
    'UT-015',
    () => {
      const asked = new WeakMap<Subscriber, { count: number; at: number; told: 'true' | 'false' | 'error' }>();
      return withTraits(({ tenure }) => ({
        tenure: (subscriber, moment) => {
          const { count, at, told } = asked.get(subscriber) ?? { count: 0, at: -Infinity, told: 'error' };
          if (count >= 3 && moment.now - at < 3_600_000) return told;
          const now = tenure(subscriber, moment);
          asked.set(subscriber, { count: count + 1, at: moment.now, told: now });
          return now;
        },
      }));
    },
  ],
  'token-dead-after-two-rotations': [
    'User info knows the key of the carrier and the one before it, so two rotations end every token.',
    'CB-025 CB-028',
    () =>
      withUserinfoCall(({ onToken }) => ({
        onToken: replaceCheck(onToken, 'token-is-signed-by-the-carrier', (context, strict) => {
          strict.run({ ...context, keys: context.keys.slice(0, 2) });
        }),
      })),
  ],
  'duplicates-forgotten-by-unsubscribing': [
    'The memory of events goes with the subscription, so who subscribes again gets a duplicate within the hour.',
    'EVT-018',
    () => {
      const gone = new WeakMap<Client, number>();
      return withEvents(({ isReported, duplicateKey }) => ({
        isReported: (what) => {
          if (!isSubscribed(what.client)) gone.set(what.client, (gone.get(what.client) ?? 0) + 1);
          return isReported(what);
        },
        duplicateKey: (news) => `${duplicateKey(news)} ${gone.get(news.client) ?? 0}`,
      }));
    },
  ],
});
