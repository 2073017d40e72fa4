import { defineCommand } from '../shared/command.ts';
import { outOf, suites } from '../shared/flags.ts';
import { optionalChoice, parsed, parseUrl, text, texts, toggle, whole, wholeOr } from '../shared/inputs.ts';

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
    clock: optionalChoice<'real' | 'virtual'>('--clock <kind>', 'real or virtual; default real', ['real', 'virtual']),
    faults: texts('--fault <name>', 'a fault to have'),
    writeTarget: text('--write-target <file>', 'write a target file with which other commands ask this carrier'),
  },
  examples: ['--write-target carrier.yaml', '--config simulator.yaml', '--clock virtual --fault jti-never-kept'],
});

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
    resume: toggle('--resume', 'of --whole: keep each proof in --out, and go on with those that an earlier start left'),
    against: text(
      '--against <matrix>',
      'a matrix of an earlier proof: lists the faults that turn other rules or cases than their rows say, and writes it with the new rows',
    ),
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
    '--whole --resume --against fixtures/prove/matrix.json',
    '--space --count 40',
    '--space --explore --count 20 --requests 1000',
    '--space --seed 20261122 --only 17',
  ],
});
