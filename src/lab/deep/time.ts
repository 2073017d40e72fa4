import { replayKey, takeOnce } from '../../carrier/checks/subscriber.ts';
import type { Check, KeyContext } from '../../carrier/context.ts';
import type { Authentication, AuthorizationRequest } from '../../carrier/state/requests.ts';
import { markDeep, defineFaults, defineStateful, type Edit } from '../edit/fault-table.ts';
import { limitAlike } from '../edit/request-life.ts';
import { changeBuilt, changeTimeOutMoment } from '../edit/messages.ts';
import {
  replaceCheck,
  replaceSubscriberCheck,
  withBuilders,
  withPipeline,
  withTraits,
  withUserinfo,
} from '../../carrier/seams/definition-parts.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Number of the UTC slot of `size` milliseconds (minute, hour or day) that holds `at`. */
function slotNumber(at: number, size: number): number {
  return Math.floor(at / size);
}

/** Milliseconds from the beginning of that slot to `at`. */
function timeInSlot(at: number, size: number): number {
  return at - slotNumber(at, size) * size;
}

/** N-th Sunday of a month, at midnight UTC; `month` counts from 0. */
function nthSunday(year: number, month: number, nth: number): number {
  const first = new Date(Date.UTC(year, month, 1)).getUTCDay();
  return Date.UTC(year, month, 1 + ((7 - first) % 7) + 7 * (nth - 1));
}

/** Offset of US Central Time from UTC in milliseconds, below zero. */
function localOffset(at: number): number {
  const year = new Date(at).getUTCFullYear();
  const isSummer = at >= nthSunday(year, 2, 2) + 8 * hour && at < nthSunday(year, 10, 1) + 7 * hour;
  return isSummer ? -5 * hour : -6 * hour;
}

/** Year of the ISO week of a moment: the year of its Thursday. */
function weekYear(at: number): number {
  const date = new Date(at);
  date.setUTCDate(date.getUTCDate() + 4 - (date.getUTCDay() || 7));
  return date.getUTCFullYear();
}

const ages: Readonly<Record<string, number>> = { is_adult_18: 18, is_adult_21: 21, is_over_13: 13 };

/** Changes the exp of access tokens, in seconds, by the time of issue, in milliseconds. */
function changeTokenExpiry(change: (exp: number, now: number) => number): Edit {
  return withBuilders(({ accessToken }) => ({
    accessToken: changeBuilt(accessToken, ({ exp }, { now }) => ({ exp: change(Number(exp), now) })),
  }));
}

const momentFaults = defineFaults({
  // Time windows of a request object, and its life.
  'jti-forgotten-at-midnight': [
    'Used jtis are kept in a table for each day, and after midnight that of the day before is not looked into.',
    'REQ-015',
    keepJtiPerSlot(day),
  ],
  'iat-age-within-the-day': [
    'The age of an object is taken from the times of day, so after midnight one of the day before has none.',
    'REQ-009',
    changeClaimCheck('iat-within-5-minutes', (context, strict) => {
      const iat = Number(context.claims['iat']) * 1000;
      if (iat > context.now || slotNumber(iat, day) === slotNumber(context.now, day)) strict.run(context);
    }),
  ],
  'time-out-lost-over-midnight': [
    'The job that times requests out reads those of today, so one from before midnight stays on the phone.',
    'FLOW-012 FLOW-013',
    changeTimeOutMoment((due, { receivedAt }) =>
      slotNumber(due, day) === slotNumber(receivedAt, day) ? due : undefined,
    ),
  ],
  'time-out-an-hour-late-in-autumn': [
    'The end of a request is written in local time, so where the clock is put back in between it lives an hour longer.',
    'FLOW-012 FLOW-013 RSP-006',
    changeTimeOutMoment((due, { receivedAt }) => due + localOffset(receivedAt) - localOffset(due)),
  ],
  'authentication-good-for-the-clock-hour': [
    'An authentication is kept until the end of the hour of the clock, so it is used again for nearly an hour.',
    'REQ-057',
    overrideAuthentication((request, now) => {
      const at = request.subscriber.authenticatedAt;
      const isSameHour = at !== undefined && slotNumber(at, hour) === slotNumber(now, hour);
      return isSameHour && !request.wanted.prompt.includes('login') ? 'reused' : undefined;
    }),
  ],
  'hint-token-good-again-each-hour': [
    'The exp of a login_hint_token is compared by minutes of the hour, so one that has expired is good again later.',
    'LHT-009',
    withPipeline(({ onHintToken }) => ({
      onHintToken: replaceCheck(onHintToken, 'login-hint-token-has-not-expired', (context, strict) => {
        if (timeInSlot(context.now, hour) >= timeInSlot(Number(context.hint['exp']) * 1000, hour)) strict.run(context);
      }),
    })),
  ],
  // Tokens, events, user info and SIM tenure at a certain hour, day or year.
  'token-of-the-leap-day-expired': [
    'The day on which a token ends is made of a table of 28 days for February, so on the 29th it is in the past.',
    'CB-025 CB-028',
    changeTokenExpiry((exp, now) => (new Date(now).toISOString().slice(5, 10) === '02-29' ? exp - day / 1000 : exp)),
  ],
  'token-exp-of-32-bits': [
    'The exp of an access token is a number of 32 bits with a sign, so it runs over in January 2038.',
    'CB-025 CB-028',
    changeTokenExpiry((exp) => exp | 0),
  ],
  'auth-time-of-the-week-year': [
    'auth_time goes through a format with the year of the week, so around New Year it can be a year off.',
    'SEC-31',
    withBuilders(({ idToken }) => ({
      idToken: changeBuilt(idToken, ({ auth_time: at }) => {
        if (typeof at !== 'number') return {};
        const date = new Date(at * 1000);
        date.setUTCFullYear(weekYear(at * 1000));
        return { auth_time: date.getTime() / 1000 };
      }),
    })),
  ],
  'tenure-by-the-clock-on-the-wall': [
    'The age of a SIM is the difference of two local times, so when summer time begins it is new for 23 hours only.',
    'UT-015 UT-017',
    withTraits(({ tenure }) => ({
      tenure: (subscriber, moment) => {
        const at = subscriber.simChangedAt;
        if (at === undefined) return tenure(subscriber, moment);
        return tenure({ ...subscriber, simChangedAt: at + localOffset(at) - localOffset(moment.now) }, moment);
      },
    })),
  ],
  'age-in-years-of-365-days': [
    'The age of a user is the number of days by 365, so he is an adult a few days before his birthday.',
    'UI-034',
    withUserinfo(({ attribute }) => ({
      attribute: (scope, call) => {
        const years = ages[scope];
        const birthdate = attribute('birthdate', call)?.['value'];
        if (years === undefined || typeof birthdate !== 'string') return attribute(scope, call);
        return { value: call.now - Date.parse(birthdate) >= years * 365 * day };
      },
    })),
  ],
});

const countedFaults = defineStateful({
  'pending-counted-by-the-clock-hour': [
    'Requests that wait for a user are counted for each hour of the clock, so at the full hour as many come again.',
    'SEC-46',
    () => limitAlike(({ receivedAt }, { now }) => slotNumber(receivedAt, hour) === slotNumber(now, hour)),
  ],
});

/** Faults that show only at certain moments. */
export const timeFaults = markDeep('time', [...momentFaults, ...countedFaults]);

/** Recognizes a jti only within the same slot of this size. */
function keepJtiPerSlot(size: number): Edit {
  return replaceSubscriberCheck('jti-not-repeated', (context) => {
    takeOnce(context, JSON.stringify([replayKey(context), slotNumber(context.now, size)]));
  });
}

function changeClaimCheck(name: string, run: (context: KeyContext, strict: Check<KeyContext>) => void): Edit {
  return withPipeline(({ onClaims }) => ({ onClaims: replaceCheck(onClaims, name, run) }));
}

/** Overrides the authentication for an approval, unless `change` returns undefined. */
function overrideAuthentication(
  change: (request: AuthorizationRequest, now: number) => Authentication | undefined,
): Edit {
  return withBuilders(({ authentication }) => ({
    authentication: (request, policy, now) => change(request, now) ?? authentication(request, policy, now),
  }));
}
