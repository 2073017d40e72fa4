import { raisingActions as raising } from '../../interfaces/server-initiated/actions.ts';
import { eventKinds } from '../../interfaces/server-initiated/event-kinds.ts';
import { parseDuration } from '../../lib/duration.ts';
import { defineCommand } from '../shared/command.ts';
import { carrierFlags, heldFlags, json } from '../shared/flags.ts';
import { type Input, parsed, text, textOr, texts, toggle, usageError } from '../shared/inputs.ts';

/** Given without a duration it is true: until the request expires. */
const wait: Input<true | string | undefined> = {
  spec: '--wait [duration]',
  doc: 'wait for the callback: until the request expires, or as long as this',
  read: (raw) => (raw === true || typeof raw === 'string' ? raw : undefined),
};

export const sendDefinition = defineCommand({
  name: 'send',
  summary: 'send one request object and judge what comes of it',
  description:
    'Signs and sends one request object: the valid one, with the differences that the flags say. A value is JSON where it is JSON, else text, and may hold templates of the suite language.',
  args: {},
  flags: {
    claim: texts('--claim <name=value>', 'set a claim'),
    drop: texts('--drop <name>', 'leave a claim out'),
    header: texts('--header <name=value>', 'set a parameter of the JWT header'),
    dropHeader: texts('--drop-header <name>', 'leave one out'),
    beside: texts('--beside <name=value>', 'a member of the body beside request'),
    from: text(
      '--from <case>',
      'the request of a case, with the steps before it; the differences are those of the case',
    ),
    step: text('--step <name>', 'of --from: the step whose request it is; default: the first that judges a rule'),
    ...heldFlags,
    key: text('--key <name>', 'another signing key: other (not registered), second, of-second-client, secret, ...'),
    alg: text('--alg <name>', 'another algorithm'),
    tamper: text('--tamper <name>', 'a change to the finished JWS, such as payload-byte'),
    raw: text('--raw <file>', 'the text of this file is the whole body'),
    form: toggle('--form', 'form encoding instead of JSON'),
    client: textOr('--client <role>', 'the SP registration that sends', 'main'),
    subscriber: textOr('--subscriber <tag>', 'the subscriber who is asked', 'consented'),
    approve: toggle('--approve', 'the subscriber approves, by the driver of the target'),
    deny: toggle('--deny', 'the subscriber denies'),
    wait,
    ...carrierFlags,
    json,
  },
  examples: [
    '--claim context=Approve-order-4711',
    '--claim "iat={{ now - 6m }}" --drop jti',
    '--key other --header kid=unknown1',
    '--approve --wait --json',
    '--from iat-far-too-old/24h-old --curl',
  ],
});

const client = textOr('--client <role>', 'the SP registration that asks', 'main');
const subscriber = textOr('--subscriber <tag>', 'the subscriber whom it is about', 'consented');
const header = texts('--header <name=value>', 'an HTTP header field of the request; null as value leaves it out');
const param = texts('--param <name=value>', 'set a parameter of the body');
const drop = texts('--drop <name>', 'leave a parameter, or a member, of the body out');

/** What each has at its end. */
const shared = { ...heldFlags, ...carrierFlags, json };

const values = 'A value is JSON where it is JSON, else text, and may hold templates of the suite language.';

export const discoverDefinition = defineCommand({
  name: 'discover',
  summary: "fetch the carrier's configuration and keys, and judge every rule of discovery",
  description:
    'Fetches the OpenID configuration and the key sets it leads to, runs the cases of discovery, and lists each of its rules with its verdict.',
  args: {},
  flags: {
    mccmnc: text('--mccmnc <code>', 'the configuration for another carrier code; the cases do not run'),
    client,
    header,
    ...shared,
  },
  examples: ['', '--json', '--mccmnc 99999', '--curl'],
});

export const tenureDefinition = defineCommand({
  name: 'tenure',
  summary: 'ask whether the SIM of a subscriber is new',
  description: `Asks the SIM tenure endpoint about a subscriber, with the proof of possession that the target file describes, and judges the response. ${values}`,
  args: {},
  flags: {
    member: texts('--member <name=value>', 'set a member of the body, such as sub'),
    drop,
    header,
    proof: text('--proof <text>', 'this text as x-authorization in place of the proof; empty: no such header field'),
    key: text('--key <name>', 'another key for the proof: other (not registered), second, of-second-client, ...'),
    client,
    subscriber,
    ...shared,
  },
  examples: ['', '--subscriber unconsented', '--proof ""', '--member usertrait=device_tenure --json', '--curl'],
});

export const userinfoDefinition = defineCommand({
  name: 'userinfo',
  summary: 'ask for the profile of a subscriber',
  description:
    'Asks the user info endpoint with an access token, and judges the response. Without --token it sends a request object first, has it approved by the driver of the target, and takes the token of the callback.',
  args: {},
  flags: {
    token: text('--token <token>', 'an access token; @file reads it from a file, - from stdin'),
    scope: textOr('--scope <scopes>', 'the scopes that are asked for, where no token is given', 'openid name'),
    header,
    client,
    subscriber,
    ...shared,
  },
  examples: ['', '--client privileged --scope "openid name address"', '--token @token.txt'],
});

export const tokenDefinition = defineCommand({
  name: 'token',
  summary: 'make a token call',
  description: `Calls the token endpoint with a signed client assertion, and judges the response. Without --code or --refresh-token the driver of the target issues an authorization code first. ${values}`,
  args: {},
  flags: {
    code: text('--code <code>', 'the authorization code'),
    refreshToken: text('--refresh-token <token>', 'the refresh token; @file reads it from a file, - from stdin'),
    param,
    drop,
    key: text('--key <name>', 'another key for the client assertion: other (not registered), second, ...'),
    header,
    client,
    subscriber,
    ...shared,
  },
  examples: ['', '--drop client_assertion', '--key other --json', '--code 4d1f --curl'],
});

export const cancelDefinition = defineCommand({
  name: 'cancel',
  summary: 'cancel a pending request',
  description: `Sends a cancellation as the target file describes it, and shows the response; what it should be is open (C4.2). Without an id it sends a request object first, and cancels that. ${values}`,
  args: { id: text('[auth_req_id]', 'the id of the pending request') },
  flags: { param, drop, header, client, subscriber, ...shared },
  examples: ['', 'ccid-7Yk2mQ9ZpR4tV1xW8sB3nC6dF0g', '--drop client_assertion --json', '--curl'],
});

const kinds = Object.keys(eventKinds);

function oneOf(flag: string, name: string, names: readonly string[]): string {
  if (names.includes(name)) return name;
  throw usageError(`${flag}: "${name}" is none of ${names.join(', ')}`);
}

function durationOf(given: string): string {
  if (parseDuration(given) !== undefined) return given;
  throw usageError(`--within: "${given}" is no duration, such as 90s or 2m`);
}

export const eventsDefinition = defineCommand({
  name: 'events',
  summary: 'wait for an event and judge it',
  description:
    'Hosts the receiver of the target, waits for one event about a subscriber, decodes and judges it. With --trigger the driver of the target raises it; without, something else does, such as a person with a phone. At the embedded reference carrier --trigger is move-sim unless said.',
  args: {},
  flags: {
    trigger: parsed('--trigger <action>', `what raises it: ${raising.join(', ')}`, (given) =>
      oneOf('--trigger', given, raising),
    ),
    kind: parsed(
      '--kind <event>',
      `the kind that is awaited, where nothing triggers it: ${kinds.join(', ')}`,
      (given) => oneOf('--kind', given, kinds),
    ),
    within: parsed('--within <duration>', 'how long it waits; default: as long as the target says, or 10m', durationOf),
    client,
    subscriber,
    ...carrierFlags,
    json,
  },
  examples: ['', '--trigger swap-sim', '--trigger factory-reset --json'],
});
