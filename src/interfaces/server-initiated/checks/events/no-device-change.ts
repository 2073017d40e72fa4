import { defineCheck } from '../../../../judge/check.ts';
import { eventsOf, isDeviceChange, namesOf } from './event.ts';

/** §1.5: no device_change came; what else came is judged beside it. */
export const noDeviceChange = defineCheck((observation) =>
  eventsOf(observation)
    .filter(isDeviceChange)
    .map((event) => ({
      aspect: 'device-change',
      path: 'set.events',
      expected: 'no device_change',
      actual: [...namesOf(event)],
    })),
);
