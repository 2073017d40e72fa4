import { isJsonObject, type Json, parseJson } from '../../lib/json.ts';
import { isJose } from './forms.ts';

/** Characters of the first part of a JWS or JWE that is decoded, of one value that is shown, and members. */
const longestPart = 4096;
const longestValue = 60;
const mostMembers = 8;

/** What a reader of the record could take for its end, or for markup, is a question mark. */
const plain = (text: string, most: number): string =>
  (text.length > most ? `${text.slice(0, most)}...` : text).replaceAll(/[^\w.:/+=@~ -]/g, '?');

function wordsOf(value: Json, isSecret: (text: string) => boolean): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? '(list)' : '(object)';
  const text = String(value);
  return isSecret(text) ? '(redacted)' : plain(text, longestValue);
}

/** What must not be shown of a header. */
interface Hidden {
  readonly isSecret: (text: string) => boolean;
  readonly names: ReadonlySet<string>;
}

/**
 * The protected header of a compact JWS or JWE in words, `header alg RS256, kid 1`: it is public, and says what was special.
 * Undefined where the text is no such thing.
 */
export function headerWords(jose: string, { isSecret, names }: Hidden): string | undefined {
  const end = isJose(jose) ? jose.indexOf('.') : 0;
  if (end === 0 || end > longestPart) return undefined;
  const header = parseJson(Buffer.from(jose.slice(0, end), 'base64url').toString('utf8'));
  if (!isJsonObject(header)) return undefined;
  const members = Object.entries(header).slice(0, mostMembers);
  const shown = members.map(([name, value]) => {
    const hides = names.has(name) || isSecret(name);
    return hides ? '(redacted)' : `${plain(name, 20)} ${wordsOf(value, isSecret)}`;
  });
  return shown.length === 0 ? undefined : `header ${shown.join(', ').slice(0, 300).trimEnd()}`;
}
