import { MissingValue } from '../../../../model/template.ts';
import { defineCheck } from '../../../../judge/check.ts';
import { eventsOf } from './event.ts';

const attempts = 4;

/** §6, 2: an event that nobody confirms is sent once and then three times more; "up to" makes fewer retries a lesser matter (A24). */
export const threeRetries = defineCheck((observation) => {
  const { length } = eventsOf(observation);
  if (length === 0) throw new MissingValue('event');
  if (length === attempts) return [];
  const mismatch = { path: 'deliveries', expected: `1 attempt and ${attempts - 1} retries`, actual: length };
  return [length > 1 && length < attempts ? { aspect: 'all-three', ...mismatch } : mismatch];
});
