import { isJsonObject, type JsonObject, parseJson } from '../../../../model/json.ts';
import { MissingValue } from '../../../../model/template.ts';
import { type CheckMismatch, defineCheck } from '../../../../judge/check.ts';
import type { Judgeable } from '../../../../judge/mismatch.ts';
import { memberOf } from '../words.ts';

const path = 'body.login_hint_token';

/** The token that an action got from discovery_ui, in the parts between its dots. */
function partsOf(observation: Judgeable): readonly string[] {
  const token = 'body' in observation ? memberOf(observation.body, 'login_hint_token') : undefined;
  if (typeof token !== 'string') throw new MissingValue(path);
  return token.split('.');
}

function decodeJson(part: string | undefined): JsonObject | undefined {
  const value = parseJson(Buffer.from(part ?? '', 'base64url').toString('utf8'));
  return isJsonObject(value) ? value : undefined;
}

/** §2.3: an encrypted JWE in compact form (RFC 7516 §3.1). */
export const hintTokenIsJwe = defineCheck((observation) => {
  const parts = partsOf(observation);
  const header = decodeJson(parts[0]);
  const found: CheckMismatch[] = [];
  if (parts.length !== 5) found.push({ path, expected: '5 parts between dots', actual: parts.length });
  for (const name of ['alg', 'enc']) {
    const value = memberOf(header, name);
    if (typeof value === 'string' && value !== '' && value !== 'none') continue;
    found.push({ path: `${path} header.${name}`, expected: 'the name of an algorithm', actual: value ?? null });
  }
  return found;
});

/** Members of the decoded token (§2.7) that no JOSE header has, and other names of the same. */
const decoded = [
  'sub',
  'bid',
  'friendly_name',
  'device_logo',
  'iat',
  'flow',
  'jti',
  'dpop',
  'location',
  'browser',
  'device',
  'phone',
  'phone_number',
] as const;

/** §2.7: readable by the carrier only. */
export const hintTokenIsOpaque = defineCheck((observation) => {
  const [first, ...others] = partsOf(observation);
  const header = decodeJson(first);
  const shown = decoded.filter((name) => memberOf(header, name) !== undefined);
  const inClear = others.flatMap((part, index) => (decodeJson(part) === undefined ? [] : [index + 2]));
  return [
    ...shown.map((name) => ({
      path: `${path} header.${name}`,
      expected: 'nothing of the decoded token',
      actual: name,
    })),
    ...inClear.map((part) => ({
      path,
      expected: 'parts that nobody but the carrier can read',
      actual: `part ${part} is JSON`,
    })),
  ];
});
