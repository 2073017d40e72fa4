import { proofKey, refuseRepeatedProof } from '../../checks/proof.ts';
import type { ProofContext } from '../../pipeline/context.ts';
import type { Edit } from '../edit/define.ts';
import { after, changedSet } from '../edit/messages.ts';
import {
  replaceCheck,
  withBuilders,
  withEvents,
  withTraits,
  withTraitSteps,
  withUserinfo,
  withUserinfoCall,
} from '../edit/parts.ts';
import { day, hour, localOffset, minute, slotOf, weekYear, within } from './calendar.ts';
import { defineDeep } from './define.ts';

/** Tokens, events, user info and SIM tenure at a certain hour, day or year. */
export const tokenTimeFaults = defineDeep('time', {
  'token-dies-at-midnight': [
    'The keys of a day are thrown away at midnight, so an access token ends then, whatever its expires_in says.',
    'CB-028 CB-015',
    expiring((exp, now) => Math.min(exp, ((slotOf(now, day) + 1) * day) / 1000)),
  ],
  'token-of-the-leap-day-expired': [
    'The day on which a token ends is made of a table of 28 days for February, so on the 29th it is in the past.',
    'CB-025 CB-028',
    expiring((exp, now) => (new Date(now).toISOString().slice(5, 10) === '02-29' ? exp - day / 1000 : exp)),
  ],
  'token-exp-of-32-bits': [
    'The exp of an access token is a number of 32 bits with a sign, so it runs over in January 2038.',
    'CB-025 CB-028',
    expiring((exp) => exp | 0),
  ],
  'token-good-again-the-next-day': [
    'User info compares the times of day of exp and now, so a token that has expired opens it again on the next day.',
    'CB-028 SEC-33',
    withUserinfoCall(({ onToken }) => ({
      onToken: replaceCheck(onToken, 'token-has-not-expired', (context, strict) => {
        if (within(context.now, day) >= within(Number(context.claims['exp']) * 1000, day)) strict.run(context);
      }),
    })),
  ],
  'auth-time-of-the-week-year': [
    'auth_time goes through a format with the year of the week, so around New Year it can be a year off.',
    'SEC-31',
    withBuilders(({ idToken }) => ({
      idToken: after(idToken, ({ auth_time: at }) => {
        if (typeof at !== 'number') return {};
        const date = new Date(at * 1000);
        date.setUTCFullYear(weekYear(at * 1000));
        return { auth_time: date.getTime() / 1000 };
      }),
    })),
  ],
  'event-iat-an-hour-off-in-summer': [
    'The iat of an event is made of local time with the offset of winter, so in summer it is an hour ahead.',
    'EVT-027 SEC-41',
    changedSet(({ iat }, { now }) => ({ iat: Number(iat) + (localOffset(now) + 6 * hour) / 1000 })),
  ],
  'duplicates-by-the-clock-hour': [
    'Events are kept for each hour of the clock, so a duplicate soon after the full hour is sent.',
    'EVT-018',
    withEvents(({ duplicateKey }) => ({
      duplicateKey: (news) => `${duplicateKey(news)} ${slotOf(news.now, hour)}`,
    })),
  ],
  'retries-end-with-the-hour': [
    'The queue of events is written anew at each full hour, and what was waiting for its retry is not in it.',
    'EVT-013',
    withEvents(({ confirms }) => ({
      confirms: (status, attempt, news) =>
        confirms(status, attempt, news) || slotOf(news.now + attempt * minute, hour) !== slotOf(news.now, hour),
    })),
  ],
  'proof-kept-by-the-minute': [
    'Used proofs are kept for each minute of the clock, and good again in the next while they have not expired.',
    'SEC-42',
    withTraitSteps(({ onFormat: { taap, jwt, dpop } }) => ({
      onFormat: {
        taap: replaceCheck(taap, 'proof-jti-not-repeated', takenInItsMinute),
        jwt: replaceCheck(jwt, 'proof-jti-not-repeated', takenInItsMinute),
        dpop: replaceCheck(dpop, 'proof-jti-not-repeated', takenInItsMinute),
      },
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
  'tenure-of-the-calendar-day': [
    'A SIM that was changed in the evening is old from noon of the next day on, because dates are compared.',
    'UT-015 UT-017',
    withTraits(({ tenure }) => ({
      tenure: (subscriber, moment) => {
        const at = subscriber.simChangedAt ?? -Infinity;
        const isNextDay = within(at, day) >= 18 * hour && slotOf(moment.now, day) > slotOf(at, day);
        const isOld = isNextDay && within(moment.now, day) >= 12 * hour;
        return isOld ? tenure({ ...subscriber, simChangedAt: 0 }, moment) : tenure(subscriber, moment);
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

const ages: Readonly<Record<string, number>> = { is_adult_18: 18, is_adult_21: 21, is_over_13: 13 };

/** Changes the exp of access tokens, in seconds, by the moment in milliseconds at which they are made. */
function expiring(change: (exp: number, now: number) => number): Edit {
  return withBuilders(({ accessToken }) => ({
    accessToken: after(accessToken, ({ exp }, { now }) => ({ exp: change(Number(exp), now) })),
  }));
}

function takenInItsMinute(context: ProofContext): void {
  const { replays, now, policy } = context;
  const key = `${proofKey(context)} ${slotOf(now, minute)}`;
  if (!replays.takeFirst(key, now, policy.proofWindow)) refuseRepeatedProof();
}
