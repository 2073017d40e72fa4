import type { Readable } from 'node:stream';
import { literal } from '../../suite/compile/generated.ts';
import { readInput } from '../decode/input.ts';
import { usageError } from '../shared/inputs.ts';

/** A credential of a flag: the text itself, `@file`, or `-` for stdin, so that it need not stand on the command line. */
export async function readCredential(flag: string, given: string, stdin: Readable | undefined): Promise<string> {
  const text = given === '-' || given.startsWith('@') ? await readInput(given, stdin) : given;
  const value = text.trim();
  if (value === '' || /[^\x21-\x7e]/.test(value)) throw usageError(`${flag}: this is no token`);
  return literal(value);
}
