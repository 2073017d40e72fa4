import { defineCheck } from '../../check.ts';
import { eventsOf } from '../events/event.ts';

/** RFC 8417 §2.2 jti: what is delivered again is the same event token, so its receiver can tell. */
export const retriesRepeatTheToken = defineCheck((seen) => {
  const [first, ...again] = eventsOf(seen).flatMap(({ set, message }) => (set === undefined ? [] : [{ set, message }]));
  const wanted = first?.set['jti'];
  return again.flatMap(({ set, message }) => {
    const given = set['jti'];
    if (wanted !== undefined && given === wanted) return [];
    return [
      {
        path: 'set.jti',
        expected: `the jti of the first delivery, ${JSON.stringify(wanted ?? null)}`,
        actual: given ?? null,
        message,
      },
    ];
  });
});
