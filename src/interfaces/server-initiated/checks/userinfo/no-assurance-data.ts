import { isJsonObject, type Json } from '../../../../model/json.ts';
import { type CheckMismatch, defineCheck } from '../../../../judge/check.ts';
import { profileOf } from './profile-of.ts';

/** Members of §2.11 that say how an attribute was proofed. */
const assurance: ReadonlySet<string> = new Set(['verified', 'verification', 'identity_documents', 'regulation']);

function pathsIn(value: Json, path: string): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item: Json, at) => pathsIn(item, `${path}.${at}`));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    assurance.has(name) ? [`${path}.${name}`] : pathsIn(member, `${path}.${name}`),
  );
}

/** §1.7, §2.11: without ial_enabled the answer says nothing of how an attribute was proofed. */
export const noAssuranceData = defineCheck((observation) => {
  const found = profileOf(observation);
  if (found === undefined) return [];
  return pathsIn(found.profile, 'body').map((path): CheckMismatch => {
    const expected = 'no assurance data for a client without ial_enabled';
    return { path, expected, actual: path.split('.').at(-1) ?? '' };
  });
});
