import { defineCheck } from '../../../../judge/check.ts';
import { claimOf, type EventJudge, eventsOf, isRevocation, namesOf } from './event.ts';
import { judgeIat, judgeJti, judgeKid, judgeSub, judgeType } from './token.ts';
import { judgeBody, judgeCacheControl, judgeContentType, judgeMethod } from './transport.ts';

/** §6: no event that came names another event; one whose names cannot be read is judged by its form. */
export const eventIsConsentRevoked = defineCheck((observation) =>
  eventsOf(observation)
    .filter((event) => namesOf(event).length > 0 && !isRevocation(event))
    .map((event) => ({ path: 'set.events', expected: 'consent_revoked', actual: [...namesOf(event)] })),
);

const judgeList: EventJudge = ({ set }) => {
  const events = claimOf(set, 'events');
  if (Array.isArray(events)) return [];
  return [{ path: 'set.events', expected: 'a list of event names', actual: events ?? null }];
};

const judges: readonly EventJudge[] = [
  judgeMethod,
  judgeBody,
  judgeContentType,
  judgeCacheControl,
  judgeType,
  judgeKid,
  judgeIat,
  judgeJti,
  judgeSub,
  judgeList,
];

/** §6, 6: in what a consent_revoked differs from the form of a device_change, which is the only one shown. */
export const consentRevokedForm = defineCheck((observation) =>
  eventsOf(observation)
    .filter(isRevocation)
    .flatMap((event) => judges.flatMap((judge) => judge(event)))
    .map(({ path = 'set', expected, actual }) => ({ path, expected, actual })),
);
