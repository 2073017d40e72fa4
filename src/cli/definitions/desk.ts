import { raisingActions as raising } from '../../interfaces/server-initiated/actions.ts';
import { endpoints } from '../../interfaces/server-initiated/endpoints.ts';
import { parseDuration } from '../../lib/duration.ts';
import { listKinds } from './list-kinds.ts';
import { carrierFlags, json, jwks, level, suites, target, whatArgument } from '../shared/flags.ts';
import { defineCommand, doneExits, verdictExits } from '../shared/help.ts';
import {
  choiceInput,
  withGroup,
  type Input,
  mandatoryText,
  optionalChoiceInput,
  textInput,
  textInputOr,
  textsInput,
  toggle,
  usageError,
  wholeInput,
  wholeInputOr,
} from '../shared/inputs.ts';

export const listDefinition = defineCommand({
  name: 'list',
  group: 'desk',
  summary: 'list or search rules, cases, faults, and whatever else has a name',
  description:
    'Lists rules, or the things of another kind. Ids, globs, suites and areas select; other words are searched in ids, titles and descriptions, and a row has all of them. carrierspec explain NAME says more of each.',
  args: { what: { ...whatArgument, doc: 'ids or globs of rules, cases, suites or areas; or words' } },
  flags: {
    suites,
    level,
    ...withGroup('selected', {
      kind: {
        ...textInputOr('-k, --kind <kind>', `the kind of things that are listed: ${listKinds.join(', ')}`, 'rule'),
        of: listKinds,
      },
    }),
    json,
  },
  examples: ['', '"REQ-*" --kind case', 'jti replay', '--kind fault consent', '--kind limit --json', '--kind coverage'],
  ends: doneExits,
  docs: 'docs/commands.md',
});

export const explainDefinition = defineCommand({
  name: 'explain',
  group: 'desk',
  summary: 'say what anything that a report names means: rules, cases, faults, interpretations, error codes, claims',
  description:
    'Explains what has this name: a rule, a case, an invariant, an area, a clause, an interpretation (A34), a decision (C1.10), a claim, an error code, a fault, a freedom, an action, an outcome, a limit, a command, and so on. A name of several kinds is explained in each; a glob, all that it matches.',
  args: {
    name: { ...mandatoryText('<name>', 'id or name; carrierspec list --kind lists the names of a kind'), kinds: ['*'] },
  },
  flags: {
    suites,
    why: textInput('--why <result>', 'how a run came to its verdict on the rule: its result.json or journal.jsonl'),
    json,
  },
  examples: [
    'REQ-015',
    'REQ-014 --why carrierspec-report/latest/result.json',
    'jti-again-after-4m30s',
    'jti',
    'A34',
    'jti-never-kept',
    'request_denied',
  ],
  ends: doneExits,
  docs: 'docs/commands.md',
});

export const decodeDefinition = defineCommand({
  name: 'decode',
  group: 'desk',
  summary: 'show what a token, a body, an HTTP message or a HAR is, and the rules it breaks',
  description:
    'Decodes a compact JWS (request object, id token, event token, client assertion, proof), a JSON body, an OpenID configuration, a JWK set, HTTP messages with their heads, or a HAR, and says which rules it breaks as far as it shows them alone. Credentials are not printed. It sends nothing.',
  args: { message: textInput('[message]', 'the message, @file or the path of a file; without it, or with -, stdin') },
  flags: { jwks, suites, json },
  examples: [
    `'{"auth_req_id":"ccid-7Yk2mQ9ZpR4tV1xW8sB3nC6dF0g","expires_in":300}'`,
    '@callback.json --jwks keys.json',
    'request.jwt --json',
    'exchange.txt',
    'capture.har --json',
  ],
  ends: {
    conformant: 'no required rule is broken',
    'not conformant': 'a required rule is broken',
    usage: true,
    unreachable: 'the URL of --jwks gave no keys',
  },
  docs: 'docs/spot-checks.md',
});

export const listenDefinition = defineCommand({
  name: 'listen',
  group: 'desk',
  summary: 'host the receiver and print every delivery as it comes',
  description:
    'Hosts the receiver of the target until Ctrl-C, and prints each callback and event as it comes, decoded, with the rules it breaks. Without --target it stands where carrierspec carrier delivers.',
  args: {},
  flags: {
    target: { ...target, doc: 'target file that describes this receiver' },
    port: wholeInput('--port <n>', 'another port; 0 takes any', { from: 0, to: 65_535 }),
    host: textInput('--host <address>', 'another address'),
    status: wholeInputOr('--answer <status>', 'HTTP status of every response', { from: 200, to: 599, initial: 200 }),
    jwks,
    suites,
    json: { ...json, doc: 'one JSON document per line instead of text' },
  },
  examples: ['', '--answer 503 --port 8443', '--target carrier.yaml --json'],
  ends: { conformant: 'ended by Ctrl-C', usage: true },
  docs: 'docs/spot-checks.md',
});

/** Endpoint that the SP calls, or `events`, where the carrier calls the SP. */
type SendEndpoint = Exclude<keyof typeof endpoints, 'authorization'> | 'events';

const isSendEndpoint = (name: string): name is SendEndpoint => name !== 'authorization';

/** All endpoints except authorization, which is called by a browser. */
const sendEndpointNames: readonly SendEndpoint[] = [...Object.keys(endpoints), 'events'].filter(isSendEndpoint);

function parseWait(given: string): string {
  if (parseDuration(given) !== undefined) return given;
  throw usageError(`--wait: "${given}" is no duration, such as 90s or 2m`);
}

/** Without a duration, true: waits until the request expires. */
const waitFlag: Input<true | string | undefined> = {
  spec: '--wait [duration]',
  doc: 'wait for the callback: until the request expires, or as long as this; for the event: 10m, or as long as this',
  read: (raw) => (typeof raw === 'string' ? parseWait(raw) : raw === true ? true : undefined),
};

export const sendDefinition = defineCommand({
  name: 'send',
  group: 'desk',
  summary: 'ask one endpoint of the carrier once, and judge the response',
  description: `Signs and sends one request to an endpoint of the carrier: the valid one, with the differences that the flags say. What it needs first it gets itself: a code, a token, a pending request. Endpoints: ${sendEndpointNames.join(', ')}; send events awaits one event instead. A value is JSON where it is JSON, else text, and may hold templates of the suite language.`,
  args: {
    endpoint: choiceInput<SendEndpoint>('[endpoint]', 'the endpoint, by its name in the target file', {
      of: sendEndpointNames,
      initial: 'server_initiated',
    }),
  },
  flags: {
    ...withGroup('sent', {
      claim: { ...textsInput('--claim <name=value>', 'set a claim of the request object'), kinds: ['member'] },
      drop: {
        ...textsInput('--drop <name>', 'leave out a claim of the request object; elsewhere, a parameter of the body'),
        kinds: ['member'],
      },
      header: textsInput('--header <name=value>', 'set a parameter of the JWT header of the request object'),
      from: textInput(
        '--from <case>',
        'the request of a case, with the steps before it; the differences are those of the case',
      ),
      step: textInput(
        '--step <name>',
        'of --from: the step whose request it is; default: the first that judges a rule',
      ),
      key: {
        ...textInput(
          '--key <name>',
          'another signing key: other (not registered), second, of-second-client, secret, ...',
        ),
        kinds: ['key'],
      },
      tamper: {
        ...textInput('--tamper <name>', 'a change to the finished JWS, such as payload-byte'),
        kinds: ['tamper'],
      },
      message: textInput(
        '--message <file>',
        'YAML of what has no flag: parameters, http_headers, drop_header, alg, body, form, proof, token, scope, code, refresh_token, auth_req_id, mccmnc, event',
      ),
      trigger: optionalChoiceInput(
        '--trigger <action>',
        `the action that raises the event: ${raising.join(', ')}`,
        raising,
      ),
    }),
    ...withGroup('carrier', {
      client: { ...textInputOr('--client <role>', 'the SP registration that asks', 'main'), kinds: ['client'] },
      subscriber: {
        ...textInputOr('--subscriber <tag>', 'the subscriber that the request is about', 'consented'),
        kinds: ['tag'],
      },
    }),
    approve: toggle('--approve', 'the subscriber approves, by the driver of the target'),
    deny: toggle('--deny', 'the subscriber denies'),
    wait: waitFlag,
    ...withGroup('written', {
      curl: toggle('--curl', 'print the request, made and signed anew, as a command of curl, and do not send it'),
      dryRun: toggle(
        '--dry-run',
        'print the request as it would be sent, credentials redacted, and send nothing but what discovery needs',
      ),
    }),
    ...carrierFlags,
    json,
  },
  examples: [
    '--claim context=Example-order-4711',
    '--claim "iat={{ now - 6m }}" --drop jti',
    '--key other --header kid=unknown1',
    '--approve --wait --json',
    '--from iat-far-too-old/24h-old --curl',
    'discovery',
    'usertrait --message message.yaml',
    'userinfo --client privileged',
    'token --drop client_assertion --json',
    'cancel --json',
    'events --trigger swap-sim',
  ],
  ends: {
    ...verdictExits,
    conformant: 'answered, and no rule is broken',
    incomplete: 'something that was asked for did not come',
  },
  docs: 'docs/spot-checks.md',
});
