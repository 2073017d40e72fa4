import { defineCheck } from '../../../../judge/check.ts';
import { responseOf } from '../deliveries-of.ts';
import { isSuccess, tenureOf } from './tenure-of.ts';

/** A7: other material has the opposite sense, so the opposite answer is told apart from any other wrong one. */
const tenureSays = (wanted: 'true' | 'false', why: string) =>
  defineCheck((observation) => {
    const response = responseOf(observation);
    if (response === undefined) return [];
    const tenure = tenureOf(response);
    if (isSuccess(response) && tenure === wanted) return [];
    const opposite = wanted === 'true' ? 'false' : 'true';
    const said = isSuccess(response) && tenure !== undefined ? tenure : response.summary;
    const actual = said === opposite ? `${opposite}, the opposite: is the sense inverted?` : said;
    return [{ path: 'body.sim_tenure', expected: `${wanted}: ${why}`, actual }];
  });

/** §1.5, §2.8: less than 24 hours with the phone number. */
export const tenureTrue = tenureSays('true', 'the SIM changed less than 24 hours ago');

/** §1.5, §2.8: 24 hours or longer. */
export const tenureFalse = tenureSays('false', 'the SIM has not changed for 24 hours');
