import { type CheckMismatch, defineCheck } from '../../../../judge/check.ts';
import type { Judgeable } from '../../../../judge/mismatch.ts';
import { memberOf } from '../words.ts';

/** What the text of an error shows of the inside, by its form. */
const inside: Readonly<Record<string, RegExp>> = {
  'a stack trace':
    /\bat [\w$.<>]+ ?\([^)]*:\d+|\bTraceback \(most recent call|\b[\w.]+(?:Exception|Error): |\.(?:java|py|js|ts|cs|php|rb|go):\d+/,
  'the name of an internal host': /\b[\w-]+(?:\.[\w-]+)*\.(?:internal|local|localdomain|intranet|corp|lan|svc)\b/i,
  'an internal address': /\b(?:10\.\d+|192\.168|172\.(?:1[6-9]|2\d|3[01])|127\.0)\.\d+\.\d+\b/,
  'a path of a file': /(?:^|[\s"'(])(?:\/(?:usr|opt|var|home|srv|app|etc)\/[\w./-]+|[A-Z]:\\[\w\\.-]+)/,
  'a database query': /\b(?:SELECT\b.+\bFROM|INSERT INTO|UPDATE\b.+\bSET|DELETE FROM|ORA-\d{4,5}|SQLSTATE)\b/i,
};

/** RFC 6749 §5.2: printable ASCII without the quotation mark and the backslash. */
const allowed = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

const hasBody = (observation: Judgeable): observation is Extract<Judgeable, { readonly text: string }> =>
  'text' in observation;

/** SEC-36: the description of an error is short of characters that break headers, and of what helps an attacker. */
export const errorDescriptionDiscreet = defineCheck((observation) => {
  if (!hasBody(observation)) return [];
  const description = memberOf(observation.body, 'error_description');
  const found: CheckMismatch[] = [];
  if (typeof description === 'string' && !allowed.test(description)) {
    found.push({ path: 'body.error_description', expected: 'characters of RFC 6749 §5.2', actual: description });
  }
  const text = typeof description === 'string' ? description : observation.text;
  for (const [what, pattern] of Object.entries(inside)) {
    const shown = pattern.exec(text)?.[0];
    if (shown !== undefined) found.push({ path: 'body', expected: `an error without ${what}`, actual: shown });
  }
  return found;
});
