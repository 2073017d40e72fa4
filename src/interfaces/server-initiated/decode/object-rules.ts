import { isJsonObject } from '../../../model/json.ts';
import { fits, isText, isThere, number, type ObjectRule, orAbsent, row, text, whole } from './object-rule.ts';

/** §2.3 context counts the characters of the decoded form. */
function contextLength(value: string): number {
  try {
    return Array.from(decodeURIComponent(value)).length;
  } catch {
    return Array.from(value).length;
  }
}

const control = /\p{Cc}/u;
const secretKeyMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k'];

/** Seconds: 48 hours, and the 5 minutes of §8. */
const longestLife = 172_800;
const fiveMinutes = 300;

/** §2.2 and §2.3, claim by claim, as far as a request object shows it without the carrier and without the time. */
export const requestObjectRules: readonly ObjectRule[] = [
  row('HDR-004', 'header.kid', '1 to 36 letters and digits', orAbsent(fits(/^[A-Za-z0-9]{1,36}$/))),
  row('REQ-001', 'claims.iss', 'the client_id, as text', text),
  row(
    'REQ-002',
    'claims.iss',
    'the same as client_id',
    (iss, { claims }) => !isText(iss) || claims['client_id'] === undefined || iss === claims['client_id'],
  ),
  row('REQ-003', 'claims.sub', 'the client_id', isThere),
  row(
    'REQ-005',
    'claims.sub',
    'the client_id: sub names the SP, never the person',
    (sub, { claims }) => sub === undefined || claims['client_id'] === undefined || sub === claims['client_id'],
  ),
  row('REQ-008', 'claims.iat', 'the time of signing', isThere),
  row('REQ-010', 'claims.iat', 'a whole number of epoch seconds', orAbsent(whole)),
  row('REQ-011', 'claims.exp', 'a time up to 5 minutes ahead', isThere),
  row('REQ-013', 'claims.exp', 'a whole number of epoch seconds', orAbsent(whole)),
  row(
    'REQ-012',
    'claims.exp',
    'at most 5 minutes after iat',
    (exp, { claims }) => !(number(exp) - number(claims['iat']) > fiveMinutes),
  ),
  row('REQ-017', 'claims.expires_in', 'the seconds that the request is to stay valid', isThere),
  row(
    'REQ-018',
    'claims.expires_in',
    'a JSON integer above 0',
    orAbsent((value, parts) => whole(value, parts) && number(value) > 0),
  ),
  row('REQ-019', 'claims.expires_in', 'at most 48 hours (172800 s)', (value) => !(number(value) > longestLife)),
  row('REQ-021', 'claims.response_type', 'async_token', isThere),
  row(
    'REQ-022',
    'claims.response_type',
    'async_token',
    orAbsent((value) => value === 'async_token'),
  ),
  row('REQ-025', 'claims.client_id', "the SP's registered client id", text),
  row('REQ-027', 'claims.redirect_uri', 'a registered redirect URI', isThere),
  row(
    'REQ-028',
    'claims.redirect_uri',
    'the scheme https or a custom one',
    orAbsent((value) => !isText(value) || !/^(?:http|ftp|file|data|javascript|ws|wss):/i.test(value)),
  ),
  row(
    'REQ-029',
    'claims.redirect_uri',
    'no wildcard',
    orAbsent((value) => !isText(value) || !value.includes('*')),
  ),
  row('REQ-032', 'claims.notification_uri', 'a registered notification URI', text),
  row('REQ-035', 'claims.scope', 'scopes, as text', text),
  row(
    'REQ-036',
    'claims.scope',
    'scopes separated by one space',
    orAbsent((value) => !isText(value) || !/[,;\t]|^ | {2}| $/.test(value)),
  ),
  row(
    'REQ-058',
    'claims.acr_values',
    'a1 or a3',
    orAbsent((value) => value === 'a1' || value === 'a2' || value === 'a3'),
  ),
  row('REQ-059', 'claims.acr_values', 'not a2, which is inconsistent', (value) => value !== 'a2'),
  row(
    'REQ-063',
    'claims.login_hint',
    'login_hint or login_hint_token',
    (hint, { claims }) => isText(hint) || isText(claims['login_hint_token']),
  ),
  row(
    'REQ-070',
    'claims.login_hint',
    'one of login_hint and login_hint_token, not both',
    (hint, { claims }) => hint === undefined || claims['login_hint_token'] === undefined,
  ),
  row(
    'REQ-067',
    'claims.login_hint',
    'a phone number as plus sign, country code and digits',
    orAbsent((value) => !isText(value) || !value.startsWith('+') || /^\+[1-9]\d{6,14}$/.test(value)),
  ),
  row(
    'REQ-074',
    'claims.context',
    'at most 240 characters',
    orAbsent((value) => !isText(value) || contextLength(value) <= 240),
  ),
  row(
    'REQ-075',
    'claims.context',
    'at least 8 characters, none of them a control',
    orAbsent((value) => typeof value === 'string' && contextLength(value) >= 8 && !control.test(value)),
  ),
  row(
    'REQ-082',
    'claims.correlation_id',
    'up to 128 letters, digits, hyphens and underscores',
    orAbsent(fits(/^[A-Za-z0-9_-]{0,128}$/)),
  ),
  row(
    'REQ-084',
    'claims.referred_binding',
    'a public key',
    orAbsent(
      (value) =>
        isJsonObject(value) && value['kty'] !== 'oct' && !secretKeyMembers.some((name) => Object.hasOwn(value, name)),
    ),
  ),
];
