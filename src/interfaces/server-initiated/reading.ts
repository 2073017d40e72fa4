import { decodeCompactJws } from '../../judge/compact-jws.ts';
import { isJsonObject, isList, type Json, type JsonObject, memberOf, textMemberOf } from '../../lib/json.ts';
import type { Messages } from '../../model/interface.ts';
import { attributesOf } from './checks/userinfo/profile.ts';

type Reading = (value: Json) => Json | undefined;

/** C7.12: an empty token or error counts as absent. */
const unlessEmpty: Reading = (value) => (value === '' ? undefined : value);

/** §2.4: seconds as digits in a string (sample), or with blanks between them after `ccid-` (published pattern). */
const seconds: Reading = (value) => {
  const digits = typeof value === 'string' ? /^(?:(\d{1,10})|ccid-([ \d]{2,10}))$/.exec(value) : null;
  const [, plain = '', published = ''] = digits ?? [];
  const all = plain + published.replaceAll(' ', '');
  return all === '' ? value : Number(all);
};

/** A6: a JSON boolean means the same as its string. */
const asText: Reading = (value) => (typeof value === 'boolean' ? String(value) : value);

/** §2.11 lists sub among the attributes, which are objects with value, but shows a string. */
const plainSub: Reading = (value) => textMemberOf(value, 'value') ?? value;

/** Readings of tolerated forms, by member. */
const readings: Readonly<Record<string, Reading>> = {
  access_token: unlessEmpty,
  id_token: unlessEmpty,
  refresh_token: unlessEmpty,
  error: unlessEmpty,
  expires_in: seconds,
  sim_tenure: asText,
  sub: plainSub,
};

function readMembers(body: JsonObject): JsonObject {
  const read = Object.entries(readings).flatMap(([name, reading]) => {
    const value = memberOf(body, name);
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
export const verificationsIn = (profile: JsonObject): readonly (readonly [path: string, verification: JsonObject])[] =>
  attributesOf(profile).flatMap(({ member, value }) => {
    const verification = memberOf(value, 'verification');
    return isJsonObject(verification) ? [[`body.${member}.verification`, verification] as const] : [];
  });

function documentsOf(verification: JsonObject): readonly Json[] {
  const documents = memberOf(verification, 'identity_documents');
  return isList(documents) ? documents : [];
}

/** §2.11 gives the verification object no place: an incomplete one inside an attribute stands for all; else their documents are joined. */
function readVerification(body: JsonObject): JsonObject {
  if (Object.hasOwn(body, 'verification')) return body;
  const found = verificationsIn(body).map(([, verification]) => verification);
  const lacking = found.find(
    (one) => typeof one['regulation'] !== 'string' || !Array.isArray(one['identity_documents']),
  );
  const [verification = lacking] = found;
  if (verification === undefined) return body;
  if (lacking !== undefined) return { ...body, verification: lacking };
  return { ...body, verification: { ...verification, identity_documents: found.flatMap(documentsOf) } };
}

const compactForm = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/** Whether a value is a compact JWS with events. */
const isSet = (value: Json | undefined): value is string =>
  typeof value === 'string' &&
  compactForm.test(value) &&
  memberOf(decodeCompactJws(value)?.claims, 'events') !== undefined;

/** Token members, whose JWTs may have any claims: one called events makes no SET of them. */
const tokens: ReadonlySet<string> = new Set(['access_token', 'id_token', 'refresh_token']);

/** Finds a SET in another wrapping (C7.14): a bare JSON string, or another member. */
function readSet(body: Json): Json {
  if (isSet(body)) return { set: body };
  if (!isJsonObject(body) || Object.hasOwn(body, 'set') || Object.hasOwn(body, 'auth_req_id')) return body;
  const [, found] = Object.entries(body).find(([name, value]) => !tokens.has(name) && isSet(value)) ?? [];
  return found === undefined ? body : { ...body, set: found };
}

/** Finds a SET in a body that is not JSON: bare (RFC 8935), or in a form. */
function setInText(text: string): Json | undefined {
  const given = compactForm.test(text) ? text : /(?:^|&)set=([\w.-]+)(?:&|$)/.exec(text)?.[1];
  return isSet(given) ? { set: given } : undefined;
}

/** Reads each tolerated form in a body as the value that it stands for (P10). */
export const readMeant: Messages['meant'] = (body, text) => {
  if (body === undefined) return setInText(text);
  const read = readSet(body);
  return isJsonObject(read) ? readVerification(readMembers(read)) : read;
};
