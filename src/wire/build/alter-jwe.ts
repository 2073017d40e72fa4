import { isJsonObject, type JsonObject, parseJson } from '../../lib/json.ts';

type Part = 'header' | 'key' | 'iv' | 'text' | 'tag';
const parts: readonly Part[] = ['header', 'key', 'iv', 'text', 'tag'];

/** The part of a JWE that is altered, how, and that in words. */
type Alteration = readonly [part: Part, change: (bytes: Buffer) => Uint8Array, words: string];

/** One bit in the middle; of nothing, one byte more. */
function flipBit(bytes: Buffer, at = bytes.length >> 1): Buffer {
  if (bytes.length === 0) return Buffer.from([0]);
  const changed = Buffer.from(bytes);
  changed[at] = (changed[at] ?? 0) ^ 1;
  return changed;
}

const read = (bytes: Buffer): JsonObject | undefined => {
  const value = parseJson(bytes.toString('utf8'));
  return isJsonObject(value) ? value : undefined;
};

/** One bit of a header that stays a header of the same algorithms; of one that has nothing else, of its last byte. */
function flipHeaderBit(bytes: Buffer): Buffer {
  const before = read(bytes);
  for (let at = bytes.length - 1; at >= 0; at -= 1) {
    const changed = flipBit(bytes, at);
    const after = read(changed);
    if (after !== undefined && ['alg', 'enc', 'zip', 'epk'].every((name) => sameText(before?.[name], after[name])))
      return changed;
  }
  return flipBit(bytes, bytes.length - 1);
}

const sameText = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

const withMember =
  (member: string) =>
  (bytes: Buffer): Buffer =>
    Buffer.from(bytes.toString('utf8').replace(/\}\s*$/, () => `,${member}}`));

const alterations: Readonly<Record<string, Alteration>> = {
  'header-bit': ['header', flipHeaderBit, 'one bit of the header flipped'],
  'header-member': ['header', withMember('"x":1'), 'a member x added to the header'],
  'header-zip': ['header', withMember('"zip":"DEF"'), 'zip DEF added to the header'],
  'key-bit': ['key', (bytes) => flipBit(bytes), 'one bit of the encrypted key flipped'],
  'iv-bit': ['iv', (bytes) => flipBit(bytes), 'one bit of the initialization vector flipped'],
  'text-bit': ['text', (bytes) => flipBit(bytes), 'one bit of the ciphertext flipped'],
  'tag-bit': ['tag', (bytes) => flipBit(bytes), 'one bit of the tag flipped'],
  'tag-12-bytes': ['tag', (bytes) => bytes.subarray(0, 12), 'the tag cut to 12 bytes'],
  'tag-4-bytes': ['tag', (bytes) => bytes.subarray(0, 4), 'the tag cut to 4 bytes'],
  'tag-empty': ['tag', () => Buffer.alloc(0), 'the tag taken out'],
};

/** The names that `alter:` takes in a suite. */
export const alterationNames: readonly string[] = Object.keys(alterations);

/** What an alteration does, in words. */
export const describeAlteration = (name: string): string =>
  (Object.hasOwn(alterations, name) ? alterations[name]?.[2] : undefined) ?? name;

/** A compact JWE with one part altered; undefined where it has not five parts. Throws TypeError for an unknown name. */
export function alterJwe(jwe: string, name: string): string | undefined {
  const [part, change] = (Object.hasOwn(alterations, name) ? alterations[name] : undefined) ?? [];
  if (part === undefined || change === undefined) throw new TypeError(`unknown alteration ${name}`);
  const segments = jwe.split('.');
  if (segments.length !== parts.length) return undefined;
  return segments
    .map((segment, at) =>
      parts[at] === part ? Buffer.from(change(Buffer.from(segment, 'base64url'))).toString('base64url') : segment,
    )
    .join('.');
}
