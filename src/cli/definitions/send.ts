import { raisingActions as raising } from '../../interfaces/server-initiated/actions.ts';
import { endpoints } from '../../interfaces/server-initiated/endpoints.ts';
import { eventKinds } from '../../interfaces/server-initiated/event-kinds.ts';
import { parseDuration } from '../../lib/duration.ts';
import { defineCommand } from '../shared/command.ts';
import { carrierFlags, json } from '../shared/flags.ts';
import { type Input, parseChoice, parsed, text, textOr, texts, toggle, usageError } from '../shared/inputs.ts';

type EndpointName = keyof typeof endpoints;

/** An endpoint of the carrier that the SP asks, or `events`, where the SP is the one that is asked. */
export type Asked = Exclude<EndpointName, 'authorization'> | 'events';

const isAsked = (name: string): name is Asked => name !== 'authorization';

/** Every endpoint of the interface but the one that a browser asks. */
export const askedNames: readonly Asked[] = [...Object.keys(endpoints), 'events'].filter(isAsked);

const usualEndpoint: Asked = 'server_initiated';

function parseWait(given: string): string {
  if (parseDuration(given) !== undefined) return given;
  throw usageError(`--wait: "${given}" is no duration, such as 90s or 2m`);
}

/** Given without a duration it is true: until the request expires. */
const wait: Input<true | string | undefined> = {
  spec: '--wait [duration]',
  doc: 'wait for the callback: until the request expires, or as long as this; for the event: 10m, or as long as this',
  read: (raw) => (typeof raw === 'string' ? parseWait(raw) : raw === true ? true : undefined),
};

const kinds = Object.keys(eventKinds);

export const sendDefinition = defineCommand({
  name: 'send',
  summary: 'ask one endpoint of the carrier once, and judge the response',
  description: `Signs and sends one request to an endpoint of the carrier: the valid one, with the differences that the flags say. What it needs first it gets itself: a code, a token, a pending request. Endpoints: ${askedNames.join(', ')}; send events awaits one event instead. A value is JSON where it is JSON, else text, and may hold templates of the suite language.`,
  args: {
    endpoint: {
      spec: '[endpoint]',
      doc: 'the endpoint, by its name in the target file',
      initial: usualEndpoint,
      of: askedNames,
      read: (raw: unknown) =>
        parseChoice('endpoint', typeof raw === 'string' ? raw : usualEndpoint, { of: askedNames }),
    },
  },
  flags: {
    claim: texts('--claim <name=value>', 'set a claim of the request object'),
    param: texts('--param <name=value>', 'set a parameter of the body; of a request object, one beside it'),
    drop: texts('--drop <name>', 'leave out a claim of the request object; elsewhere, a parameter of the body'),
    header: texts('--header <name=value>', 'set a parameter of the JWT header of the request object'),
    dropHeader: texts('--drop-header <name>', 'leave out a parameter of the JWT header'),
    httpHeader: texts('--http-header <name=value>', 'set a header field of the HTTP request; null leaves it out'),
    from: text(
      '--from <case>',
      'the request of a case, with the steps before it; the differences are those of the case',
    ),
    step: text('--step <name>', 'of --from: the step whose request it is; default: the first that judges a rule'),
    key: text('--key <name>', 'another signing key: other (not registered), second, of-second-client, secret, ...'),
    alg: text('--alg <name>', 'another algorithm'),
    tamper: text('--tamper <name>', 'a change to the finished JWS, such as payload-byte'),
    raw: text('--raw <file>', 'the text of this file is the whole body'),
    form: toggle('--form', 'form encoding instead of JSON'),
    mccmnc: text('--mccmnc <code>', 'the configuration for another carrier code; the cases do not run'),
    proof: text('--proof <text>', 'this text as x-authorization in place of the proof; empty: no such header field'),
    token: text('--token <token>', 'an access token; @file reads it from a file, - from stdin'),
    scope: text('--scope <scopes>', 'the scopes to ask for, where no token is given; default: openid name'),
    code: text('--code <code>', 'the authorization code'),
    refreshToken: text('--refresh-token <token>', 'the refresh token; @file reads it from a file, - from stdin'),
    authReqId: text('--auth-req-id <id>', 'the pending request to cancel'),
    trigger: parsed('--trigger <action>', `the action that raises the event: ${raising.join(', ')}`, (given) =>
      parseChoice('--trigger', given, { of: raising }),
    ),
    kind: parsed('--kind <event>', `the kind to wait for, where nothing triggers it: ${kinds.join(', ')}`, (given) =>
      parseChoice('--kind', given, { of: kinds }),
    ),
    client: textOr('--client <role>', 'the SP registration that asks', 'main'),
    subscriber: textOr('--subscriber <tag>', 'the subscriber that the request is about', 'consented'),
    approve: toggle('--approve', 'the subscriber approves, by the driver of the target'),
    deny: toggle('--deny', 'the subscriber denies'),
    wait,
    curl: toggle('--curl', 'print the request, made and signed anew, as a command of curl, and do not send it'),
    dryRun: toggle(
      '--dry-run',
      'print the request as it would be sent, credentials redacted, and send nothing but what discovery needs',
    ),
    ...carrierFlags,
    json,
  },
  examples: [
    '--claim context=Approve-order-4711',
    '--claim "iat={{ now - 6m }}" --drop jti',
    '--key other --header kid=unknown1',
    '--approve --wait --json',
    '--from iat-far-too-old/24h-old --curl',
    'discovery',
    'usertrait --proof ""',
    'userinfo --client privileged --scope "openid name address"',
    'token --drop client_assertion --json',
    'cancel --auth-req-id ccid-7Yk2mQ9ZpR4tV1xW8sB3nC6dF0g',
    'events --trigger swap-sim',
  ],
});

type Flag = keyof (typeof sendDefinition)['flags'];

/** Flags that go with every endpoint. */
const everywhere: readonly Flag[] = ['client', 'subscriber', 'target', 'suites', 'fault', 'json'];
/** Flags that print the request in place of sending it. */
const held: readonly Flag[] = ['curl', 'dryRun'];

/** Flags of one request object, which a case says where `--from` names one. */
export const requestFlags = [
  'claim',
  'drop',
  'header',
  'dropHeader',
  'param',
  'key',
  'alg',
  'tamper',
  'raw',
  'form',
  'approve',
  'deny',
  'wait',
] as const satisfies readonly Flag[];

const ownFlags: Readonly<Record<Asked, readonly Flag[]>> = {
  server_initiated: [...requestFlags, 'from', 'step', ...held],
  discovery: ['mccmnc', 'httpHeader', ...held],
  jwks: ['httpHeader', ...held],
  event_jwks: ['httpHeader', ...held],
  usertrait: ['param', 'drop', 'httpHeader', 'proof', 'key', ...held],
  userinfo: ['token', 'scope', 'httpHeader', ...held],
  token: ['code', 'refreshToken', 'param', 'drop', 'key', 'httpHeader', ...held],
  cancel: ['authReqId', 'param', 'drop', 'httpHeader', ...held],
  events: ['trigger', 'kind', 'wait'],
};

/** Whether a flag goes with an endpoint. */
export const goesWith = (flag: string, endpoint: Asked): boolean =>
  [...everywhere, ...ownFlags[endpoint]].some((one) => one === flag);
