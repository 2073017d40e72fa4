import { isJsonObject, type Json } from '../../../../model/json.ts';
import { type CheckMismatch, defineCheck } from '../../../../judge/check.ts';
import { attributesOf, profileOf } from './profile-of.ts';

const levels: readonly Json[] = [1, 2, 3];
const expected = 'the integer 1, 2 or 3';

/** A level written as 1.0 or 1e0, which a JSON reader takes for an integer; undefined where there is none. */
const writtenAsFraction = (text: string): string | undefined =>
  /"verified"\s*:\s*(-?\d+[.eE][-+\d.eE]*)/.exec(text)?.[1];

/** §2.11: verified is the integer 1, 2 or 3, wherever it stands. */
export const levelsAre12Or3 = defineCheck((observation) => {
  const found = profileOf(observation);
  if (found === undefined) return [];
  const mismatches = attributesOf(found.profile).flatMap(({ member, value }): CheckMismatch[] => {
    if (!isJsonObject(value) || !('verified' in value)) return [];
    const { verified = null } = value;
    return levels.includes(verified) ? [] : [{ path: `body.${member}.verified`, expected, actual: verified }];
  });
  if (mismatches.length > 0) return mismatches;
  const written = writtenAsFraction(found.response.text);
  return written === undefined ? [] : [{ path: 'text', expected, actual: written }];
});
