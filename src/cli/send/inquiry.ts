import type { Readable } from 'node:stream';
import { serverInitiated } from '../../interfaces/server-initiated/interface.ts';
import { type Json, parseJson } from '../../lib/json.ts';
import type { Target } from '../../model/target.ts';
import { compileGenerated, escapeTemplates } from '../../suite/compile/suite.ts';
import type { Case, Suites } from '../../suite/suites.ts';
import { keyNames } from '../../wire/build/keys.ts';
import { tamperNames } from '../../wire/build/tamper.ts';
import { isCredentialHeader } from '../../wire/record/recorder.ts';
import { readInput } from '../decode/input.ts';
import { sendDefinition } from '../definitions/desk.ts';
import { hintFor } from '../shared/choose.ts';
import type { CommandInputs } from '../shared/command.ts';
import { inputName, usageError } from '../shared/inputs.ts';
import type { MessageParts } from './message.ts';

/** The flags, with the parts of the message that a file names. */
export type SendFlags = CommandInputs<typeof sendDefinition> & MessageParts;

type Secret = readonly [what: string, secret: string];

/** A case built from the flags of `send`, and the parts of it to show. */
export interface Inquiry {
  readonly case: Case;
  /** Step whose request is shown first. */
  readonly step: string;
  /** Later steps whose requests are also shown. */
  readonly others?: readonly string[];
  /** A refusal is not a failure, because the flags may provoke it. */
  readonly mayBeRefused: boolean;
  readonly awaits?: 'callback' | 'event';
  /** Description of the wait: subscriber, place and duration. */
  readonly awaiting?: string;
  /** Expected path and query of a delivery; others are only mentioned. */
  readonly at?: string | undefined;
  /** Credentials, besides those in NAME=VALUE flags; none of them are recorded. */
  readonly secrets?: readonly Secret[];
  /** Describes the placeholders in a dry run. */
  readonly open?: string | undefined;
  /** The request cancels an earlier one. */
  readonly cancels?: true;
  /** Area whose cases also run and whose rules are all listed. */
  readonly area?: string;
}

/** Throws if the target lacks the client or the subscriber tag. */
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

interface InquiryDraft extends Omit<Inquiry, 'case'> {
  readonly id: string;
  readonly title: string;
  readonly steps: readonly Json[];
}

/** Compiles the steps as one case of the suite language. Throws the first mistake in the flags. */
export function compileInquiry(
  { client, subscriber }: SendFlags,
  { id, title, steps, ...inquiry }: InquiryDraft,
): Inquiry {
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

/** `other` means an unregistered key. */
export function parseKey(name: string): string {
  const key = name === 'other' ? 'unregistered' : name;
  if (keyNames.has(key)) return key;
  throw usageError(`--key: "${name}" is none of other, ${[...keyNames].join(', ')}`);
}

/** Parses `name=value` pairs: the value is JSON if it parses, else text; templates are allowed. */
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

const isEmptyObject = (value: object): boolean => Object.keys(value).length === 0;

/** Drops absent members and empty lists or mappings. */
export const dropEmpty = (members: Readonly<Record<string, Json | undefined>>): Record<string, Json> =>
  Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) => (value === undefined || isEmpty(value) ? [] : [[name, value]])),
  );

/** True if a flag is set, on the command line or by a default such as that of `--client`. */
export const isFlagSet = (value: unknown): boolean =>
  value !== undefined && value !== false && !(typeof value === 'object' && value !== null && isEmptyObject(value));

/** Name of a flag, or of a member of the message, in messages. */
export function inputLabel(name: string): string {
  const [, flag] = Object.entries(sendDefinition.flags).find(([one]) => one === name) ?? [];
  return flag === undefined ? `${name} of --message` : inputName(flag.spec);
}

export interface InquiryContext {
  readonly suites: Suites;
  readonly target: Target;
  /** The carrier runs only inside this command: nothing else can act on it. */
  readonly embedded: boolean;
  readonly stdin: Readable | undefined;
  /** Dry run: values of earlier answers become placeholders. */
  readonly dry: boolean;
}

/** Reads a credential: the text itself, `@file`, or `-` for stdin, which keeps it off the command line. */
export async function readCredential(flag: string, given: string, stdin: Readable | undefined): Promise<string> {
  const text = given === '-' || given.startsWith('@') ? await readInput(given, stdin) : given;
  const value = text.trim();
  if (value === '' || /[^\x21-\x7e]/.test(value)) throw usageError(`${flag}: this is no token`);
  return escapeTemplates(value);
}

/** Minimum length of a secret: shorter values occur by chance. */
const minSecretLength = 6;

const isSecretName = (name: string): boolean => serverInitiated.secretMembers.has(name) || isCredentialHeader(name);

/** Returns the value of a credential name, without an authentication scheme before it. */
function findSecret(name: string, given: string): readonly Secret[] {
  const value = given.replace(/^[A-Za-z]+ +/, '');
  return isSecretName(name) && value.length >= minSecretLength && !value.includes('{{') ? [[name, value]] : [];
}

function parseSecretPair(pair: string): readonly Secret[] {
  const at = pair.indexOf('=');
  return findSecret(pair.slice(0, at), pair.slice(at + 1));
}

/** Credentials in `NAME=VALUE` flags and in the mappings of a message. */
export const flagSecrets = ({
  claim,
  header,
  parameters,
  http_headers,
}: Pick<SendFlags, 'claim' | 'header' | 'parameters' | 'http_headers'>): readonly Secret[] => [
  ...[...claim, ...header].flatMap(parseSecretPair),
  ...[...Object.entries(parameters), ...Object.entries(http_headers)].flatMap(([name, value]) =>
    typeof value === 'string' ? findSecret(name, value) : [],
  ),
];

/** Credential of a flag that is a credential itself. */
export const credentialSecret = (what: string, value: string | undefined): readonly Secret[] =>
  value === undefined || value.length < minSecretLength ? [] : [[what, value]];
