import { type Profile, profiles } from '../model/profile.ts';
import { defineCommand } from './shared/command.ts';
import {
  budget,
  exploredBudget,
  carrierFlags,
  detailFlags,
  heldFlags,
  json,
  jwks,
  keptOut,
  level,
  outOf,
  report,
  reporter,
  suites,
  target,
  usualFolder,
  usualReplays,
  what,
  without,
} from './shared/flags.ts';
import { timeOf } from './shared/start.ts';
import { live } from './shared/live-flag.ts';
import {
  choice,
  type Input,
  mandatory,
  parseChoice,
  parsed,
  parseUrl,
  text,
  textOr,
  texts,
  toggle,
  whole,
  wholeOr,
} from './shared/inputs.ts';

export const preflightDefinition = defineCommand({
  name: 'preflight',
  summary: 'try a target file out: keys, discovery, endpoints, receiver, one request of each client',
  description:
    'Tries out what a run needs, in order, and says of each problem who has to change what. Judges nothing. Exit code 0: a run can begin; 2: the configuration has to change; 3: the carrier or the receiver is out of reach.',
  args: {},
  flags: { target: mandatory('--target <file>', 'target file of the carrier under test'), suites, json },
  examples: ['--target carrier.yaml', '--target carrier.yaml --json'],
});

const howMany = { from: 1, to: 10_000_000 };

/** Of a run that explores before it begins. */
const exploredFlags = {
  explore: toggle('--explore', 'try requests that no suite lists first; what they show becomes cases of an area'),
  seed: text('--seed <seed>', 'of --explore: the same seed brings the same requests; without it, any'),
  requests: whole('--requests <n>', 'of --explore: request objects at most; default 5000', howMany),
  pushes: whole('--pushes <n>', 'of --explore: pushes that one subscriber gets at most', howMany),
};

export const runDefinition = defineCommand({
  name: 'run',
  summary: 'certify a carrier: send, receive, judge, report',
  description:
    'Runs the cases of every rule, or of those named, against a carrier; without --target, against the embedded reference carrier.',
  args: { what },
  flags: {
    ...carrierFlags,
    without,
    level,
    profile: choice<Profile>(
      '--profile <name>',
      'what counts: interface with the critical rules of the baseline, or hardened: all',
      {
        of: profiles,
        initial: 'interface',
      },
    ),
    report,
    reporter,
    out: keptOut('folder of the journal, the result and the reports', usualFolder),
    resume: toggle(
      '--resume',
      'resume the run whose journal is in --out; without --out, the latest that has not ended',
    ),
    lastFailed: toggle('--last-failed', 'run what the latest result has red or unjudged, with the flags of that run'),
    budget,
    expected: text('--expected <file>', 'failures that are known: they must fail, and no others may'),
    shard: text('--shard <i/n>', 'a part of the run: 2/4, or auto/4 with the index from JOB_COMPLETION_INDEX'),
    preflight: choice(
      '--preflight <how>',
      'what is tried out before: off, quick, or full with a request of each client',
      {
        of: ['off', 'quick', 'full'],
        initial: 'quick',
      },
    ),
    measure: toggle('--measure', 'find the real limits of the carrier first, and its profile'),
    ...exploredFlags,
    keepGoing: toggle(
      '--keep-going',
      'run on where every plain request of a client is refused, or an endpoint answers nothing',
    ),
    bail: toggle('--bail', 'stop at the first failure'),
    live,
    traces: parsed(
      '--traces <url>',
      'OTLP/HTTP collector that gets the run as a trace: http://localhost:4318',
      (given) => parseUrl('--traces', given),
    ),
    ...detailFlags,
    jobs: wholeOr('--jobs <n>', 'exchanges under way at the same time', { from: 1, to: 1000, initial: 16 }),
  },
  examples: ['', 'REQ-015 --target carrier.yaml', '"CB-*" --level required', '--fault iat-not-checked'],
});

export const reportDefinition = defineCommand({
  name: 'report',
  summary: 'make reports of a run that is over, from its result',
  description:
    'Makes reports of a result.json, or of the journal.jsonl of a run that was cut off; without --report, that for the terminal. Exit code 0 says that they were written: the verdict was the exit code of the run.',
  args: { file: mandatory('<result>', 'a result.json or a journal.jsonl') },
  flags: { report, reporter, ...detailFlags },
  examples: [
    'carrierspec-report/latest/result.json',
    'carrierspec-report/latest/result.json --report har=run.har --report markdown=-',
    'carrierspec-report/latest/journal.jsonl --report junit=junit.xml',
  ],
});

export const mergeDefinition = defineCommand({
  name: 'merge',
  summary: 'join the parts of a run that was split with --shard, or lay a rerun over a run',
  description:
    'Joins the results of all shards as if they had been one run, judges the rules again, writes its reports, and ends with its exit code. Refuses results that are not parts of one run; a shard that is missing makes it incomplete. With --replace: lays a rerun of a part of the cases over an earlier run of the same suites and target file.',
  args: { files: texts('<result...>', 'the result.json, or journal.jsonl, of each shard') },
  flags: {
    replace: toggle('--replace', 'instead: two results, the cases of the second in place of those of the first'),
    suites,
    report,
    out: keptOut('folder of the joined result and the reports', usualFolder),
    ...detailFlags,
  },
  examples: [
    'shard-*/result.json',
    'one/result.json two/result.json --out whole --report markdown=summary.md',
    '--replace monday/result.json rerun/result.json --out monday-again',
  ],
});

export const runsDefinition = defineCommand({
  name: 'runs',
  summary: 'list the runs that were kept, newest first',
  description:
    'Lists the runs of a folder: when, of what, against which carrier, and how each came out. It reads the head and the footer of each journal. Exit code 0 says that the list was made, whatever it shows.',
  args: { dir: textOr('[dir]', 'the folder', usualFolder) },
  flags: { json },
  examples: ['', 'nightly --json'],
});

export const planDefinition = defineCommand({
  name: 'plan',
  summary: 'say what would run, how long it takes, and what a person must do',
  description: 'Says how a run would go, and sends nothing; without --target, against the embedded reference carrier.',
  args: { what },
  flags: {
    target,
    suites,
    without,
    level,
    budget,
    ...exploredFlags,
    report: texts('--report <format=path>', 'what people have to do when: html or ics; - is stdout'),
    start: parsed(
      '--start <time>',
      'of --report: when the run begins, as 2026-12-01T09:00:00+01:00',
      timeOf('--start'),
    ),
    json,
  },
  examples: [
    '--target carrier.yaml',
    'events --target carrier.yaml --budget 2h',
    '--target carrier.yaml --start 2026-12-01T09:00:00+01:00 --report ics=plan.ics --report html=plan.html',
  ],
});

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
  summary: 'say what anything that a report names means: rules, cases, faults, readings, error codes, claims',
  description:
    'Explains what has this name: a rule, a case, an invariant, an area, a clause, an interpretation (A34), a decision (C1.10), a claim, an error code, a fault, a freedom, an action, an outcome, a limit, a command, and so on. A name of several kinds is explained in each; a glob, all that it matches.',
  args: { name: mandatory('<name>', 'id or name; carrierspec list --kind lists the names of a kind') },
  flags: {
    suites,
    json,
    open: toggle('--open', 'instead: open its page of the site in a browser, and print the address'),
  },
  examples: ['REQ-015', 'REQ-015 --open', 'jti-again-after-4m30s', 'jti', 'A34', 'jti-never-kept', 'request_denied'],
});

export const checkDefinition = defineCommand({
  name: 'check',
  summary: 'check suites, and a target file, without sending anything',
  args: { dirs: texts('[dir...]', 'further folders of suites') },
  flags: {
    target: text('--target <file>', 'a target file to check as well'),
    fix: toggle('--fix', 'rewrite the names of version 1 in these folders and the target file'),
  },
  examples: ['', 'my-suites --target carrier.yaml', 'my-suites --target carrier.yaml --fix'],
});

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

export const decodeDefinition = defineCommand({
  name: 'decode',
  summary: 'show what a token, a body, an HTTP message or a HAR is, and the rules it breaks',
  description:
    'Decodes a compact JWS (request object, id token, event token, client assertion, proof, certificate), a JSON body, an OpenID configuration, a JWK set, HTTP messages with their heads, the output of curl -v, or a HAR, and says which rules it breaks as far as it shows them alone. Credentials are not printed. It sends nothing.',
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
    live,
  },
  examples: ['', '--answer 503 --port 8443', '--target carrier.yaml --json'],
});

export const replayDefinition = defineCommand({
  name: 'replay',
  summary: 'run a case of an earlier result again, with fresh signatures, and compare',
  description:
    'Runs one case again with the flags of the earlier run, prints its report, and says whether it came out as before. The exit code is that of the run.',
  args: {
    id: mandatory('<case>', 'id of the case, or of an invariant: the case in which it was first broken'),
    file: text(
      '[result]',
      'result.json or journal.jsonl of the earlier run; default: the latest in carrierspec-report',
    ),
  },
  flags: {
    ...carrierFlags,
    out: keptOut('folder of the journal, the result and the reports of the new run', usualReplays),
    json,
    ...detailFlags,
  },
  examples: ['iat-far-too-old/24h-old', 'iat-far-too-old/24h-old carrierspec-report/latest/result.json --json'],
});

export const measureDefinition = defineCommand({
  name: 'measure',
  summary: "find the carrier's real limits, and what it does where the interface is open",
  description:
    'Finds by bisection and by ladders of probes where the carrier really stops: lengths, ages, windows, each with its uncertainty; and records what it does where the interface leaves it open. No rule is judged.',
  args: { names: texts('[name...]', 'names or globs of limits and of entries of the profile; without any, all') },
  flags: { ...carrierFlags, json },
  examples: ['', 'iat-age "context*"', 'jti-window --json'],
});

export const exploreDefinition = defineCommand({
  name: 'explore',
  summary: 'try requests that no suite lists, and shrink what a carrier must not do with them',
  description:
    'Combines members and values, mutates bytes, draws sequences, races and volumes, and knows what a carrier that conforms may do with each. What breaks a rule is shrunk to the smallest case that still shows it, and written as a suite that carrierspec run takes. Exit code 1: a required rule is broken.',
  args: { what: texts('[what...]', 'ids or globs of rules or areas that the requests are about') },
  flags: {
    ...carrierFlags,
    seed: text('--seed <text>', 'any text; the same brings the same requests; without it, any'),
    budget: exploredBudget,
    requests: wholeOr('--requests <n>', 'request objects at most', { from: 1, to: 10_000_000, initial: 50_000 }),
    strength: wholeOr('--strength <n>', 'every 2, or every 3, values of members stand together in a request', {
      from: 2,
      to: 3,
      initial: 2,
    }),
    pushes: whole('--pushes <n>', 'pushes that one subscriber gets at most', howMany),
    only: text('--only <kinds>', 'kinds of requests: members, values, bytes, sequences, races, volume'),
    out: outOf('folder of the findings', 'carrierspec-explore'),
    json,
  },
  examples: ['', '--seed 7 --only members,races', '"REQ-*" --target carrier.yaml --budget 30m'],
});

const port = { from: 0, to: 65_535 };

export const carrierDefinition = defineCommand({
  name: 'carrier',
  summary: 'start the reference carrier alone',
  args: {},
  flags: {
    config: text('--config <file>', 'simulator file: clients, subscribers and approvals of your own'),
    port: whole('--port <n>', 'port of its endpoints; 0 takes any; default 8600', port),
    adminPort: whole('--admin-port <n>', 'port of its admin API; default 8601', port),
    receiver: parsed(
      '--receiver <url>',
      'URL that the registered notification URIs begin with; default http://127.0.0.1:8602',
      (given) => parseUrl('--receiver', given),
    ),
    clock: parsed('--clock <kind>', 'real or virtual; default real', parseClock),
    faults: texts('--fault <name>', 'a fault to have'),
    live,
  },
  examples: ['', '--config simulator.yaml', '--clock virtual --fault jti-never-kept'],
});

export function parseClock(given: string): 'real' | 'virtual' {
  return parseChoice('--clock', given, { of: ['real', 'virtual'], formerly: { driven: 'virtual' } });
}

export const proveDefinition = defineCommand({
  name: 'prove',
  summary: 'show that the rules can fail: every fault of the reference carrier must turn its rules, and no others',
  args: {
    names: texts(
      '[name...]',
      'names or globs of faults and variants; of --space: of freedoms, or freedom/choice for one carrier; without any, all',
    ),
  },
  flags: {
    suites,
    out: outOf('folder of the matrix and of the remembered clean run', 'carrierspec-prove'),
    whole: toggle('--whole', 'run every case for every fault, also those it cannot make a difference to'),
    drawn: toggle('--drawn', 'prove each fault on two carriers of the space as well'),
    workers: whole('--workers <n>', 'threads; default: as many as there are cores', { from: 1, to: 64 }),
    deep: toggle(
      '--deep',
      'instead: explore the reference carrier with each of its deep faults, and say which are found',
    ),
    seeds: wholeOr('--seeds <n>', 'of --deep: explorations of each fault, each with a seed of its own', {
      from: 1,
      to: 1000,
      initial: 10,
    }),
    requests: wholeOr('--requests <n>', 'of --deep and --explore: request objects of one exploration', {
      from: 1,
      to: 1_000_000,
      initial: 5000,
    }),
    space: toggle(
      '--space',
      'instead: draw conforming carriers; none may turn a rule red, or leave one without a verdict',
    ),
    explore: toggle('--explore', 'of --space: explore each of the carriers, instead of running the cases'),
    count: wholeOr('--count <n>', 'of --space: how many carriers are drawn', { from: 1, to: 10_000, initial: 200 }),
    seed: text('--seed <text>', 'of --space: the same seed draws the same carriers; default: the date'),
    only: whole('--only <n>', 'of --space: the carrier with this number alone', { from: 1, to: 10_000 }),
    show: text('--show <dir>', 'of --space with --only: write its target file there, and start it'),
  },
  examples: [
    '',
    'jti-never-kept',
    '"jti-*" --whole',
    '--space --count 40',
    '--space --explore --count 20 --requests 1000',
    '--space --seed 20261122 --only 17',
  ],
});

export const certifyDefinition = defineCommand({
  name: 'certify',
  summary: 'sign what a run has found',
  description:
    'Signs a certificate (a JWS) of a result.json: its digest, the outcome, the verdict of every rule, what is informational, and what was not judged and why. Refuses what is incomplete, what was cut off, a virtual clock unless the target is declared a test carrier, and suites that do not ship unless they are named. Exit code 0 says that it was written, whatever outcome it certifies.',
  args: { file: mandatory('<result>', 'the result.json of a run') },
  flags: {
    key: mandatory('--key <file>', 'the private JWK to sign with: RSA of 2048 bits or more, EC P-256 or Ed25519'),
    out: text('--out <file>', 'where the certificate goes; default certificate.jws beside the result'),
    badge: text('--badge <file>', 'a badge as SVG'),
    suites: texts('--suites <dir>', 'a further folder of suites that the run used: an addition, and named as one'),
  },
  examples: [
    'carrierspec-report/latest/result.json --key private.jwk.json',
    'carrierspec-report/latest/result.json --key private.jwk.json --out carrier.jws --badge carrier.svg',
  ],
});

export const verifyDefinition = defineCommand({
  name: 'verify',
  summary: 'check a certificate, and say what it certifies and what it does not',
  description:
    'Checks a certificate with the public key of its signer, and with a result that it is of this file, byte for byte. Works offline. Exit code 0: valid, and the outcome it certifies is printed; 1: not valid, or not of this result.',
  args: {
    file: mandatory('<certificate>', 'the file that certify wrote'),
    result: text('[result]', 'the result.json it should be of'),
  },
  flags: { key: mandatory('--key <file>', 'the public JWK of the signer, or a JWK Set that has it') },
  examples: [
    'certificate.jws --key public.jwk.json',
    'certificate.jws carrierspec-report/latest/result.json --key public.jwk.json',
  ],
});

export const compareDefinition = defineCommand({
  name: 'compare',
  summary: 'rules by results: how each carrier treats what the interface leaves open',
  description:
    'Sets results side by side, of several carriers or of one over time: verdicts and informational values of every rule, then limits and profile of runs that measured, differences first. Refuses results of different rules or suites. Exit code 0 says that the comparison was made, whatever it shows.',
  args: { files: texts('<result...>', 'two or more result.json') },
  flags: {
    shared: toggle('--shared', 'join results of different rules or suites nevertheless, and show only what they share'),
    history: toggle('--history', 'instead: what carrierspec history makes of these folders, in carrierspec-history'),
    report: texts('--report <format=path>', 'terminal, html, markdown or json; - is stdout'),
  },
  examples: [
    'one/result.json other/result.json',
    'one/result.json other/result.json --report html=compare.html --report json=-',
    'march/result.json june/result.json --shared',
  ],
});

export const historyDefinition = defineCommand({
  name: 'history',
  summary: 'all results that were kept, of one or many carriers, as a site to publish',
  description:
    'Makes a static site of the results below folders: carriers by rules, when each rule turned, measured limits and the profile over time. Files that are no result are named on stderr. Exit code 0 says that the site was written, whatever it shows; with --turned-since, that no rule became worse.',
  args: { dirs: texts('[dir...]', `folders of results, or results; default ${usualFolder}`) },
  flags: {
    out: outOf('folder of the site', 'carrierspec-history'),
    reports: choice<'copy' | 'link' | 'none'>(
      '--reports <how>',
      'the report of each run: copy it into the site, link to it, or none',
      {
        of: ['copy', 'link', 'none'],
        initial: 'copy',
      },
    ),
    newest: wholeOr('--newest <n>', 'runs of each carrier, the newest', { from: 1, to: 1000, initial: 30 }),
    turnedSince: parsed(
      '--turned-since <time>',
      'print the rules that turned in runs since then, and carriers without a run; 1 where one became worse',
      timeOf('--turned-since'),
    ),
    json,
  },
  examples: ['', 'one other --out site --newest 10', 'nightly --reports link --json'],
});
