import type { ServerHabits } from '../../carrier/http/habits.ts';
import { isJsonObject, type JsonObject, omitUndefined } from '../../lib/json.ts';
import {
  flag,
  type Grammar,
  integer,
  json,
  list,
  mapped,
  mapping,
  members,
  named,
  object,
  pattern,
  type ReadValue,
  nonEmptyText,
  word,
} from '../../suite/grammar/grammar.ts';
import { citeList, kebabName, nonEmptyTexts } from '../../suite/grammar/common-shapes.ts';

const pathGrammar = pattern('^(/[^?#]*)?$', { title: 'a path' });

/** Shape of ids. */
const idShapeGrammar = (description: string) =>
  members(
    {
      prefix: pattern('^[!-~]*$', { title: 'characters' }),
      length: integer(1, 200, { title: 'a length', description: 'Characters after the prefix.' }),
      characters: word(['digits', 'hex', 'letters', 'mixed', 'marks'], {
        title: 'digits, hex, letters, mixed or marks',
      }),
    },
    { title: 'a shape of ids', description },
  );

const keyTypeGrammar = word(['rsa-2048', 'rsa-3072', 'rsa-4096', 'es256'], { title: 'a type of key' });
const carrierCodeGrammar = pattern('^[0-9]{5,6}$', { title: 'a carrier code' });
const urisGrammar = list(nonEmptyText({ title: 'a URI' }), { minItems: 1, title: 'a list of URIs' });

const pathsGrammar = members(
  {
    server_initiated: pathGrammar,
    authorization: pathGrammar,
    token: pathGrammar,
    userinfo: pathGrammar,
    jwks: pathGrammar,
    cancel: pathGrammar,
    discovery_ui: pathGrammar,
  },
  { title: 'paths' },
);

/** Words from which the registrations and the target file are made. */
const setupGrammar = members(
  {
    code: carrierCodeGrammar,
    own_codes: list(carrierCodeGrammar, { title: 'further codes of the carrier', minItems: 1 }),
    foreign_codes: list(carrierCodeGrammar, { title: 'codes of other carriers', minItems: 1 }),
    base: pathGrammar,
    discovery_host: word(['localhost'], { title: 'localhost' }),
    paths: pathsGrammar,
    client_ids: idShapeGrammar('Ids of clients.'),
    subs: idShapeGrammar('Pairwise subscriber ids, after the carrier code and the dash.'),
    kids: idShapeGrammar("Kids of the clients' keys."),
    keys: keyTypeGrammar,
    two_keys: list(keyTypeGrammar, { title: 'the keys of the client two-keys', minItems: 2 }),
    phones: pattern('^\\+[1-9][0-9]{4,13}$', { title: 'the beginning of phone numbers' }),
    sites: list(nonEmptyText({ title: 'a host' }), { title: 'hosts of the two SPs', minItems: 2, maxItems: 2 }),
    redirect_uris: urisGrammar,
    notification_uris: urisGrammar,
    event_uri: nonEmptyText({ title: 'a URI' }),
    consented: list(nonEmptyText({ title: 'a scope' }), {
      title: 'further scopes that were consented to before',
      minItems: 1,
    }),
    without_scopes: list(nonEmptyText({ title: 'a scope' }), {
      title: 'scopes that no SP is registered for',
      minItems: 1,
    }),
    without_attributes: list(nonEmptyText({ title: 'an attribute' }), { title: 'attributes', minItems: 1 }),
  },
  { title: 'words of the setup', description: 'The registrations, and the address of the carrier.' },
);

export type CarrierSetup = NonNullable<ReadValue<typeof setupGrammar>>;
export type IdShape = NonNullable<CarrierSetup['subs']>;
export type KeyType = NonNullable<CarrierSetup['keys']>;

/** HTTP habits of the carrier that leave its messages unchanged. */
const habitsGrammar: Grammar<ServerHabits> = members(
  {
    connection: word(['keep', 'close', 'short'], { title: 'keep, close or short' }),
    date: word(['right', 'missing', 'ahead', 'behind', 'slow', 'wrong', 'epoch', 'end', 'garbage', 'moving'], {
      title: 'a kind of Date',
    }),
    headerNames: word(['lower', 'title', 'upper'], { title: 'lower, title or upper' }),
    notFound: word(['json', 'html', 'text', 'empty'], { title: 'json, html, text or empty' }),
    json: word(['plain', 'pretty', 'sorted', 'reversed', 'escaped'], { title: 'a way to write JSON' }),
    charset: word(['spaced', 'tight', 'upper', 'none'], { title: 'spaced, tight, upper or none' }),
    more: word(['none', 'security', 'gateway', 'cookies'], { title: 'none, security, gateway or cookies' }),
    length: word(['counted', 'chunked'], { title: 'counted or chunked' }),
    coding: word(['none', 'gzip', 'br', 'deflate'], { title: 'none, gzip, br or deflate' }),
  },
  { title: 'habits of the server', description: 'How the carrier speaks HTTP, without a change of what it says.' },
);

const recordGrammar = (title: string, description: string): Grammar<JsonObject> =>
  mapped(json({ type: 'object', title, description, minProperties: 1 }), ({ value }) =>
    isJsonObject(value) ? value : undefined,
  );

const choiceGrammar = object(
  {
    policy: recordGrammar('values of the policy', "The carrier's numbers and switches (src/carrier/policy.ts)."),
    variants: nonEmptyTexts('a list of variants', 'Variants of the carrier (src/lab/variants/).', {
      minItems: 1,
    }),
    setup: setupGrammar,
    server: habitsGrammar,
    target: recordGrammar(
      'a patch of the target file',
      'Changes to the target file of such a carrier; null takes a key out.',
    ),
    warns: mapping(nonEmptyText({ title: 'a reason' }), {
      title: 'warns',
      description: 'Rules that warn of it by a decision, with the decision: it conforms, and another way is better.',
    }),
    excludes: mapping(nonEmptyText({ title: 'a reason' }), {
      title: 'excludes',
      description:
        'Choices (`freedom/choice`), or freedoms in any but their plain choice, that it cannot go with, with the reason.',
    }),
  },
  { title: 'a choice' },
);

const freedomGrammar = object(
  {
    id: kebabName('Its id.', 'callback-latency'),
    clause: pattern('^[0-9]+(\\.[0-9]+)?$', {
      title: 'a clause such as "4.2"',
      description: 'The clause that leaves it open.',
    }),
    cites: citeList,
    description: nonEmptyText({ title: 'a sentence', description: 'The behaviour that is left open.' }),
    history: flag({ description: 'It shows only in what one case leaves to another.' }),
    choices: mapping(named('choice', choiceGrammar), {
      title: 'choices',
      description: 'The choices by name; the first is the plain carrier.',
      // JavaScript puts a name of digits before all others.
      propertyNames: { pattern: '^[a-z][a-z0-9_-]*$' },
    }),
  },
  { required: ['id', 'clause', 'description', 'choices'], title: 'a freedom' },
);

/** Grammar of fixtures/space/freedoms.yaml. */
export const freedomsGrammar = object(
  { freedoms: list(named('freedom', freedomGrammar), { title: 'a list of freedoms' }) },
  {
    title: 'a file of freedoms',
    description: 'The behaviours that the interface leaves to a carrier; a conforming carrier is one choice for each.',
    required: ['freedoms'],
  },
);

export type ParsedFreedom = NonNullable<ReadValue<typeof freedomGrammar>>;

/** One thing that the interface leaves to a carrier. */
export interface Freedom {
  readonly id: string;
  readonly clause: string;
  /** Principles and decisions of suites/decisions.md. */
  readonly cites: readonly string[];
  readonly description: string;
  /** Shows only in what one case leaves to another; the carriers on which faults are proved are plain in it. */
  readonly history?: true;
  /** In the order of the file; the first is the plain carrier. */
  readonly choices: readonly FreedomChoice[];
}

export interface FreedomChoice {
  readonly name: string;
  /** Values of the carrier's policy. */
  readonly policy?: JsonObject;
  readonly variants?: readonly string[];
  readonly setup?: CarrierSetup;
  readonly server?: ServerHabits;
  /** Patch of the target file. */
  readonly target?: JsonObject;
  /** Reasons, by the id of a rule that warns. */
  readonly warns: Readonly<Record<string, string>>;
  /** Reasons by `freedom/choice`, or by `freedom` for all of its choices but the plain one. */
  readonly excludes: Readonly<Record<string, string>>;
}

export const choiceName = (id: string, called: string): string => `${id}/${called}`;

/** Converts a freedom of the file; its mistakes are reported elsewhere. */
export function convertFreedom({
  id = '',
  clause = '',
  cites: cited = [],
  description = '',
  history = false,
  choices = [],
}: ParsedFreedom): Freedom {
  return {
    id,
    clause,
    cites: cited,
    description,
    ...(history ? { history } : {}),
    choices: choices.map(([called, { policy, variants, setup, server, target, warns = [], excludes = [] }]) => ({
      name: called,
      ...omitUndefined({ policy, variants, setup, server, target }),
      warns: Object.fromEntries(warns),
      excludes: Object.fromEntries(excludes),
    })),
  };
}
