import { createHash } from 'node:crypto';
import type { IdShape } from './setup-grammar.ts';

const alphabets: Readonly<Record<NonNullable<IdShape['characters']>, string>> = {
  digits: '0123456789',
  hex: '0123456789abcdef',
  letters: 'abcdefghijklmnopqrstuvwxyz',
  mixed: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
};

/** The same id for the same name, in this shape. */
export function idOf(name: string, { prefix = '', length = 20, characters = 'hex' }: IdShape): string {
  const alphabet = alphabets[characters];
  const bytes = Array.from({ length: Math.ceil(length / 32) }, (_, block) =>
    createHash('sha256').update(`${name} ${block}`).digest(),
  );
  const wanted = Buffer.concat(bytes).subarray(0, length);
  const letters = Array.from(wanted, (byte) => alphabet[byte % alphabet.length]);
  return `${prefix}${letters.join('')}`;
}
