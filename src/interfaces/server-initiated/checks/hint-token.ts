import { type CheckMismatch, defineCheck, type NamedCheck } from '../../../judge/check.ts';
import type { Judgeable } from '../../../judge/observation.ts';
import { decodeSegment } from '../../../judge/compact-jws.ts';
import { readMember } from '../../../lib/json.ts';
import { MissingValue } from '../../../model/suite.ts';

const hintTokenPath = 'body.login_hint_token';

/** Parts between the dots of the token that an action got from discovery_ui. */
function hintTokenParts(observation: Judgeable): readonly string[] {
  const token = 'body' in observation ? readMember(observation.body, 'login_hint_token') : undefined;
  if (typeof token !== 'string') throw new MissingValue(hintTokenPath);
  return token.split('.');
}

/** Members of the decoded token (§2.7) that no JOSE header has, with other names for them. */
const decodedMembers = [
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

/** The login_hint_token (§2.3, §2.7). */
export const hintTokenChecks: readonly NamedCheck[] = [
  /** §2.3: an encrypted JWE in compact form (RFC 7516 §3.1). */
  defineCheck('hint-token-is-jwe', (observation) => {
    const parts = hintTokenParts(observation);
    const header = decodeSegment(parts[0]);
    const found: CheckMismatch[] = [];
    if (parts.length !== 5) found.push({ path: hintTokenPath, expected: '5 parts between dots', actual: parts.length });
    for (const name of ['alg', 'enc']) {
      const value = readMember(header, name);
      if (typeof value === 'string' && value !== '' && value !== 'none') continue;
      found.push({
        path: `${hintTokenPath} header.${name}`,
        expected: 'the name of an algorithm',
        actual: value ?? null,
      });
    }
    return found;
  }),

  /** §2.7: readable by the carrier only. */
  defineCheck('hint-token-is-opaque', (observation) => {
    const [first, ...others] = hintTokenParts(observation);
    const header = decodeSegment(first);
    const shown = decodedMembers.filter((name) => readMember(header, name) !== undefined);
    const inClear = others.flatMap((part, index) => (decodeSegment(part) === undefined ? [] : [index + 2]));
    return [
      ...shown.map((name) => ({
        path: `${hintTokenPath} header.${name}`,
        expected: 'nothing of the decoded token',
        actual: name,
      })),
      ...inClear.map((part) => ({
        path: hintTokenPath,
        expected: 'parts that only the carrier can read',
        actual: `part ${part} is JSON`,
      })),
    ];
  }),
];
