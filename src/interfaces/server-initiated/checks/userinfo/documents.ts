import { isJsonObject, type Json, type JsonObject } from '../../../../model/json.ts';
import { type CheckMismatch, defineCheck } from '../../../../judge/check.ts';
import { attributesOf, type ProfileSeen, profileOf } from './profile-of.ts';

interface Document {
  readonly path: string;
  readonly document: JsonObject;
}

function documentsOf(profile: JsonObject): readonly Document[] {
  const verification = profile['verification'];
  const documents = isJsonObject(verification) ? verification['identity_documents'] : undefined;
  if (!Array.isArray(documents)) return [];
  return documents.flatMap((document: Json, at): Document[] =>
    isJsonObject(document) ? [{ path: `body.verification.identity_documents.${at}`, document }] : [],
  );
}

const checkDocuments = (
  name: string,
  judge: (value: Json, observation: ProfileSeen) => readonly Pick<CheckMismatch, 'aspect' | 'expected' | 'actual'>[],
) =>
  defineCheck((observation) => {
    const found = profileOf(observation);
    if (found === undefined) return [];
    return documentsOf(found.profile).flatMap(({ path, document }) => {
      const value = document[name];
      if (value === undefined) return [];
      return judge(value, found).map((mismatch) => ({ ...mismatch, path: `${path}.${name}` }));
    });
  });

/** Clocks differ a little; a document is not verified tomorrow. Seconds. */
const leeway = 60;

/** Seconds since the epoch: a number, or a date and time of ISO 8601 as the samples have it. */
function momentOf(value: Json): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) && value > 0 ? value : undefined;
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}|$)/.test(value)) return undefined;
  const moment = Date.parse(value);
  return Number.isFinite(moment) ? moment / 1000 : undefined;
}

/** §2.11: last_verified is a timestamp, and what it tells of has happened. */
export const documentsVerifiedInThePast = checkDocuments('last_verified', (value, { response: { receivedAt } }) => {
  const moment = momentOf(value);
  if (moment === undefined) return [{ expected: 'a timestamp', actual: value }];
  if (moment <= receivedAt + leeway) return [];
  return [{ expected: `not after ${new Date(receivedAt * 1000).toISOString()}`, actual: value }];
});

/** §2.11: verified_claims names attributes, separated by commas, that the answer has. */
export const verifiedClaimsAreInTheResponse = checkDocuments('verified_claims', (value, { profile }) => {
  if (typeof value !== 'string') return [{ expected: 'names, separated by commas', actual: value }];
  const known = new Set([...attributesOf(profile).map(({ member }) => plain(member)), 'sub']);
  const missing = value
    .split(',')
    .map((name) => name.trim())
    .filter((name) => !known.has(plain(name)));
  if (missing.length === 0) return [];
  return [{ expected: 'names of attributes in the answer', actual: missing }];
});

/** A16: is_adult_18 and is_adult18 are one name. */
const plain = (name: string): string => name.replace(/^(is_(?:adult|over))_(\d\d)$/, '$1$2');
