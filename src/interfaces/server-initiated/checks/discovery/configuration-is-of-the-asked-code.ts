import { defineCheck } from '../../../../judge/check.ts';
import { responseOf } from '../deliveries-of.ts';
import { memberOf } from '../words.ts';

/** §4.5: a configuration that names a carrier code names the one that was asked for. */
export const configurationIsOfTheAskedCode = defineCheck((observation) => {
  const response = responseOf(observation);
  if (response?.outcome !== 'accepted' || !URL.canParse(response.url)) return [];
  const asked = new URL(response.url).searchParams.get('mccmnc');
  const actual = memberOf(response.body, 'mccmnc');
  if (asked === null || actual === undefined) return [];
  // Public documents have it as a number too, which loses leading zeros.
  const same = typeof actual === 'number' ? actual === Number(asked) : actual === asked;
  return same ? [] : [{ path: 'body.mccmnc', expected: asked, actual }];
});
