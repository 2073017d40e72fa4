import { expWithin5Minutes } from '../../carrier/checks/claims.ts';
import {
  replaceCheck,
  replaceClaimCheck,
  withBuilders,
  withEvents,
  withTraits,
  withUserinfo,
  withUserinfoCall,
} from '../../carrier/seams/definition-parts.ts';
import type { AcceptedClaims } from '../../carrier/state/requests.ts';
import { combineEdits, defineFaults, defineStateful, markDeep } from '../edit/fault-table.ts';
import { changeEventToken, changeTimeOutMoment } from '../edit/messages.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** The year's months that have summer time in most of the world north of the equator. */
const isSummer = (at: number): boolean => [3, 4, 5, 6, 7, 8].includes(new Date(at).getUTCMonth());

/** Milliseconds between two moments that fall on a Sunday in UTC. */
function sundayTime(from: number, to: number): number {
  let sum = 0;
  for (let start = from; start < to; ) {
    const end = Math.min(to, (Math.floor(start / day) + 1) * day);
    if (new Date(start).getUTCDay() === 0) sum += end - start;
    start = end;
  }
  return sum;
}

/** Number of the day in its year. */
function dayOfYear(at: number): number {
  return Math.floor((at - Date.UTC(new Date(at).getUTCFullYear(), 0, 1)) / day);
}

const ages: Readonly<Record<string, number>> = { is_adult_18: 18, is_adult_21: 21, is_over_13: 13 };

const momentFaults = defineFaults({
  'no-events-while-the-carrier-is-serviced': [
    'The queue of events is closed for service on Sunday from three to four, and what comes then is dropped.',
    'EVT-001 EVT-002 EVT-003',
    withEvents(({ isReported }) => ({
      isReported: (news) => {
        const date = new Date(news.now);
        return isReported(news) && !(date.getUTCDay() === 0 && date.getUTCHours() === 3);
      },
    })),
  ],
  'event-iat-in-summer-time': [
    'The server that signs events has its clock in local time, so in summer their iat is an hour ahead.',
    'EVT-027',
    changeEventToken(({ iat }) => {
      const at = Number(iat);
      return isSummer(at * 1000) ? { iat: at + 3600 } : {};
    }),
  ],
  'clock-of-whole-minutes': [
    'The carrier reads its clock once a minute, so late in a minute an exp of 5 minutes looks further ahead.',
    'REQ-012',
    replaceClaimCheck('exp-within-5-minutes', (context) => {
      expWithin5Minutes.run({ ...context, now: Math.floor(context.now / minute) * minute });
    }),
  ],
  'tenure-stands-still-on-sunday': [
    'The age of a SIM is counted in days of business, so on Monday a SIM of Saturday is still new.',
    'UT-016 UT-017',
    withTraits(({ tenure }) => ({
      tenure: (subscriber, moment) => {
        const at = subscriber.simChangedAt;
        if (at === undefined) return tenure(subscriber, moment);
        return tenure(subscriber, { ...moment, now: moment.now - sundayTime(at, moment.now) });
      },
    })),
  ],
  'age-by-the-day-of-the-year': [
    'Birthdays are compared as days of the year, so one after February in a leap year comes a day late in others.',
    'UI-034',
    withUserinfo(({ attribute }) => ({
      attribute: (scope, call) => {
        const years = ages[scope];
        const birthdate = attribute('birthdate', call)?.['value'];
        if (years === undefined || typeof birthdate !== 'string') return attribute(scope, call);
        const born = Date.parse(birthdate);
        const age = new Date(call.now).getUTCFullYear() - new Date(born).getUTCFullYear();
        return { value: age > years || (age === years && dayOfYear(call.now) >= dayOfYear(born)) };
      },
    })),
  ],
  'login-guard-by-the-number-of-the-minute': [
    'prompt login is spared in the minute of the last authentication and the one after it, so for up to two minutes.',
    'REQ-045 REQ-049',
    withBuilders(({ authentication }) => ({
      authentication: (request, policy, now) => {
        const at = request.subscriber.authenticatedAt;
        const isNear = at !== undefined && Math.floor(now / minute) - Math.floor(at / minute) <= 1;
        return isNear && request.wanted.prompt.includes('login') ? 'reused' : authentication(request, policy, now);
      },
    })),
  ],
});

const agingFaults = defineStateful({
  'token-life-slides-with-use': [
    'Each call of user info renews the session behind the token, so a token in use never expires.',
    'CB-028 SEC-33',
    () => {
      const used = new Map<string, number>();
      return withUserinfoCall(({ onToken }) => ({
        onToken: replaceCheck(onToken, 'token-has-not-expired', (context, strict) => {
          const { token, claims, now } = context;
          const life = (Number(claims['exp']) - Number(claims['iat'])) * 1000;
          if (!(now - (used.get(token) ?? -Infinity) < life)) strict.run(context);
          used.set(token, now);
        }),
      }));
    },
  ],
  'life-counted-from-the-iat': [
    'The life of a request runs from its iat, so an object that was on its way for minutes times out early.',
    'FLOW-015 RSP-006',
    () => {
      const signedAt = new WeakMap<AcceptedClaims, number>();
      let iat = 0;
      return combineEdits(
        withBuilders(({ claims, authReqId }) => ({
          claims: (context) => {
            iat = Number(context.claims['iat']) * 1000;
            return claims(context);
          },
          authReqId: (wanted) => {
            signedAt.set(wanted, iat);
            return authReqId(wanted);
          },
        })),
        changeTimeOutMoment((end, { wanted, receivedAt }) => {
          const late = receivedAt - (signedAt.get(wanted) ?? receivedAt);
          return Math.max(receivedAt, end - Math.max(0, late));
        }),
      );
    },
  ],
});

/** Faults that show at certain moments or after some time, written from the interface alone. */
export const anewTimeFaults = markDeep('time', [...momentFaults, ...agingFaults]);
