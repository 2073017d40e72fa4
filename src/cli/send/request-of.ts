import { serverInitiated } from '../../interfaces/server-initiated/interface.ts';
import { whyNot } from '../../lib/errors.ts';
import { readTextOf } from '../../lib/read-file.ts';
import type { Given } from '../shared/command.ts';
import { hintFor } from '../shared/choose.ts';
import { nameIn, usageError } from '../shared/inputs.ts';
import { sendDefinition } from '../definitions.ts';
import { compileGenerated, literal } from '../../suite/compile/generated.ts';
import { parseDuration } from '../../lib/duration.ts';
import { keyNames } from '../../wire/build/keys.ts';
import { tamperNames } from '../../wire/build/tamper.ts';
import { type Json, parseJson } from '../../lib/json.ts';
import type { Case, Suites } from '../../suite/suites.ts';
import type { Target } from '../../model/target.ts';
import { defined } from '../../lib/optional.ts';
import { type FromCase, takeFromCase } from './from-case.ts';

type SendFlags = Given<typeof sendDefinition>;

/** `name=value`: JSON where it is JSON, else the text itself; templates may stand in it. */
function parsePairs(flag: string, pairs: readonly string[]): Record<string, Json> {
  const members = pairs.map((pair): [string, Json] => {
    const at = pair.indexOf('=');
    if (at < 1) throw usageError(`${flag}: "${pair}" is not NAME=VALUE`);
    const text = pair.slice(at + 1);
    const value = parseJson(text);
    return [pair.slice(0, at), value === undefined ? text : value];
  });
  return Object.fromEntries(members);
}

/** `other` is short for a key that is not registered. */
function parseKey(name: string): string {
  const key = name === 'other' ? 'unregistered' : name;
  if (keyNames.has(key)) return key;
  throw usageError(`--key: "${name}" is none of other, ${[...keyNames].join(', ')}`);
}

function readBody(file: string): string {
  try {
    return literal(readTextOf(file, 'body'));
  } catch (cause) {
    throw usageError(`--raw: ${file} cannot be read: ${whyNot('read', cause)}`);
  }
}

const present = (name: string, value: Json | undefined): Record<string, Json> =>
  value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
    ? {}
    : { [name]: value };

function differenceOf(shape: SendFlags): Json {
  return {
    ...present('claims', parsePairs('--claim', shape.claim)),
    ...present('drop', shape.drop),
    ...present('header', parsePairs('--header', shape.header)),
    ...present('dropHeader', shape.dropHeader),
    ...present('beside', parsePairs('--beside', shape.beside)),
    ...present('key', shape.key === undefined ? undefined : parseKey(shape.key)),
    ...present('alg', shape.alg),
    ...present('tamper', shape.tamper),
    ...present('text', shape.raw === undefined ? undefined : readBody(shape.raw)),
    ...(shape.form ? { form: true } : {}),
  };
}

/** The end of the wait: half a minute after the time that the carrier granted, for the error callback of a timeout. */
function untilOf(wait: true | string): string {
  if (wait === true) return 'request + request.granted + 30s';
  const seconds = parseDuration(wait);
  if (seconds === undefined) throw usageError(`--wait: "${wait}" is no duration, such as 90s or 2m`);
  return `request + ${wait}`;
}

/** The keys that verify an id token, and the algorithms the carrier says it signs with. */
const lookUps = ({ discovery }: Target): readonly Json[] => [
  { http: { to: 'jwks' } },
  ...(discovery === undefined ? [] : [{ http: { to: 'discovery' } }]),
];

function stepsOf(shape: SendFlags, target: Target): readonly Json[] {
  const { wait, approve, deny } = shape;
  return [
    { as: 'request', authorize: differenceOf(shape), expect: 'answered' },
    ...(approve ? [{ as: 'approval', trigger: 'approve' }] : []),
    ...(deny ? [{ as: 'denial', trigger: 'deny' }] : []),
    ...(wait === undefined
      ? []
      : [{ as: 'result', await: 'callback', until: untilOf(wait), expect: 'delivered' }, ...lookUps(target)]),
  ];
}

/** The flags as one case of the suite language. Throws with every mistake in them. */
function compileSend(shape: SendFlags, target: Target): Case {
  if (shape.approve && shape.deny) throw usageError('--approve and --deny: the subscriber does one or the other');
  const given: Json = {
    id: 'send',
    title: 'One request object',
    client: shape.client,
    subscriber: shape.subscriber,
    steps: stepsOf(shape, target),
  };
  const { cases, problems } = compileGenerated([given], {
    source: 'command line',
    area: 'send',
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
  return { ...compiled, watched: false };
}

/** A role or a tag that the target has not would make the request impossible. */
function requireParties({ client, subscriber }: SendFlags, target: Target): void {
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

/** Flags that say what is sent: with --from the case does. */
const ownFlags = [
  'claim',
  'drop',
  'header',
  'dropHeader',
  'beside',
  'key',
  'alg',
  'tamper',
  'raw',
  'form',
  'approve',
  'deny',
  'wait',
] as const;

const isGiven = (value: unknown): boolean =>
  value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);

/** The request that the flags describe, or that of a case. Throws with every mistake in the flags. */
export function chooseRequest(
  flags: SendFlags,
  { suites, target }: { readonly suites: Suites; readonly target: Target },
): FromCase {
  const { from, step } = flags;
  if (from === undefined) {
    if (step !== undefined) throw usageError('--step: needs --from');
    requireParties(flags, target);
    return { case: compileSend(flags, target), step: 'request' };
  }
  const other = ownFlags.find((name) => isGiven(flags[name]));
  if (other !== undefined) {
    throw usageError(`${nameIn(sendDefinition.flags[other].spec)}: with --from the request is that of the case`);
  }
  return takeFromCase({ from, ...defined({ step }) }, suites);
}
