import { defineCommand } from '../shared/command.ts';
import { json, jwks, level, suites } from '../shared/flags.ts';
import { mandatory, text, texts, toggle, whole, wholeOr } from '../shared/inputs.ts';

export const listDefinition = defineCommand({
  name: 'list',
  summary: 'list or search rules, cases, faults, and whatever else has a name',
  description:
    'Lists rules, or what a flag says. Ids, globs, suites and areas select; other words are searched in ids, titles and descriptions, and a row has all of them. carrierspec explain NAME says more of each.',
  args: { what: texts('[what...]', 'ids or globs of rules, cases, suites or areas; or words') },
  flags: {
    suites,
    level,
    cases: toggle('--cases', 'list cases instead of rules'),
    faults: toggle('--faults', 'list the faults of the reference carrier, and the rules that each must turn'),
    freedoms: toggle('--freedoms', 'list what the interface leaves open to a carrier'),
    areas: toggle('--areas', 'list the areas'),
    codes: toggle('--codes', 'list the error codes of carrierspec'),
    kind: text('--kind <kind>', 'list what is of this kind, such as limit, action, member, tamper or client'),
    coverage: toggle('--coverage', 'how many rules each family has, and how they are judged'),
    families: toggle('--families', 'which area each family of rule ids is in'),
    json,
  },
  examples: ['', '"REQ-*" --cases', 'jti replay', '--faults consent', '--kind limit --json', '--coverage'],
});

export const explainDefinition = defineCommand({
  name: 'explain',
  summary: 'say what anything that a report names means: rules, cases, faults, interpretations, error codes, claims',
  description:
    'Explains what has this name: a rule, a case, an invariant, an area, a clause, an interpretation (A34), a decision (C1.10), a claim, an error code, a fault, a freedom, an action, an outcome, a limit, a command, and so on. A name of several kinds is explained in each; a glob, all that it matches.',
  args: { name: mandatory('<name>', 'id or name; carrierspec list --kind lists the names of a kind') },
  flags: {
    suites,
    json,
  },
  examples: ['REQ-015', 'jti-again-after-4m30s', 'jti', 'A34', 'jti-never-kept', 'request_denied'],
});

export const decodeDefinition = defineCommand({
  name: 'decode',
  summary: 'show what a token, a body, an HTTP message or a HAR is, and the rules it breaks',
  description:
    'Decodes a compact JWS (request object, id token, event token, client assertion, proof), a JSON body, an OpenID configuration, a JWK set, HTTP messages with their heads, or a HAR, and says which rules it breaks as far as it shows them alone. Credentials are not printed. It sends nothing.',
  args: { message: text('[message]', 'the message, @file or the path of a file; without it, or with -, stdin') },
  flags: { jwks, suites, json },
  examples: [
    `'{"auth_req_id":"ccid-7Yk2mQ9ZpR4tV1xW8sB3nC6dF0g","expires_in":300}'`,
    '@callback.json --jwks keys.json',
    'request.jwt --json',
    'exchange.txt',
    'capture.har --json',
  ],
});

export const listenDefinition = defineCommand({
  name: 'listen',
  summary: 'host the receiver and print every delivery as it comes',
  description:
    'Hosts the receiver of the target until Ctrl-C, and prints each callback and event as it comes, decoded, with the rules it breaks. Without --target it stands where carrierspec carrier delivers.',
  args: {},
  flags: {
    target: text('--target <file>', 'target file that describes this receiver'),
    port: whole('--port <n>', 'another port; 0 takes any', { from: 0, to: 65_535 }),
    host: text('--host <address>', 'another address'),
    status: wholeOr('--answer <status>', 'HTTP status of every response', { from: 200, to: 599, initial: 200 }),
    jwks,
    suites,
    json: toggle('--json', 'a JSON document a line instead of text'),
  },
  examples: ['', '--answer 503 --port 8443', '--target carrier.yaml --json'],
});
