import { defineCheck, type NamedCheck } from '../../../../judge/check.ts';
import { memberOf } from '../../../../lib/json.ts';
import { deliveryJudges } from './delivery.ts';
import { type EventJudge, eventsOf, isDeviceChange, isRevocation, namesOf } from './event.ts';
import { setJudges } from './set.ts';

const judgeList: EventJudge = ({ set }) => {
  const events = memberOf(set, 'events');
  if (Array.isArray(events)) return [];
  return [{ path: 'set.events', expected: 'a list of event names', actual: events ?? null }];
};

const revocationJudges: readonly EventJudge[] = [...deliveryJudges, ...setJudges, judgeList];

/** Which event came (§1.5, §6). */
export const kindChecks: readonly NamedCheck[] = [
  /** §1.5: no device_change came; other checks judge the other events. */
  defineCheck('no-device-change', (observation) =>
    eventsOf(observation)
      .filter(isDeviceChange)
      .map((event) => ({
        aspect: 'device-change',
        path: 'set.events',
        expected: 'no device_change',
        actual: [...namesOf(event)],
      })),
  ),

  /** §6: no event that came names another event; one without readable names is judged by its form. */
  defineCheck('event-is-consent-revoked', (observation) =>
    eventsOf(observation)
      .filter((event) => namesOf(event).length > 0 && !isRevocation(event))
      .map((event) => ({ path: 'set.events', expected: 'consent_revoked', actual: [...namesOf(event)] })),
  ),

  /** §6, 6: in what a consent_revoked differs from the form of a device_change, which is the only one shown. */
  defineCheck('consent-revoked-form', (observation) =>
    eventsOf(observation)
      .filter(isRevocation)
      .flatMap((event) => revocationJudges.flatMap((judge) => judge(event)))
      .map(({ path = 'set', expected, actual }) => ({ path, expected, actual })),
  ),
];
