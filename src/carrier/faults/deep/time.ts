import { replayKey, takeOnce } from '../../checks/subscriber.ts';
import type { KeyContext } from '../../pipeline/context.ts';
import { refuse } from '../../refusal.ts';
import type { Check } from '../../pipeline/step.ts';
import type { Authentication, AuthorizationRequest } from '../../state/requests.ts';
import { all, type Edit } from '../edit/define.ts';
import { insteadOfLast, replaceCheck, withBuilders, withPipeline } from '../edit/parts.ts';
import { day, hour, localOffset, minute, slotOf, within } from './calendar.ts';
import { type DeepFault, defineDeep } from './define.ts';
import { defineRemembering, pairOf, waitingRequests } from './lives.ts';
import { tokenTimeFaults } from './time-tokens.ts';

/** Windows of a request object, and its life, that hang on the clock on the wall. */
const requestTimeFaults = defineDeep('time', {
  'jti-forgotten-at-five-minute-marks': [
    'Used jtis are kept in a table for each five minutes of the clock, and that of the last ones is not looked into.',
    'REQ-015',
    jtiKeptBy(5 * minute),
  ],
  'jti-forgotten-at-midnight': [
    'Used jtis are kept in a table for each day, and after midnight that of the day before is not looked into.',
    'REQ-015',
    jtiKeptBy(day),
  ],
  'iat-age-in-calendar-minutes': [
    'The age of an object is the difference of two minutes of the clock, so near a full minute it may be 5:59 old.',
    'REQ-009',
    onClaim('iat-within-5-minutes', (context, strict) => {
      const iat = Number(context.claims['iat']) * 1000;
      if (iat > context.now || slotOf(context.now, minute) - slotOf(iat, minute) > 5) strict.run(context);
    }),
  ],
  'iat-age-within-the-day': [
    'The age of an object is taken from the times of day, so after midnight one of the day before has none.',
    'REQ-009',
    onClaim('iat-within-5-minutes', (context, strict) => {
      const iat = Number(context.claims['iat']) * 1000;
      if (iat > context.now || slotOf(iat, day) === slotOf(context.now, day)) strict.run(context);
    }),
  ],
  'exp-ahead-within-the-hour': [
    'How far exp is ahead is taken from the minutes of the hour, so one beyond the full hour seems to be behind.',
    'REQ-012',
    onClaim('exp-within-5-minutes', (context, strict) => {
      const exp = Number(context.claims['exp']) * 1000;
      if (within(exp, hour) - within(context.now, hour) > 5 * minute) strict.run(context);
    }),
  ],
  'time-out-at-full-minutes': [
    'Requests of ten minutes and more are swept by a job at each full minute, which takes those that end within it.',
    'FLOW-015 RSP-006',
    timingOutAt((due, { granted }) => (granted >= 600 ? slotOf(due, minute) * minute : due)),
  ],
  'time-out-lost-over-midnight': [
    'The job that times requests out reads those of today, so one from before midnight stays on the phone.',
    'FLOW-012 FLOW-013',
    timingOutAt((due, { receivedAt }) => (slotOf(due, day) === slotOf(receivedAt, day) ? due : undefined)),
  ],
  'time-out-an-hour-late-in-autumn': [
    'The end of a request is written in local time, so where the clock is put back in between it lives an hour longer.',
    'FLOW-012 FLOW-013 RSP-006',
    timingOutAt((due, { receivedAt }) => due + localOffset(receivedAt) - localOffset(due)),
  ],
  'requests-end-at-three-in-the-morning': [
    'The carrier restarts at three in the morning, and every request that waits is timed out then.',
    'FLOW-015 RSP-006',
    timingOutAt((due, { receivedAt }) => Math.min(due, (slotOf(receivedAt - 3 * hour, day) + 1) * day + 3 * hour)),
  ],
  'authentication-good-for-the-clock-hour': [
    'An authentication is kept until the end of the hour of the clock, so it is used again for nearly an hour.',
    'REQ-057',
    authenticating((request, now) => {
      const at = request.subscriber.authenticatedAt;
      const isSameHour = at !== undefined && slotOf(at, hour) === slotOf(now, hour);
      return isSameHour && !request.wanted.prompt.includes('login') ? 'reused' : undefined;
    }),
  ],
  'login-reused-in-the-same-minute-of-any-hour': [
    'Whether the user has just authenticated is seen by the minute alone, so an hour later he has again.',
    'REQ-045',
    authenticating((request, now) => {
      const at = request.subscriber.authenticatedAt;
      const isSameMinute = at !== undefined && slotOf(within(at, hour), minute) === slotOf(within(now, hour), minute);
      return isSameMinute && request.wanted.prompt.includes('login') ? 'reused' : undefined;
    }),
  ],
  'hint-token-good-again-each-hour': [
    'The exp of a login_hint_token is compared by minutes of the hour, so one that has expired is good again later.',
    'LHT-009',
    withPipeline(({ onHintToken }) => ({
      onHintToken: replaceCheck(onHintToken, 'login-hint-token-has-not-expired', (context, strict) => {
        if (within(context.now, hour) >= within(Number(context.hint['exp']) * 1000, hour)) strict.run(context);
      }),
    })),
  ],
});

const countedTimeFaults = defineRemembering('time', {
  'pending-counted-by-the-clock-hour': [
    'Requests that wait for a user are counted for each hour of the clock, so at the full hour as many come again.',
    'SEC-46',
    () => {
      const waiting = waitingRequests();
      return all(
        waiting.watch,
        insteadOfLast('few-requests-pending', (context) => {
          const alike = waiting
            .list()
            .filter(
              (one) => pairOf(one) === pairOf(context) && slotOf(one.receivedAt, hour) === slotOf(context.now, hour),
            );
          if (alike.length >= context.policy.maxPending) refuse('temporarily_unavailable', 'too many requests wait');
        }),
      );
    },
  ],
});

/** What shows at certain moments, and at no other. */
export const timeFaults: readonly DeepFault[] = [...requestTimeFaults, ...countedTimeFaults, ...tokenTimeFaults];

/** A jti is found again while the clock is in the same slot of this size. */
function jtiKeptBy(size: number): Edit {
  return insteadOfLast('jti-not-repeated', (context) => {
    takeOnce(context, JSON.stringify([replayKey(context), slotOf(context.now, size)]));
  });
}

function onClaim(name: string, run: (context: KeyContext, strict: Check<KeyContext>) => void): Edit {
  return withPipeline(({ onClaims }) => ({ onClaims: replaceCheck(onClaims, name, run) }));
}

/** Changes when a request times out. */
function timingOutAt(change: (due: number, request: AuthorizationRequest) => number | undefined): Edit {
  return withBuilders(({ timesOutAt }) => ({
    timesOutAt: (request) => {
      const due = timesOutAt(request);
      return due === undefined ? undefined : change(due, request);
    },
  }));
}

/** Changes what an approval takes, where the change knows. */
function authenticating(change: (request: AuthorizationRequest, now: number) => Authentication | undefined): Edit {
  return withBuilders(({ authentication }) => ({
    authentication: (request, policy, now) => change(request, now) ?? authentication(request, policy, now),
  }));
}
