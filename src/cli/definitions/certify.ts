import {
  budget,
  carrierFlags,
  detailFlags,
  exploredBudget,
  hours,
  json,
  order,
  profile,
  report,
  reporter,
  runOut,
  safe,
  suites,
  target,
  whatArgument,
  without,
} from '../shared/flags.ts';
import { defineCommand, doneExits, verdictExits } from '../shared/help.ts';
import { textInput, textInputOr, textsInput, toggle, wholeInput, wholeInputOr, withGroup } from '../shared/inputs.ts';
import { liveInput } from '../shared/live.ts';

export const initDefinition = defineCommand({
  name: 'init',
  group: 'certify',
  summary: 'begin with a carrier: a target file to fill in, and keys',
  description:
    'Writes carrier.yaml with every setting explained and a placeholder for each value that only you know, and a key for each client. Overwrites nothing. carrierspec check names each placeholder that is left.',
  args: { dir: textInputOr('[dir]', 'folder to write into', '.') },
  flags: {
    ...withGroup('carrier', { issuer: textInput('--issuer <url>', 'discovery issuer; without it, a placeholder') }),
    ...withGroup('sent', {
      alg: textsInput(
        '--alg <alg>',
        'an algorithm that the carrier lists (request_object_signing_alg_values_supported): RS256, PS256, ES256, ...; the client two-keys gets a key of each',
      ),
    }),
  },
  examples: ['my-carrier', 'my-carrier --issuer https://discovery.carrier.example --alg ES256'],
  ends: { ...doneExits, usage: 'bad usage, or a file is there already' },
  docs: 'docs/target-file.md',
});

export const checkDefinition = defineCommand({
  name: 'check',
  group: 'certify',
  summary: 'check suites and a target file, and with --preflight try the target file out',
  description:
    'Checks suites, and with --target a target file, and sends nothing. With --preflight it tries out what a run with the target file needs, in order, and says of each problem who has to change what. Judges no rule. Exit code 0: no mistakes, a run can begin; 2: the configuration has to change; 3: the carrier or the receiver is out of reach.',
  args: { dirs: textsInput('[dir...]', 'further folders of suites') },
  flags: {
    target: { ...target, doc: 'a target file to check as well' },
    preflight: toggle(
      '--preflight',
      'try the target file out: keys, discovery, endpoints, receiver, one request of each client',
    ),
    json: { ...json, doc: 'of --preflight: one JSON document instead of text' },
  },
  examples: ['', 'my-suites --target carrier.yaml', '--preflight --target carrier.yaml'],
  ends: {
    conformant: 'no mistakes; of --preflight: a run can begin',
    usage: 'mistakes, or bad usage; of --preflight: the configuration has to change',
    unreachable: true,
    interrupted: true,
  },
  docs: 'docs/preflight.md',
});

export const planDefinition = defineCommand({
  name: 'plan',
  group: 'certify',
  summary: 'say what would run, how long it takes, and what a person must do',
  description: 'Says how a run would go, and sends nothing; without --target, against the embedded reference carrier.',
  args: { what: whatArgument },
  flags: { target, suites, without, safe, budget, hours, order, json },
  examples: [
    '--target carrier.yaml',
    '--safe --hours 09:00-17:00 --target carrier.yaml',
    'events --target carrier.yaml --budget 2h',
  ],
  ends: doneExits,
  docs: 'docs/running.md',
});

export const runDefinition = defineCommand({
  name: 'run',
  group: 'certify',
  summary: 'certify a carrier: send, receive, judge, report',
  description:
    'Runs the cases of every rule, or of those named, against a carrier; without --target, against the embedded reference carrier.',
  args: { what: whatArgument },
  flags: {
    ...carrierFlags,
    without,
    safe,
    profile,
    report,
    reporter,
    out: runOut,
    ...withGroup('selected', {
      resume: toggle(
        '--resume',
        'resume the run whose journal is in --out; without --out, the latest that has not ended',
      ),
      lastFailed: toggle(
        '--last-failed',
        'run what the latest result has red or unjudged; name --target and --suites again',
      ),
      budget,
      shard: textInput('--shard <i/n>', 'a part of the run: 2/4, or auto/4 with the index from JOB_COMPLETION_INDEX'),
    }),
    expected: textInput('--expected <file>', 'failures that are known: they must fail, and no others may'),
    hours,
    order,
    keepGoing: toggle(
      '--keep-going',
      'let nothing end the run early: no receiver out of reach, no refused plain requests, no endpoint that answers nothing',
    ),
    bail: toggle('--bail', 'stop at the first failure'),
    live: liveInput,
    ...detailFlags,
    jobs: wholeInputOr('--jobs <n>', 'exchanges under way at the same time', { from: 1, to: 1000, initial: 16 }),
  },
  examples: ['', 'REQ-015 --target carrier.yaml', '"CB-*" --profile strict', '--fault iat-not-checked'],
  ends: verdictExits,
  docs: 'docs/running.md',
});

export const measureDefinition = defineCommand({
  name: 'measure',
  group: 'certify',
  summary: "find the carrier's real limits, and what it does where the interface is open",
  description:
    'Finds by bisection and by ladders of probes where the carrier really stops: lengths, ages, windows, each with its uncertainty; and records what it does where the interface leaves it open. No rule is judged.',
  args: {
    names: {
      ...textsInput('[name...]', 'names or globs of limits and of entries of the profile; without any, all'),
      kinds: ['limit', 'profile'],
    },
  },
  flags: {
    ...carrierFlags,
    out: { ...runOut, doc: 'keep the figures there as a result, which report, compare and history read' },
    json,
  },
  examples: ['', 'iat-age "context*"', 'jti-window --json'],
  ends: {
    conformant: 'the command found every limit',
    usage: true,
    unreachable: true,
    incomplete: 'the command did not find every limit',
    interrupted: true,
  },
  docs: 'docs/limits.md',
});

export const exploreDefinition = defineCommand({
  name: 'explore',
  group: 'suite',
  summary: 'try requests that no suite lists, and shrink what a carrier must not do with them',
  description:
    'Draws what no list can hold: texts, values together, sequences, races and windows, and knows what a carrier that conforms may do with each. A request that breaks a rule is shrunk to the smallest case that still shows it, and written as a suite that carrierspec run takes. Exit code 1: a required rule is broken.',
  args: { what: { ...whatArgument, doc: 'ids or globs of rules or areas that the requests are about' } },
  flags: {
    ...carrierFlags,
    seed: textInput('--seed <text>', 'any text; the same brings the same requests; without it, any'),
    budget: exploredBudget,
    requests: wholeInputOr('--requests <n>', 'request objects at most', { from: 1, to: 10_000_000, initial: 50_000 }),
    pushes: wholeInput('--pushes <n>', 'pushes that one subscriber gets at most', { from: 1, to: 10_000_000 }),
    ...withGroup('selected', {
      only: textInput('--only <kinds>', 'kinds of requests: values, sequences, races, windows'),
      resume: toggle(
        '--resume',
        'go on with the exploration in --out that was cut off, interrupted or over its budget',
      ),
    }),
    ...withGroup('written', { out: textInputOr('-o, --out <dir>', 'folder of the findings', 'carrierspec-explore') }),
    json,
  },
  examples: [
    '',
    '--seed 7 --only values,races',
    '"REQ-*" --target carrier.yaml --budget 30m',
    '--target carrier.yaml --resume',
  ],
  ends: { ...verdictExits, conformant: 'no required rule was seen broken' },
  docs: 'docs/explore.md',
});
