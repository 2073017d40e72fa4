import type { Readable } from 'node:stream';
import { literal } from '../../suite/compile/generated.ts';
import { serverInitiated } from '../../interfaces/server-initiated/interface.ts';
import { readInput } from '../decode/input.ts';
import { usageError } from '../shared/inputs.ts';

/** A credential of a flag: the text itself, `@file`, or `-` for stdin, so that it need not stand on the command line. */
export async function readCredential(flag: string, given: string, stdin: Readable | undefined): Promise<string> {
  const text = given === '-' || given.startsWith('@') ? await readInput(given, stdin) : given;
  const value = text.trim();
  if (value === '' || /[^\x21-\x7e]/.test(value)) throw usageError(`${flag}: this is no token`);
  return literal(value);
}

/** Shorter than this a value stands in too much else. */
const shortest = 6;

/** Header fields of a request that carry a credential (RFC 9110 §11.6, §4.7 of the interface). */
const credentialFields: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'x-authorization',
  'cookie',
]);

const isSecret = (name: string): boolean =>
  serverInitiated.secretMembers.has(name) || credentialFields.has(name.toLowerCase());

/** What flags of `NAME=VALUE` give that is a credential by its name, the scheme before it left out. */
export const secretsIn = (
  ...flags: readonly (readonly string[] | undefined)[]
): readonly (readonly [string, string])[] =>
  flags.flatMap((pairs = []) =>
    pairs.flatMap((pair) => {
      const at = pair.indexOf('=');
      const [name, value] = [pair.slice(0, at), pair.slice(at + 1).replace(/^[A-Za-z]+ +/, '')];
      return isSecret(name) && value.length >= shortest && !value.includes('{{') ? [[name, value] as const] : [];
    }),
  );

/** The same of a flag that is a credential itself. */
export const secretIn = (what: string, value: string | undefined): readonly (readonly [string, string])[] =>
  value === undefined || value.length < shortest ? [] : [[what, value]];
