import { jtiNotRepeated, replayKey } from '../../carrier/checks/subscriber.ts';
import { check, reader, type SubscriberContext } from '../../carrier/context.ts';
import { parseCompactJws } from '../../carrier/jose/jws.ts';
import { parseStrictObject } from '../../carrier/jose/strict-json.ts';
import { stringMember } from '../../carrier/json.ts';
import { refuseToken } from '../../carrier/pipeline/userinfo.ts';
import { refuse } from '../../carrier/refusal.ts';
import type { ClientState, SubscriberState } from '../../carrier/state/accounts.ts';
import type { AuthorizationRequest, RequestState } from '../../carrier/state/requests.ts';
import {
  addSubscriberCheck,
  replaceSubscriberCheck,
  withBuilders,
  withEvents,
  withPipeline,
  withTraits,
  withTraitSteps,
  withUserinfo,
  withUserinfoCall,
} from '../../carrier/seams/definition-parts.ts';
import { combineEdits, defineFaults, defineStateful, type Edit, type Fault } from '../edit/fault-table.ts';
import { changeBuilt } from '../edit/messages.ts';
import { observeApprovals, observeLives, userKey } from '../edit/request-life.ts';

const minute = 60_000;
const hour = 60 * minute;

/** Faults of request objects, and of requests that wait, after something else. */
const requestFaults = defineStateful({
  'jti-kept-for-5-minutes-from-its-iat': [
    'A jti is kept until its object is too old, so that of an object that was minutes on its way is free early.',
    'REQ-015',
    () => keepJtiUntil(({ claims }) => Number(claims['iat']) * 1000 + 5 * minute),
  ],
  'jti-kept-for-a-minute-from-its-exp': [
    'A jti is kept until its object has expired and a minute more, so that of an object with a near exp is free early.',
    'REQ-015',
    () => keepJtiUntil(({ claims }) => Number(claims['exp']) * 1000 + minute),
  ],
  'login-guard-counts-from-the-last-login': [
    'The minute in which prompt login is spared begins anew with each login that was spared.',
    'REQ-045',
    slideLoginGuard,
  ],
  'silent-request-prolongs-the-session': [
    'A silent authorization counts as an activity of the user, and the session of 30 minutes begins anew.',
    'REQ-057',
    () =>
      withBuilders(({ success }) => ({
        success: (approval, tokens) => {
          const { request, authentication, now } = approval;
          const isUsed = request.wanted.prompt.includes('none') && authentication === 'reused';
          const built = success(approval, tokens);
          if (isUsed) request.subscriber.authenticatedAt = now;
          return built;
        },
      })),
  ],
  'scope-consented-to-by-a-time-out': [
    'A request that times out leaves the boxes of its screen ticked, so its scopes are not asked for again.',
    'REQ-080',
    () =>
      observeLives({
        ended: ({ subscriber, client, wanted }, how) => {
          if (how === 'timed-out') for (const scope of wanted.scopes) subscriber.consents.get(client.name)?.add(scope);
        },
      }),
  ],
  'waiting-request-ends-with-another-sp': [
    'A user who removes the consent for one SP, or the link to it, is signed out, and what waits for another SP fails.',
    'FLOW-002',
    () =>
      withBuilders(({ mayComplete }) => ({
        mayComplete: (request) => mayComplete(request) && !lostAnotherSp(request),
      })),
  ],
  'waiting-request-ends-with-any-scope': [
    'A waiting request fails when the user has taken back any scope of its SP, also one that it does not want.',
    'FLOW-002',
    () => {
      const given = new WeakMap<AuthorizationRequest, readonly string[]>();
      return combineEdits(
        observeLives({ opened: (request) => void given.set(request, [...consentsOf(request)]) }),
        withBuilders(({ mayComplete }) => ({
          mayComplete: (request) =>
            mayComplete(request) && (given.get(request) ?? []).every((scope) => consentsOf(request).has(scope)),
        })),
      );
    },
  ],
  'new-number-not-known-as-hint': [
    'Phone numbers are looked up among those with which the contracts began, so a new one is refused as login_hint.',
    'REQ-067',
    () =>
      addSubscriberCheck('number-is-of-the-contract', ({ claims, subscriber: { phone, registered } }) => {
        if (claims['login_hint'] === phone && phone !== registered.phone) refuse('invalid_login_hint', 'unknown user');
      }),
  ],
  'request-ends-with-its-hint-token': [
    'A request that a login_hint_token named ends with the token, although it was granted a longer life.',
    'FLOW-015',
    endWithHintToken,
  ],
});

/** Faults of tokens and user info after something else. */
const tokenFaults = defineStateful({
  'token-ends-with-a-later-denial': [
    'A denial ends the session of the SP with the user, and all tokens that came before.',
    'CB-028',
    () => endTokensWith('denied'),
  ],
  'token-ends-with-a-later-time-out': [
    'A request that times out ends the session of the SP with the user, and all tokens that came before.',
    'CB-028',
    () => endTokensWith('timed-out'),
  ],
  'token-ends-with-a-later-approval-at-a1': [
    'An approval at a1 lowers the session of the user at the SP, and the tokens from before it are refused.',
    'CB-028',
    endTokensAtA1,
  ],
  'token-ends-with-a-consent-for-another-sp': [
    'A user who removes the consent for one SP, or the link to it, is signed out, and the tokens of every SP are refused.',
    'CB-028',
    () =>
      withUserinfo(({ mayRead }) => ({
        mayRead: (client, subscriber) => mayRead(client, subscriber) && !lostAnotherSp({ client, subscriber }),
      })),
  ],
  'token-ends-with-any-scope': [
    'The tokens of an SP are refused when the user has taken back any of its scopes.',
    'CB-028',
    () =>
      withUserinfo(({ mayRead }) => ({
        mayRead: (client, subscriber) => mayRead(client, subscriber) && !lacksScope({ client, subscriber }),
      })),
  ],
  'token-ends-with-a-new-number': [
    'A token is kept with the phone number, so it is refused once the number has changed.',
    'CB-028',
    () => {
      const approvedAt = new WeakMap<SubscriberState, number>();
      return combineEdits(
        observeApprovals(({ request: { subscriber }, now }) => void approvedAt.set(subscriber, now)),
        withUserinfo(({ mayRead }) => ({
          mayRead: (client, subscriber) =>
            mayRead(client, subscriber) && (subscriber.phoneChangedAt ?? 0) <= (approvedAt.get(subscriber) ?? Infinity),
        })),
      );
    },
  ],
  'token-life-from-the-request': [
    'An access token is prepared when its request comes, and lives from then on.',
    'CB-028',
    () => {
      const opened = new Map<string, number>();
      return combineEdits(
        observeLives({ opened: ({ id, receivedAt }) => void opened.set(id, receivedAt) }),
        withBuilders(({ accessToken }) => ({
          accessToken: changeBuilt(accessToken, ({ exp, iat }, { request: { id = '' } }) => {
            const at = opened.get(id);
            return at === undefined ? {} : { exp: Number(exp) - Number(iat) + Math.floor(at / 1000) };
          }),
        })),
      );
    },
  ],
  'user-info-of-the-newest-token-alone': [
    'An approval replaces the scopes of the user at the SP, so an earlier token brings no more than the newest.',
    'CB-025',
    () => {
      const newest = new Map<string, readonly string[]>();
      return combineEdits(
        observeApprovals(({ request, scopes }) => void newest.set(userKey(request), scopes)),
        withUserinfo(({ scopes }) => ({
          scopes: (approved, client, subscriber) => {
            const last = newest.get(userKey({ client, subscriber }));
            return scopes(approved, client, subscriber).filter((scope) => last?.includes(scope) !== false);
          },
        })),
      );
    },
  ],
  'level-of-a-part-asked-for-alone': [
    'The level of postal_code, and that of an age flag, is taken from the account where the whole is not asked for.',
    'UI-029 UI-035',
    () => {
      let given: readonly string[] = [];
      return withUserinfo(({ scopes, level }) => ({
        scopes: (approved, client, subscriber) => {
          given = scopes(approved, client, subscriber);
          return given;
        },
        level: (scope, call) => {
          const whole = scope === 'postal_code' ? 'address' : 'birthdate';
          const isAlone = /^(?:postal_code|is_.*)$/.test(scope) && !given.includes(whole);
          return level(scope, isAlone ? { ...call, subscriber: { ...call.subscriber, edits: new Map() } } : call);
        },
      }));
    },
  ],
});

/** Faults of events and of the tenure after something else. */
const serviceFaults = defineStateful({
  'alerts-end-with-any-scope': [
    'A user who takes any scope back from an SP has left it for the alert service.',
    'EVT-001',
    () =>
      withEvents(({ isReported }) => ({
        isReported: (news) => isReported(news) && (news.event !== 'device_change' || !lacksScope(news)),
      })),
  ],
  'swap-in-a-moved-device-not-dated': [
    'A SIM card that is swapped within the hour after a move belongs to the same change, which leaves the tenure alone.',
    'UT-015',
    () =>
      withTraits(({ tenure }) => ({
        tenure: (subscriber, moment) => {
          const { simChangedAt = 0, movedAt = Infinity } = subscriber;
          return simChangedAt >= movedAt && simChangedAt - movedAt < hour ? 'false' : tenure(subscriber, moment);
        },
      })),
  ],
  'tenure-of-the-last-change': [
    'The record of a SIM holds its last change, so a move or a reset after a swap leaves nothing of the swap.',
    'UT-015',
    () =>
      withTraits(({ tenure }) => ({
        tenure: (subscriber, moment) =>
          (subscriber.movedAt ?? 0) > (subscriber.simChangedAt ?? Infinity) ? 'false' : tenure(subscriber, moment),
      })),
  ],
  'approval-vouches-for-the-sim': [
    'A user who approves a request, or opens the app, is known, and so is the SIM card from then on.',
    'UT-015',
    () => {
      const known = new WeakMap<SubscriberState, number>();
      return combineEdits(
        observeApprovals(({ request: { subscriber }, now }) => void known.set(subscriber, now)),
        withTraits(({ tenure }) => ({
          tenure: (subscriber, moment) =>
            Math.max(known.get(subscriber) ?? 0, subscriber.openedAt ?? 0) > (subscriber.simChangedAt ?? Infinity)
              ? 'false'
              : tenure(subscriber, moment),
        })),
      );
    },
  ],
  'tenure-dated-by-the-alert': [
    'The tenure is read from the alerts for the SP, so a swap that it was not to be alerted to is not seen.',
    'UT-015',
    dateByAlerts,
  ],
});

/** Faults of one service after what another one did. */
const hintFaults = defineFaults({
  'hint-token-refused-after-a-rotation': [
    'The proof in a login_hint_token is verified with the newest key, so one from before a rotation is refused.',
    'REQ-069',
    withPipeline(({ onHintToken }) => ({
      onHintToken: [
        ...onHintToken,
        check('hint-token-is-of-the-newest-key', ({ hint, signingKey }) => {
          const proof = parseCompactJws(stringMember(hint, 'dpop') ?? '');
          if (proof === undefined || parseStrictObject(proof.header).value['kid'] !== signingKey.kid) {
            refuse('invalid_login_hint_token', 'the proof cannot be verified');
          }
        }),
      ],
    })),
  ],
});

/** Faults that show only after something else has happened. */
export const historyFaults: readonly Fault[] = [...requestFaults, ...tokenFaults, ...serviceFaults, ...hintFaults].map(
  (fault) => ({ ...fault, keeps: 'it is a kind of its own, whatever else turns its rules' }),
);

interface User {
  readonly client: ClientState;
  readonly subscriber: SubscriberState;
}

const consentsOf = ({ client, subscriber }: User): ReadonlySet<string> =>
  subscriber.consents.get(client.name) ?? new Set();

/** Whether the user had consent for another SP from the start, and removed it or the link. */
const lostAnotherSp = ({ client, subscriber }: User): boolean =>
  Object.entries(subscriber.registered.consents).some(
    ([name, scopes]) =>
      name !== client.name &&
      scopes.length > 0 &&
      (subscriber.unlinked.has(name) || subscriber.consents.get(name)?.size === 0),
  );

/** Whether the user took back some of the scopes that the SP had from the start. */
const lacksScope = (user: User): boolean =>
  (user.subscriber.registered.consents[user.client.name] ?? []).some((scope) => !consentsOf(user).has(scope));

/** Keeps each jti until a moment of its first object, in milliseconds. */
function keepJtiUntil(endOf: (context: SubscriberContext) => number): Edit {
  const ends = new Map<string, number>();
  return replaceSubscriberCheck('jti-not-repeated', (context) => {
    if (stringMember(context.claims, 'jti') === undefined) {
      jtiNotRepeated.run(context);
      return;
    }
    const key = replayKey(context);
    if (context.now < (ends.get(key) ?? 0)) refuse('invalid_request', 'the request object was sent before');
    ends.set(key, endOf(context));
  });
}

function slideLoginGuard(): Edit {
  const last = new WeakMap<SubscriberState, number>();
  return withBuilders(({ authentication, success }) => ({
    authentication: (request, policy, now) => {
      const isSpared = now - (last.get(request.subscriber) ?? -Infinity) < policy.loginReuse * 1000;
      return isSpared && request.wanted.prompt.includes('login') ? 'reused' : authentication(request, policy, now);
    },
    success: (approval, tokens) => {
      const { request, now } = approval;
      if (request.wanted.prompt.includes('login')) last.set(request.subscriber, now);
      return success(approval, tokens);
    },
  }));
}

function endWithHintToken(): Edit {
  let exp: number | undefined;
  return combineEdits(
    withPipeline(({ readHintToken }) => ({
      readHintToken: reader(readHintToken.name, (context) => {
        const found = readHintToken.read(context);
        exp = Number(found.hint['exp'] ?? Infinity) * 1000;
        return found;
      }),
    })),
    withBuilders(({ timesOutAt }) => ({
      timesOutAt: (request) => {
        const due = timesOutAt(request);
        const end = exp ?? Infinity;
        exp = undefined;
        return due === undefined ? undefined : Math.min(due, end);
      },
    })),
  );
}

/** Refuses the tokens of a user at an SP from before a request that ended like this. */
function endTokensWith(end: RequestState): Edit {
  const endings = new Map<string, number>();
  return combineEdits(
    observeLives({
      ended: ({ subscriber, client, receivedAt }, how) => {
        if (how === end) endings.set(subscriber.subs.get(client.name) ?? '', receivedAt);
      },
    }),
    withUserinfoCall(({ onToken }) => ({
      onToken: [
        ...onToken,
        check('session-goes-on', ({ claims }) => {
          const isOver = Number(claims['iat']) * 1000 <= (endings.get(stringMember(claims, 'sub') ?? '') ?? 0);
          if (isOver) refuseToken('invalid_token', 'the session is over');
        }),
      ],
    })),
  );
}

/** Refuses the tokens of a user at an SP from before an approval at a1. */
function endTokensAtA1(): Edit {
  const issued = new Map<string, readonly string[]>();
  const ended = new Set<string>();
  return combineEdits(
    observeApprovals(({ request, acr }, { accessToken }) => {
      const key = userKey(request);
      const before = issued.get(key) ?? [];
      if (acr === 'a1') for (const token of before) ended.add(token);
      issued.set(key, [...before, accessToken]);
    }),
    withUserinfoCall(({ onToken }) => ({
      onToken: [
        ...onToken,
        check('session-was-not-lowered', ({ token }) => {
          if (ended.has(token)) refuseToken('invalid_token', 'the session was lowered');
        }),
      ],
    })),
  );
}

/** Dates a swap for the SPs that are alerted to it only, be it a duplicate or not. */
function dateByAlerts(): Edit {
  const dated = new Map<string, number | undefined>();
  let asking: ClientState | undefined;
  return combineEdits(
    withEvents(({ isReported }) => ({
      isReported: (news) => {
        const isDue = isReported(news);
        if (isDue && news.cause === 'swap-sim') dated.set(userKey(news), news.subscriber.simChangedAt);
        return isDue;
      },
    })),
    withTraitSteps(({ onSubscriber }) => ({
      onSubscriber: [
        ...onSubscriber,
        check('alerts-are-read', ({ client }) => {
          asking = client;
        }),
      ],
    })),
    withTraits(({ tenure }) => ({
      tenure: (subscriber, moment) => {
        const { simChangedAt, phoneChangedAt } = subscriber;
        const isSwap = simChangedAt !== undefined && simChangedAt !== phoneChangedAt;
        const isDated = asking !== undefined && dated.get(userKey({ client: asking, subscriber })) === simChangedAt;
        return isSwap && !isDated ? 'false' : tenure(subscriber, moment);
      },
    })),
  );
}
