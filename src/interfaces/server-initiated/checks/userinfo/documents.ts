import type { CheckMismatch, MessageCheck, NamedCheck } from '../../../../judge/check.ts';
import { readMember, isJsonObject, type Json, type JsonObject } from '../../../../lib/json.ts';
import { type Attribute, listAttributes } from '../../attributes.ts';
import { findVerifications } from '../../tolerated-forms.ts';
import { defineProfileCheck, type ProfileObservation } from './profile.ts';

interface IdentityDocument {
  readonly path: string;
  readonly document: JsonObject;
}

function listDocuments(profile: JsonObject): readonly IdentityDocument[] {
  const documents = readMember(profile['verification'], 'identity_documents');
  if (!Array.isArray(documents)) return [];
  return documents.flatMap((document: Json, at): IdentityDocument[] =>
    isJsonObject(document) ? [{ path: `body.verification.identity_documents.${at}`, document }] : [],
  );
}

const defineDocumentCheck = (
  name: string,
  member: string,
  judge: (value: Json, found: ProfileObservation) => readonly Omit<CheckMismatch, 'path'>[],
): MessageCheck =>
  defineProfileCheck(name, (found) =>
    listDocuments(found.profile).flatMap(({ path, document }) => {
      const value = document[member];
      if (value === undefined) return [];
      return judge(value, found).map((mismatch) => ({ ...mismatch, path: `${path}.${member}` }));
    }),
  );

/** Clock difference allowed for last_verified, in seconds. */
const verifiedLeeway = 60;

/** Largest number read as seconds; greater ones, beyond 3,000 years, are milliseconds. */
const maxEpochSeconds = 1e11;

/** Epoch seconds of a timestamp in seconds, milliseconds or ISO 8601: §2.11 leaves the form open. */
function readTimestamp(value: Json): number | undefined {
  if (typeof value === 'string' && /^\d{1,13}$/.test(value)) return readTimestamp(Number(value));
  if (typeof value === 'number') {
    if (!Number.isFinite(value) || value <= 0) return undefined;
    return value > maxEpochSeconds ? value / 1000 : value;
  }
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}|$)/.test(value)) return undefined;
  const moment = Date.parse(value);
  return Number.isFinite(moment) ? moment / 1000 : undefined;
}

/** A16: is_adult_18 and is_adult18 are one name. */
const unifySpelling = (name: string): string => name.replace(/^(is_(?:adult|over))_(\d\d)$/, '$1$2');

/** Members of an attribute that are no claims. */
const nonClaimMembers: ReadonlySet<string> = new Set(['value', 'verified', 'verification']);

/** Names of an attribute and of its inner claims, such as given_name (C1.17). */
const attributeClaimNames = ({ member, value }: Attribute): readonly string[] => [
  member,
  ...Object.keys(isJsonObject(value) ? value : {}).filter((name) => !nonClaimMembers.has(name)),
];

/** The identity documents of a profile (§2.11). */
export const documentChecks: readonly NamedCheck[] = [
  /** C7.10: §2.11 gives the verification object no place; any but beside the attributes is recorded. */
  defineProfileCheck('verification-beside-attributes', ({ profile, response: { received } }) => {
    const isMoved = received !== undefined && readMember(received, 'verification') === undefined;
    const places = isMoved ? findVerifications(profile).map(([path]) => path) : [];
    if (places.length === 0) return [];
    return [{ aspect: 'place', path: 'body.verification', expected: 'beside the attributes', actual: places }];
  }),

  /** §2.11: last_verified is a timestamp that has passed. */
  defineDocumentCheck('documents-verified-in-the-past', 'last_verified', (value, { response: { receivedAt } }) => {
    const moment = readTimestamp(value);
    if (moment === undefined) return [{ expected: 'a timestamp', actual: value }];
    if (moment <= receivedAt + verifiedLeeway) return [];
    return [{ expected: `not after ${new Date(receivedAt * 1000).toISOString()}`, actual: value }];
  }),

  /** §2.11: verified_claims has claim names, separated by commas; unknown names are an aspect of their own. */
  defineDocumentCheck('verified-claims-are-in-the-answer', 'verified_claims', (value, { profile }) => {
    if (typeof value !== 'string') return [{ expected: 'names, separated by commas', actual: value }];
    const known = new Set(['sub', ...listAttributes(profile).flatMap(attributeClaimNames).map(unifySpelling)]);
    const names = value.split(',').map((name) => name.trim());
    if (names.includes('')) return [{ expected: 'names, separated by commas', actual: value }];
    const missing = names.filter((name) => !known.has(unifySpelling(name)));
    if (missing.length === 0) return [];
    return [{ aspect: 'told', expected: 'names of attributes in the response', actual: missing }];
  }),
];
