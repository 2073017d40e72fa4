import { type CheckMismatch, defineCheck, type NamedCheck } from '../../../../judge/check.ts';
import { judgeTime } from '../../../../judge/lag.ts';
import { readMember, equalsJson } from '../../../../lib/json.ts';
import { defineReceivedCheck, defineResponseCheck, checkDirective, headerMismatch } from '../define-check.ts';
import { registeredErrors } from '../refusal.ts';

/** Internals that an error text may show, by their form. */
const internalPatterns: Readonly<Record<string, RegExp>> = {
  'a stack trace':
    /\bat [\w$.<>]+ ?\([^()]*:\d|\bTraceback \(most recent call|(?<![\w.])[\w.]+(?:Exception|Error): |\.(?:java|py|js|ts|cs|php|rb|go):\d/,
  'the name of an internal host': /(?<![\w.-])[\w.-]+\.(?:internal|local|localdomain|intranet|corp|lan|svc)\b/i,
  'an internal address': /\b(?:10\.\d+|192\.168|172\.(?:1[6-9]|2\d|3[01])|127\.0)\.\d+\.\d+\b/,
  'a path of a file': /(?:^|[\s"'(])(?:\/(?:usr|opt|var|home|srv|app|etc)\/[\w./-]+|[A-Z]:\\[\w\\.-]+)/,
  'a database query':
    /\b(?:SELECT\b(?:(?!\bSELECT\b).)+?\bFROM|INSERT INTO|UPDATE\b(?:(?!\bUPDATE\b).)+?\bSET|DELETE FROM|ORA-\d{4,5}|SQLSTATE)\b/i,
};

/** RFC 6749 §5.2: printable ASCII without the quotation mark and the backslash. */
const errorTextPattern = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

export const baselineResponseChecks: readonly NamedCheck[] = [
  /** SEC-22: a response comes within this many seconds of real time, however long the carrier has to parse. */
  ...[2, 4, 10].map((most) =>
    defineResponseCheck(`answered-within-${most}-seconds`, (response) =>
      judgeTime(response.took / 1000, response, most),
    ),
  ),

  /** RFC 9111 §5.2.2.5: a response has the directive no-store. */
  defineReceivedCheck('cache-control-no-store', ({ headers }) => checkDirective(headers, 'no-store')),

  /** RFC 6749 §5.1: no cache keeps a response with tokens or other sensitive content (C1.20); a refusal has none. */
  defineResponseCheck('sensitive-answer-not-stored', ({ outcome, headers }) => {
    if (outcome !== 'accepted' || checkDirective(headers, 'no-cache').length === 0) return [];
    return checkDirective(headers, 'no-store');
  }),

  /** RFC 6750 §3: a refused call of a protected resource says how to authenticate. */
  defineReceivedCheck('www-authenticate', ({ headers }) => {
    const given = headers['www-authenticate'];
    if (given !== undefined && /(?:^|,\s*)bearer\b/i.test(given)) return [];
    if (given === undefined || given.trim() === '') return [headerMismatch(headers, 'www-authenticate', 'a challenge')];
    return [{ ...headerMismatch(headers, 'www-authenticate', 'a Bearer challenge'), aspect: 'bearer' }];
  }),

  /** RFC 8259 §7: a correlation_id that comes back is the string that was sent. */
  defineResponseCheck('correlation-id-reflected', ({ body, claims }) => {
    const given = readMember(body, 'correlation_id');
    const sent = claims?.['correlation_id'];
    if (given === undefined || sent === undefined || equalsJson(given, sent)) return [];
    return [{ path: 'body.correlation_id', expected: JSON.stringify(sent), actual: given }];
  }),

  /** SEC-44: the error member, if there is one, is a registered code. */
  defineCheck('error-code-of-the-registry', (observation) => {
    const error = 'body' in observation ? readMember(observation.body, 'error') : undefined;
    if (error === undefined || (typeof error === 'string' && registeredErrors.has(error))) return [];
    return [{ path: 'body.error', expected: 'a code of OpenID Connect, OAuth, CIBA or the platform', actual: error }];
  }),

  /** SEC-36: an error description has no characters that break headers, and nothing that helps an attacker. */
  defineCheck('error-description-discreet', (observation) => {
    if (!('text' in observation)) return [];
    const description = readMember(observation.body, 'error_description');
    const found: CheckMismatch[] = [];
    if (typeof description === 'string' && !errorTextPattern.test(description)) {
      found.push({ path: 'body.error_description', expected: 'characters of RFC 6749 §5.2', actual: description });
    }
    const text = typeof description === 'string' ? description : observation.text;
    for (const [what, pattern] of Object.entries(internalPatterns)) {
      const shown = pattern.exec(text)?.[0];
      if (shown !== undefined) found.push({ path: 'body', expected: `an error without ${what}`, actual: shown });
    }
    return found;
  }),
];
