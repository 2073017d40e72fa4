import type { Json } from '../../../../model/json.ts';
import type { ResponseObservation } from '../../../../judge/observation.ts';
import { memberOf } from '../words.ts';

/** What the answer says of the SIM (§2.8); a JSON boolean says the same as its string (A6). */
export function tenureOf({ body }: ResponseObservation): Json | undefined {
  const value = memberOf(body, 'sim_tenure');
  return typeof value === 'boolean' ? String(value) : value;
}

export const isDisclosed = (tenure: Json | undefined): boolean => tenure === 'true' || tenure === 'false';

export const isSuccess = ({ status = 0 }: ResponseObservation): boolean => status >= 200 && status < 300;
