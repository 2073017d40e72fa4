import { defineCheck } from '../../check.ts';
import { answerOf } from '../deliveries-of.ts';
import { memberOf } from '../words.ts';

/** §4.5: a configuration that names a carrier code names the one that was asked for. */
export const configurationIsOfTheAskedCode = defineCheck((seen) => {
  const answer = answerOf(seen);
  if (answer?.outcome !== 'accepted' || !URL.canParse(answer.url)) return [];
  const asked = new URL(answer.url).searchParams.get('mccmnc');
  const actual = memberOf(answer.body, 'mccmnc');
  if (asked === null || actual === undefined) return [];
  // Public documents have it as a number too, which loses leading zeros.
  const same = typeof actual === 'number' ? actual === Number(asked) : actual === asked;
  return same ? [] : [{ path: 'body.mccmnc', expected: asked, actual }];
});
