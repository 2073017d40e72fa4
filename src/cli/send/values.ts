import type { Readable } from 'node:stream';
import { literal } from '../../suite/compile/suite.ts';
import { serverInitiated } from '../../interfaces/server-initiated/interface.ts';
import { isCredentialHeader } from '../../wire/record/recorder.ts';
import { readInput } from '../decode/input.ts';
import { usageError } from '../shared/inputs.ts';

/** A credential of a flag: the text itself, `@file`, or `-` for stdin, so that it need not stand on the command line. */
export async function readCredential(flag: string, given: string, stdin: Readable | undefined): Promise<string> {
  const text = given === '-' || given.startsWith('@') ? await readInput(given, stdin) : given;
  const value = text.trim();
  if (value === '' || /[^\x21-\x7e]/.test(value)) throw usageError(`${flag}: this is no token`);
  return literal(value);
}

/** What a credential is, and the credential. */
type Secret = readonly [what: string, secret: string];

/** Shorter than this a value stands in too much else. */
const shortest = 6;

const isSecret = (name: string): boolean => serverInitiated.secretMembers.has(name) || isCredentialHeader(name);

/** A credential by its name, the word before it left out, whatever scheme it names. */
function secretOfPair(pair: string): readonly Secret[] {
  const at = pair.indexOf('=');
  const [name, value] = [pair.slice(0, at), pair.slice(at + 1).replace(/^[A-Za-z]+ +/, '')];
  return isSecret(name) && value.length >= shortest && !value.includes('{{') ? [[name, value]] : [];
}

/** The credentials that stand in flags of `NAME=VALUE`. */
export const secretsOf = (flags: object): readonly Secret[] =>
  Object.values(flags).flatMap((values: unknown) =>
    Array.isArray(values) ? values.flatMap((pair: unknown) => secretOfPair(String(pair))) : [],
  );

/** The same of a flag that is a credential itself. */
export const secretIn = (what: string, value: string | undefined): readonly Secret[] =>
  value === undefined || value.length < shortest ? [] : [[what, value]];
