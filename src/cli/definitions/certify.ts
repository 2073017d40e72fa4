import { type Profile, profiles } from '../../model/profile.ts';
import { defineCommand } from '../shared/command.ts';
import {
  budget,
  carrierFlags,
  detailFlags,
  exploredBudget,
  json,
  keptOut,
  order,
  outOf,
  report,
  reporter,
  suites,
  target,
  what,
  without,
} from '../shared/flags.ts';
import { optionalChoice, text, texts, toggle, whole, wholeOr } from '../shared/inputs.ts';
import { live } from '../shared/live-flag.ts';

const howMany = { from: 1, to: 10_000_000 };

export const runDefinition = defineCommand({
  name: 'run',
  summary: 'certify a carrier: send, receive, judge, report',
  description:
    'Runs the cases of every rule, or of those named, against a carrier; without --target, against the embedded reference carrier.',
  args: { what },
  flags: {
    ...carrierFlags,
    without,
    profile: optionalChoice<Profile>(
      '--profile <name>',
      'the rules that count: interface with the critical ones of the baseline, hardened with all of the baseline, or strict with recommended rules as well; default: that of the target file, else interface',
      profiles,
    ),
    report,
    reporter,
    out: keptOut('folder of the journal, the result and the reports'),
    resume: toggle(
      '--resume',
      'resume the run whose journal is in --out; without --out, the latest that has not ended',
    ),
    lastFailed: toggle(
      '--last-failed',
      'run what the latest result has red or unjudged; name --target and --suites again',
    ),
    budget,
    expected: text('--expected <file>', 'failures that are known: they must fail, and no others may'),
    order,
    shard: text('--shard <i/n>', 'a part of the run: 2/4, or auto/4 with the index from JOB_COMPLETION_INDEX'),
    keepGoing: toggle(
      '--keep-going',
      'run on where the receiver is out of reach, every plain request of a client is refused, or an endpoint answers nothing',
    ),
    bail: toggle('--bail', 'stop at the first failure'),
    live,
    ...detailFlags,
    jobs: wholeOr('--jobs <n>', 'exchanges under way at the same time', { from: 1, to: 1000, initial: 16 }),
  },
  examples: ['', 'REQ-015 --target carrier.yaml', '"CB-*" --profile strict', '--fault iat-not-checked'],
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
    budget,
    order,
    json,
  },
  examples: ['--target carrier.yaml', 'events --target carrier.yaml --budget 2h'],
});

export const checkDefinition = defineCommand({
  name: 'check',
  summary: 'check suites and a target file, and with --preflight try the target file out',
  description:
    'Checks suites, and with --target a target file, and sends nothing. With --preflight it tries out what a run with the target file needs, in order, and says of each problem who has to change what. Judges no rule. Exit code 0: no mistakes, a run can begin; 2: the configuration has to change; 3: the carrier or the receiver is out of reach.',
  args: { dirs: texts('[dir...]', 'further folders of suites') },
  flags: {
    target: text('--target <file>', 'a target file to check as well'),
    preflight: toggle(
      '--preflight',
      'try the target file out: keys, discovery, endpoints, receiver, one request of each client',
    ),
    json: toggle('--json', 'of --preflight: one JSON document instead of text'),
  },
  examples: ['', 'my-suites --target carrier.yaml', '--preflight --target carrier.yaml'],
});

export const measureDefinition = defineCommand({
  name: 'measure',
  summary: "find the carrier's real limits, and what it does where the interface is open",
  description:
    'Finds by bisection and by ladders of probes where the carrier really stops: lengths, ages, windows, each with its uncertainty; and records what it does where the interface leaves it open. No rule is judged.',
  args: { names: texts('[name...]', 'names or globs of limits and of entries of the profile; without any, all') },
  flags: {
    ...carrierFlags,
    out: text('--out <dir>', 'keep the figures there as a result, which report, compare and history read'),
    json,
  },
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
    resume: toggle('--resume', 'go on with the exploration in --out that was cut off, interrupted or over its budget'),
    out: outOf('folder of the findings', 'carrierspec-explore'),
    json,
  },
  examples: [
    '',
    '--seed 7 --only members,races',
    '"REQ-*" --target carrier.yaml --budget 30m',
    '--target carrier.yaml --resume',
  ],
});
