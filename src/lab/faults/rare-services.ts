import type { PendingEvent } from '../../carrier/builders/events.ts';
import { proofSignatureVerifies, proofSignsTheRequest } from '../../carrier/checks/usertrait.ts';
import { check, type Check, reader, type TraitMessage, type TraitSubscriber } from '../../carrier/context.ts';
import { stringMember } from '../../carrier/json.ts';
import { Refusal } from '../../carrier/refusal.ts';
import {
  replaceCheck,
  skipChecksIf,
  withEvents,
  withPolicy,
  withTraits,
  withTraitSteps,
  withUserinfo,
  withUserinfoCall,
} from '../../carrier/seams/definition-parts.ts';
import type { Accounts, SubscriberState } from '../../carrier/state/accounts.ts';
import type { AuthorizationRequest } from '../../carrier/state/requests.ts';
import {
  combineEdits,
  defineFaults,
  defineStateful,
  type Edit,
  type Fault,
  ownProofsExcept,
} from '../edit/fault-table.ts';
import { observeLives, userKey } from '../edit/request-life.ts';

const minute = 60_000;
const hour = 60 * minute;

/** Faults of events that meet others, or a request, or what happened to another SP. */
const eventFaults = defineStateful({
  'events-of-a-minute-share-an-answer': [
    'The first answer to any of the events that are sent within a minute is taken for that to all of them.',
    'EVT-013 EVT-015',
    shareAnswers,
  ],
  'first-confirmation-not-believed': [
    'The 200 to the first attempt of an event is not believed, and the event is sent again.',
    'EVT-015',
    () =>
      withEvents(({ confirms }) => ({
        confirms: (status, attempt, news) => attempt > 0 && confirms(status, attempt, news),
      })),
  ],
  'event-confirmed-late-kept-for-two-hours': [
    'An event that was confirmed at a later attempt keeps the same one away for two hours.',
    'EVT-019',
    () => {
      const late = new Map<string, number>();
      return withEvents(({ confirms, duplicateKey, isReported }) => ({
        confirms: (status, attempt, news) => {
          const isConfirmed = confirms(status, attempt, news);
          if (isConfirmed && attempt > 0) late.set(duplicateKey(news), news.now);
          return isConfirmed;
        },
        isReported: (news) => isReported(news) && news.now - (late.get(duplicateKey(news)) ?? -Infinity) >= 2 * hour,
      }));
    },
  ],
  'two-events-given-up-silence-an-endpoint': [
    'An SP that confirmed no attempt of two events in a row gets no other for an hour.',
    'EVT-001',
    () => {
      const givenUp = new Map<string, number>();
      const silentUntil = new Map<string, number>();
      return withEvents(({ confirms, isReported }) => ({
        confirms: (status, attempt, news) => {
          const isConfirmed = confirms(status, attempt, news);
          const { clientId } = news.client;
          if (isConfirmed) givenUp.delete(clientId);
          else if (attempt === 3) givenUp.set(clientId, (givenUp.get(clientId) ?? 0) + 1);
          if (givenUp.get(clientId) === 2) silentUntil.set(clientId, news.now + hour);
          return isConfirmed;
        },
        isReported: (news) => isReported(news) && news.now >= (silentUntil.get(news.client.clientId) ?? -Infinity),
      }));
    },
  ],
  'subscription-ends-after-30-quiet-days': [
    'An SP that got no event about a user for 30 days gets none any more.',
    'EVT-001',
    () => {
      const last = new Map<string, number>();
      return withEvents(({ isReported }) => ({
        isReported: (news) => {
          const key = JSON.stringify([news.sub, news.client.clientId]);
          const isOver = news.now - (last.get(key) ?? news.now) > 720 * hour;
          if (!isOver) last.set(key, news.now);
          return !isOver && isReported(news);
        },
      }));
    },
  ],
  'phone-of-a-request-is-busy': [
    'A phone that got a request within ten seconds drops its events, and one on which a request waits drops their retries.',
    'EVT-001 EVT-002 EVT-003 EVT-013 CRV-001',
    dropWhileBusy,
  ],
  'change-reported-to-all-or-none': [
    'A change is reported only if each SP that registered for the events of the user may still have them.',
    'EVT-001',
    () => {
      let known: Accounts | undefined;
      return withEvents(({ sub, uri, isReported }) => ({
        sub: (news, accounts) => {
          known = accounts;
          return sub(news, accounts);
        },
        isReported: (news) =>
          isReported(news) &&
          [...(known?.clients.values() ?? [])].every((client) => {
            const { name, registeredFlags } = client;
            const isRegistered =
              registeredFlags['event_subscription'] === true &&
              registeredFlags['events'] === true &&
              registeredFlags['event_endpoint'] === true &&
              news.subscriber.registered.consents[name]?.includes('events') === true;
            return !isRegistered || (uri(client) !== undefined && isReported({ ...news, client }));
          }),
      }));
    },
  ],
});

/** Faults of queries of user traits. */
const traitFaults: readonly Fault[] = [
  ...defineStateful({
    'refusal-tells-of-a-new-sim': [
      'The refusal of a query whose sub has a new SIM says that it is under review, to every caller.',
      'UT-010 UT-019 UT-020 UT-026',
      tellOfNewSims,
    ],
    'tenure-of-the-same-correlation-id': [
      'A query whose correlation_id another one had within 10 minutes gets the value of that one.',
      'UT-016',
      keepByCorrelationId,
    ],
    'refused-query-refused-for-an-hour': [
      'A query that was refused as the user is not covered is refused for an hour, whatever the user does.',
      'UT-015',
      keepRefusals,
    ],
  }),
  ...defineFaults({
    'proof-unverified-with-a-charset': [
      'A query with parameters in its content type is written anew on its way, so its proof is read but not verified.',
      'UT-007 UT-019',
      withTraitSteps(({ onProof, onFormat }) => ({
        onProof: skipChecksIf(onProof, hasCharset, [proofSignatureVerifies.name]),
        onFormat: { ...onFormat, taap: skipChecksIf(onFormat.taap, hasCharset, [proofSignsTheRequest.name]) },
      })),
      ownProofsExcept,
    ],
  }),
];

/** Faults of user info. */
const userinfoFaults = defineFaults({
  'change-lowers-the-whole-profile': [
    'A change of one attribute lowers the level of every attribute to 1.',
    'UI-025 UI-026 UI-028 UI-033',
    withUserinfo(({ level }) => ({
      level: (scope, call) => {
        const { edits, emailVerified, registered } = call.subscriber;
        const isChanged = edits.size > 0 || (!emailVerified && registered.account.emailVerified);
        return isChanged ? 1 : level(scope, call);
      },
    })),
  ],
  'verified-email-lifts-an-edited-name': [
    'A verified e-mail address takes the mark of an edit from the name as well.',
    'UI-025',
    withUserinfo(({ level }) => ({
      level: (scope, call) => {
        const { edits, emailVerified } = call.subscriber;
        const isLifted = scope === 'name' && edits.has('email') && emailVerified;
        return level(scope, isLifted ? { ...call, subscriber: { ...call.subscriber, edits: new Map() } } : call);
      },
    })),
  ],
  'birthdate-beside-name-and-phone': [
    'Name and phone together are the bundle of a new customer, which has the birthdate as well.',
    'SEC-34',
    withUserinfo(({ scopes }) => ({
      scopes: (approved, client, subscriber) => {
        const given = scopes(approved, client, subscriber);
        const isBundle = given.includes('name') && given.includes('phone');
        return isBundle ? [...new Set([...given, 'birthdate'])] : given;
      },
    })),
  ],
  'level-of-a-new-proof-for-all': [
    'A new proof of an attribute is written into it with its level, so SPs without levels get it too.',
    'UI-023 UI-024',
    withUserinfo(({ attribute }) => ({
      attribute: (scope, call) => {
        const found = attribute(scope, call);
        return found !== undefined && call.subscriber.rescanned.has(scope) ? { verified: 2, ...found } : found;
      },
    })),
  ],
  'token-dead-after-a-second-rotation': [
    'User info keeps the key of the carrier and the one before it, so a second rotation ends each token.',
    'CB-028',
    withUserinfoCall(({ onToken }) => ({
      onToken: replaceCheck(onToken, 'token-is-signed-by-the-carrier', (context, strict) => {
        strict.run({ ...context, keys: context.keys.slice(0, 2) });
      }),
    })),
  ],
});

const windowFaults = defineFaults({
  'event-duplicates-dropped-for-half-an-hour': [
    'An event is a duplicate for half an hour only.',
    'EVT-018',
    withPolicy({ eventDuplicateWindow: 1800 }),
  ],
});

export const rareServiceFaults: readonly Fault[] = [
  ...eventFaults,
  ...windowFaults,
  ...traitFaults,
  ...userinfoFaults,
].map((fault) => ({ ...fault, keeps: 'it is a kind of its own, whatever else turns its rules' }));

function shareAnswers(): Edit {
  let first: { readonly at: number; readonly isConfirmed: boolean } | undefined;
  return withEvents(({ confirms }) => ({
    confirms: (status, attempt, news) => {
      const isConfirmed = confirms(status, attempt, news);
      if (attempt > 0) return isConfirmed;
      if (first === undefined || news.now - first.at >= minute) first = { at: news.now, isConfirmed };
      return first.isConfirmed;
    },
  }));
}

function dropWhileBusy(): Edit {
  const last = new Map<SubscriberState, AuthorizationRequest>();
  const isBusy = ({ subscriber, now }: PendingEvent): boolean =>
    now - (last.get(subscriber)?.receivedAt ?? -Infinity) < 10_000;
  const hasRequest = ({ subscriber }: PendingEvent): boolean => last.get(subscriber)?.state === 'pending';
  return combineEdits(
    observeLives({ opened: (request) => void last.set(request.subscriber, request) }),
    withEvents(({ isReported, confirms, claims, body }) => {
      let signed: PendingEvent | undefined;
      return {
        isReported: (news) => isReported(news) && !isBusy(news),
        claims: (news) => {
          signed = news;
          return claims(news);
        },
        body: (sign) => {
          const write = body(sign);
          const news = signed;
          let isFirst = true;
          return () => {
            if (!isFirst && news !== undefined && hasRequest(news)) throw new Error('the phone is busy');
            isFirst = false;
            return write();
          };
        },
        confirms: (status, attempt, news) =>
          (status === undefined && attempt > 0 && hasRequest(news)) || confirms(status, attempt, news),
      };
    }),
  );
}

const hasCharset = ({ contentType }: TraitMessage): boolean => contentType.includes(';');

function tellOfNewSims(): Edit {
  let isNew = false;
  return combineEdits(
    withTraitSteps(({ readBody }) => ({
      readBody: reader(readBody.name, (context) => {
        const found = readBody.read(context);
        const { now, policy, accounts } = context;
        const changed = accounts.findSub(stringMember(found.body, 'sub') ?? '')?.subscriber.simChangedAt;
        isNew = now - (changed ?? -Infinity) < policy.simTenureWindow * 1000;
        return found;
      }),
    })),
    withTraits(({ refusal }) => ({
      refusal: (refused) => (isNew ? { ...refusal(refused), error: 'under_review' } : refusal(refused)),
    })),
  );
}

function keepByCorrelationId(): Edit {
  const kept = new Map<string, { readonly at: number; readonly tenure: 'true' | 'false' | 'error' }>();
  let asked: string | undefined;
  return combineEdits(
    withTraitSteps(({ onSubscriber }) => ({
      onSubscriber: [
        ...onSubscriber,
        check('notes-the-correlation-id', ({ body }) => {
          asked = stringMember(body, 'correlation_id');
        }),
      ],
    })),
    withTraits(({ tenure }) => ({
      tenure: (subscriber, known) => {
        const before = asked === undefined ? undefined : kept.get(asked);
        if (before !== undefined && known.now - before.at < 10 * minute) return before.tenure;
        const found = tenure(subscriber, known);
        if (asked !== undefined) kept.set(asked, { at: known.now, tenure: found });
        return found;
      },
    })),
  );
}

function keepRefusals(): Edit {
  const refused = new Map<string, { readonly at: number; readonly refusal: Refusal }>();
  const remember = (context: TraitSubscriber, strict: Check<TraitSubscriber>): void => {
    const kept = refused.get(userKey(context));
    if (kept !== undefined && context.now - kept.at < hour) throw kept.refusal;
    try {
      strict.run(context);
    } catch (error) {
      if (error instanceof Refusal) refused.set(userKey(context), { at: context.now, refusal: error });
      throw error;
    }
  };
  return withTraitSteps(({ onSubscriber }) => ({
    onSubscriber: ['trait-subscriber-is-linked', 'trait-subscriber-consented'].reduce(
      (checks, name) => replaceCheck(checks, name, remember),
      onSubscriber,
    ),
  }));
}
