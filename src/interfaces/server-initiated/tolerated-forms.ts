import { decodeCompactJws } from '../../judge/compact-jws.ts';
import {
  isJsonObject,
  isList,
  type Json,
  type JsonObject,
  readMember,
  readTextMember,
  withoutByteOrderMark,
} from '../../lib/json.ts';
import type { Messages } from '../../model/interface.ts';
import { listAttributes } from './attributes.ts';

type MemberReading = (value: Json) => Json | undefined;

/** C7.12: an empty token or error counts as absent. */
const dropEmptyText: MemberReading = (value) => (value === '' ? undefined : value);

/** §2.4: seconds as digits in a string (sample), or with blanks between them after `ccid-` (published pattern). */
const readSeconds: MemberReading = (value) => {
  const digits = typeof value === 'string' ? /^(?:(\d{1,10})|ccid-([ \d]{2,10}))$/.exec(value) : null;
  const [, plain = '', published = ''] = digits ?? [];
  const all = plain + published.replaceAll(' ', '');
  return all === '' ? value : Number(all);
};

/** A6: a JSON boolean means the same as its string. */
const readBooleanText: MemberReading = (value) => (typeof value === 'boolean' ? String(value) : value);

/** §2.11 lists sub among the attributes, which are objects with value, but shows a string. */
const readPlainSub: MemberReading = (value) => readTextMember(value, 'value') ?? value;

/** Readings of tolerated forms, by member. */
const memberReadings: Readonly<Record<string, MemberReading>> = {
  access_token: dropEmptyText,
  id_token: dropEmptyText,
  refresh_token: dropEmptyText,
  error: dropEmptyText,
  expires_in: readSeconds,
  sim_tenure: readBooleanText,
  sub: readPlainSub,
};

function readToleratedMembers(body: JsonObject): JsonObject {
  const read = Object.entries(memberReadings).flatMap(([name, reading]) => {
    const value = readMember(body, name);
    const meant = value === undefined ? undefined : reading(value);
    return meant === value ? [] : [[name, meant] as const];
  });
  if (read.length === 0) return body;
  const changed = new Map<string, Json | undefined>(read);
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) => {
      const meant = changed.has(name) ? changed.get(name) : value;
      return meant === undefined ? [] : [[name, meant]];
    }),
  );
}

/** Verification objects inside attributes, with their paths (C7.10). */
export const findVerifications = (
  profile: JsonObject,
): readonly (readonly [path: string, verification: JsonObject])[] =>
  listAttributes(profile).flatMap(({ member, value }) => {
    const verification = readMember(value, 'verification');
    return isJsonObject(verification) ? [[`body.${member}.verification`, verification] as const] : [];
  });

function verificationDocuments(verification: JsonObject): readonly Json[] {
  const documents = readMember(verification, 'identity_documents');
  return isList(documents) ? documents : [];
}

/** §2.11 gives the verification object no place: an incomplete one inside an attribute stands for all; else their documents are joined. */
function readVerification(body: JsonObject): JsonObject {
  if (Object.hasOwn(body, 'verification')) return body;
  const found = findVerifications(body).map(([, verification]) => verification);
  const lacking = found.find(
    (one) => typeof one['regulation'] !== 'string' || !Array.isArray(one['identity_documents']),
  );
  const [verification = lacking] = found;
  if (verification === undefined) return body;
  if (lacking !== undefined) return { ...body, verification: lacking };
  return { ...body, verification: { ...verification, identity_documents: found.flatMap(verificationDocuments) } };
}

const compactJwsPattern = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/** Whether a value is a compact JWS with events. */
const isEventToken = (value: Json | undefined): value is string =>
  typeof value === 'string' &&
  compactJwsPattern.test(value) &&
  readMember(decodeCompactJws(value)?.claims, 'events') !== undefined;

/** Token members, whose JWTs may have any claims: one called events makes no SET of them. */
const tokenMembers: ReadonlySet<string> = new Set(['access_token', 'id_token', 'refresh_token']);

/** Finds a SET in another wrapping (C7.14): a bare JSON string, or another member. */
function readSet(body: Json): Json {
  if (isEventToken(body)) return { set: body };
  if (!isJsonObject(body) || Object.hasOwn(body, 'set') || Object.hasOwn(body, 'auth_req_id')) return body;
  const [, found] = Object.entries(body).find(([name, value]) => !tokenMembers.has(name) && isEventToken(value)) ?? [];
  return found === undefined ? body : { ...body, set: found };
}

/** Finds a SET in a body that is not JSON: bare (RFC 8935), or in a form. */
function findSetInText(marked: string): Json | undefined {
  const text = withoutByteOrderMark(marked);
  const given = compactJwsPattern.test(text) ? text : /(?:^|&)set=([\w.-]+)(?:&|$)/.exec(text)?.[1];
  return isEventToken(given) ? { set: given } : undefined;
}

/** Claims of a body that is a JWT, as user info is if an SP registers for that (OpenID Connect Core §5.3.2). */
function readBareJwt(text: string): Json | undefined {
  const bare = text.trim();
  return compactJwsPattern.test(bare) ? decodeCompactJws(bare)?.claims : undefined;
}

/** Reads each tolerated form in a body as the value that it stands for (P10). */
export const readTolerantly: Messages['meant'] = (body, text) => {
  if (body === undefined) return findSetInText(text) ?? readClaims(readBareJwt(withoutByteOrderMark(text)));
  return readClaims(readSet(body));
};

function readClaims(body: Json | undefined): Json | undefined {
  const read = typeof body === 'string' ? (readBareJwt(body) ?? body) : body;
  return isJsonObject(read) ? readVerification(readToleratedMembers(read)) : read;
}
