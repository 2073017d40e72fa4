import { MissingValue } from '../../../../model/template.ts';
import { defineCheck } from '../../../../judge/check.ts';
import { claimOf, eventsOf } from './event.ts';

/** §6 shows aud as a string; a list of one says the same (RFC 7519 §4.1.3), but not to whoever compares strings. */
export const setAudIsText = defineCheck((observation) =>
  eventsOf(observation).flatMap(({ set }) => {
    if (set === undefined) throw new MissingValue('set');
    const aud = claimOf(set, 'aud');
    if (!Array.isArray(aud) || aud.length !== 1) return [];
    return [{ aspect: 'list', path: 'set.aud', expected: 'a string', actual: aud }];
  }),
);
