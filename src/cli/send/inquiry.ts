import type { Readable } from 'node:stream';
import { serverInitiated } from '../../interfaces/server-initiated/interface.ts';
import { type Json, parseJson } from '../../lib/json.ts';
import type { Target } from '../../model/target.ts';
import { compileGenerated } from '../../suite/compile/suite.ts';
import type { Case, Suites } from '../../suite/suites.ts';
import { keyNames } from '../../wire/build/keys.ts';
import { tamperNames } from '../../wire/build/tamper.ts';
import type { sendDefinition } from '../definitions/send.ts';
import { hintFor } from '../shared/choose.ts';
import type { Given } from '../shared/command.ts';
import { usageError } from '../shared/inputs.ts';

/** Arguments and flags of `send`. */
export type SendFlags = Given<typeof sendDefinition>;

/** A case made of the flags of `send`, and the parts of it to show. */
export interface Inquiry {
  readonly case: Case;
  /** The step whose request is shown first. */
  readonly step: string;
  /** Steps after it whose requests are shown as well. */
  readonly others?: readonly string[];
  /** A refusal may be what the flags are after: it is no failure. */
  readonly mayBeRefused: boolean;
  /** What is awaited, where something is. */
  readonly awaits?: 'callback' | 'event';
  /** The same in more words: whom it is about, where, how long. */
  readonly awaiting?: string;
  /** Path and query at which what is awaited comes; what comes elsewhere is only named. */
  readonly at?: string | undefined;
  /** Credentials beside those that flags of NAME=VALUE give: no record shows either. */
  readonly secrets?: readonly (readonly [what: string, secret: string])[];
  /** What a dry run leaves open in the request, in words. */
  readonly open?: string | undefined;
  /** Its request cancels what went before. */
  readonly cancels?: true;
  /** The area whose cases run beside it: each of its rules is listed. */
  readonly area?: string;
}

interface Parties {
  readonly client: string;
  readonly subscriber: string;
}

/** A role or a tag that the target has not would make the request impossible. */
export function requireParties({ client, subscriber }: Parties, target: Target): void {
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

interface Asked extends Parties {
  /** The endpoint. */
  readonly id: string;
  readonly title: string;
  readonly steps: readonly Json[];
}

/** The request that the flags describe, as one case of the suite language. Throws with the first mistake in them. */
export function compileAsked({ id, title, client, subscriber, steps }: Asked): Case {
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
  return { ...compiled, watched: false, alone: true };
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

/** What is at hand when the flags become an inquiry. */
export interface AtHand {
  readonly suites: Suites;
  readonly target: Target;
  /** The carrier ends with the command: nothing but the command can make anything happen there. */
  readonly embedded: boolean;
  readonly stdin: Readable | undefined;
  /** Nothing is sent: what an earlier answer would bring is left open. */
  readonly dry: boolean;
}
