import { MissingValue } from '../../../../model/template.ts';
import { defineCheck } from '../../../../judge/check.ts';
import { eventsOf } from './event.ts';

/** Finds nothing: beside a comparison it says that a delivery without a readable SET has no claims to compare. */
export const setIsReadable = defineCheck((observation) => {
  if (eventsOf(observation).some(({ set }) => set === undefined)) throw new MissingValue('set');
  return [];
});
