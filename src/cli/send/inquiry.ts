import type { Readable } from 'node:stream';
import { serverInitiated } from '../../interfaces/server-initiated/interface.ts';
import { type Json, parseJson } from '../../lib/json.ts';
import type { Target } from '../../model/target.ts';
import { compileGenerated, literal } from '../../suite/compile/suite.ts';
import type { Case, Suites } from '../../suite/suites.ts';
import { keyNames } from '../../wire/build/keys.ts';
import { tamperNames } from '../../wire/build/tamper.ts';
import { isCredentialHeader } from '../../wire/record/recorder.ts';
import { readInput } from '../decode/input.ts';
import type { sendDefinition } from '../definitions/desk.ts';
import { hintFor } from '../shared/choose.ts';
import type { Given } from '../shared/command.ts';
import { usageError } from '../shared/inputs.ts';

export type SendFlags = Given<typeof sendDefinition>;

type Secret = readonly [what: string, secret: string];

/** A case made of the flags of `send`, and the parts of it to show. */
export interface Inquiry {
  readonly case: Case;
  /** The step whose request is shown first. */
  readonly step: string;
  /** Steps after it whose requests are shown as well. */
  readonly others?: readonly string[];
  /** A refusal may be what the flags are after: it is no failure. */
  readonly mayBeRefused: boolean;
  readonly awaits?: 'callback' | 'event';
  /** The same in more words: whom it is about, where, how long. */
  readonly awaiting?: string;
  /** Path and query at which what is awaited comes; what comes elsewhere is only named. */
  readonly at?: string | undefined;
  /** Credentials beside those that flags of NAME=VALUE give: no record shows either. */
  readonly secrets?: readonly Secret[];
  /** What a dry run leaves open in the request, in words. */
  readonly open?: string | undefined;
  /** Its request cancels what went before. */
  readonly cancels?: true;
  /** The area whose cases run beside it: each of its rules is listed. */
  readonly area?: string;
}

/** A role or a tag that the target has not would make the request impossible. */
export function requireParties({ client, subscriber }: SendFlags, target: Target): void {
  const roles = target.clients.map(({ name }) => name);
  const tags = [...new Set(target.subscribers.flatMap(({ tags: own }) => own))];
  const all = (names: readonly string[]): string => `the target file has ${names.join(', ')}`;
  if (!roles.includes(client)) {
    throw usageError(`--client: the target file has no client ${client}; ${hintFor(client, roles, all(roles))}`);
  }
  if (!tags.includes(subscriber)) {
    const hint = hintFor(subscriber, tags, all(tags));
    throw usageError(`--subscriber: no subscriber of the target file has the tag ${subscriber}; ${hint}`);
  }
}

interface Asked extends Omit<Inquiry, 'case'> {
  readonly id: string;
  readonly title: string;
  readonly steps: readonly Json[];
}

/** The request that the flags describe, as one case of the suite language. Throws with the first mistake in them. */
export function asked({ client, subscriber }: SendFlags, { id, title, steps, ...inquiry }: Asked): Inquiry {
  const { cases, problems } = compileGenerated([{ id, title, client, subscriber, steps: [...steps] }], {
    source: 'command line',
    area: id,
    verbs: serverInitiated.verbs,
    tampers: tamperNames,
  });
  const [first] = problems;
  if (first !== undefined) {
    const tampers = first.message.startsWith('there is no tamper')
      ? 'carrierspec list --kind tamper has them'
      : undefined;
    throw usageError([first.message, first.hint ?? tampers].filter(Boolean).join('; '));
  }
  const [compiled] = cases;
  if (compiled === undefined) throw usageError('nothing to send');
  return { case: { ...compiled, watched: false, alone: true }, ...inquiry };
}

/** `other` is short for a key that is not registered. */
export function parseKey(name: string): string {
  const key = name === 'other' ? 'unregistered' : name;
  if (keyNames.has(key)) return key;
  throw usageError(`--key: "${name}" is none of other, ${[...keyNames].join(', ')}`);
}

/** `name=value`: JSON where it is JSON, else the text itself; templates may stand in it. */
export function parsePairs(flag: string, pairs: readonly string[]): Record<string, Json> {
  const members = pairs.map((pair): [string, Json] => {
    const at = pair.indexOf('=');
    if (at < 1) throw usageError(`${flag}: "${pair}" is not NAME=VALUE`);
    const text = pair.slice(at + 1);
    const value = parseJson(text);
    return [pair.slice(0, at), value === undefined ? text : value];
  });
  return Object.fromEntries(members);
}

const isEmpty = (value: Json | undefined): boolean =>
  value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);

/** The members that are there: neither absent nor an empty list or mapping. */
export const given = (members: Readonly<Record<string, Json | undefined>>): Record<string, Json> =>
  Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) => (value === undefined || isEmpty(value) ? [] : [[name, value]])),
  );

/** A flag that is neither off nor left out; `--client` and others have a default. */
export const isGiven = (value: unknown): boolean =>
  value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);

export interface AtHand {
  readonly suites: Suites;
  readonly target: Target;
  /** The carrier ends with the command: nothing but the command can make anything happen there. */
  readonly embedded: boolean;
  readonly stdin: Readable | undefined;
  /** Nothing is sent: what an earlier answer would bring is left open. */
  readonly dry: boolean;
}

/** A credential of a flag: the text itself, `@file`, or `-` for stdin, so that it need not stand on the command line. */
export async function readCredential(flag: string, given: string, stdin: Readable | undefined): Promise<string> {
  const text = given === '-' || given.startsWith('@') ? await readInput(given, stdin) : given;
  const value = text.trim();
  if (value === '' || /[^\x21-\x7e]/.test(value)) throw usageError(`${flag}: this is no token`);
  return literal(value);
}

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
