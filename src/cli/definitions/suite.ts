import { carrierFlags, suites } from '../shared/flags.ts';
import { defineCommand, doneExits } from '../shared/help.ts';
import {
  withGroup,
  mandatoryText,
  optionalChoiceInput,
  parseChoice,
  parsedInput,
  parseUrl,
  textInput,
  textInputOr,
  textsInput,
  toggle,
  wholeInput,
  wholeInputOr,
} from '../shared/inputs.ts';

const portRange = { from: 0, to: 65_535 };

export const carrierDefinition = defineCommand({
  name: 'carrier',
  group: 'desk',
  summary: 'start the reference carrier alone',
  args: {},
  flags: {
    ...withGroup('carrier', {
      config: textInput('--config <file>', 'simulator file: clients, subscribers and approvals of your own'),
      receiver: parsedInput(
        '--receiver <url>',
        'URL that the registered notification URIs begin with; default http://127.0.0.1:8602',
        (given) => parseUrl('--receiver', given),
      ),
      faults: { ...carrierFlags.fault, doc: 'a fault to have' },
    }),
    port: wholeInput('--port <n>', 'port of its endpoints; 0 takes any; default 8600', portRange),
    adminPort: wholeInput('--admin-port <n>', 'port of its admin API; default 8601', portRange),
    clock: optionalChoiceInput<'real' | 'virtual'>('--clock <kind>', 'real or virtual; default real', [
      'real',
      'virtual',
    ]),
    ...withGroup('written', {
      writeTarget: textInput('--write-target <file>', 'write a target file with which other commands ask this carrier'),
    }),
  },
  examples: ['--write-target carrier.yaml', '--config simulator.yaml', '--clock virtual --fault jti-never-kept'],
  ends: { conformant: 'ended by Ctrl-C', usage: true },
  docs: 'docs/simulator.md',
});

export const proveDefinition = defineCommand({
  name: 'prove',
  group: 'suite',
  summary: 'show that the rules can fail: every fault of the reference carrier must turn its rules, and no others',
  args: {
    names: {
      ...textsInput(
        '[name...]',
        'names or globs of faults and variants; of --space: of freedoms, or freedom/choice for one carrier; without any, all',
      ),
      kinds: ['fault', 'variant', 'freedom'],
    },
  },
  flags: {
    suites,
    whole: toggle(
      '--whole',
      'run every case with every fault, or on every drawn carrier; default: those that concern it',
    ),
    space: toggle(
      '--space',
      'instead: draw conforming carriers; none may turn a rule red, or leave one without a verdict',
    ),
    count: wholeInputOr('--count <n>', 'of --space: how many carriers are drawn', {
      from: 1,
      to: 10_000,
      initial: 200,
    }),
    seed: textInput('--seed <text>', 'of --space: the same seed draws the same carriers; default: the date'),
    ...withGroup('selected', {
      only: wholeInput('--only <n>', 'of --space: the carrier with this number alone', { from: 1, to: 10_000 }),
    }),
    ...withGroup('written', {
      out: textInputOr('-o, --out <dir>', 'folder of the matrix', 'carrierspec-prove'),
      show: textInput('--show <dir>', 'of --space with --only: write its target file there, and start it'),
    }),
  },
  examples: ['', 'jti-never-kept', '"jti-*" --whole', '--space --count 40', '--space --seed 20261122 --only 17'],
  ends: { conformant: 'everything is proved', 'not conformant': 'something is not as declared', usage: true },
  docs: 'docs/prove.md',
});

const shells = ['bash', 'zsh', 'fish'] as const;

export const completionDefinition = defineCommand({
  name: 'completion',
  group: 'desk',
  summary: 'print the script that completes commands, flags and names in a shell',
  description:
    'Prints the script for bash, zsh or fish. It completes commands, flags and their values, and the names of rules, cases, areas, faults, report formats and tags. For bash: source <(carrierspec completion bash); for zsh: source <(carrierspec completion zsh), after compinit; for fish: carrierspec completion fish | source.',
  args: {
    shell: {
      ...mandatoryText('<shell>', 'bash, zsh or fish'),
      of: shells,
      read: (raw: unknown) => parseChoice('completion', String(raw), { of: shells }),
    },
  },
  flags: {},
  examples: ['bash', 'zsh', 'fish'],
  ends: doneExits,
  docs: 'docs/commands.md',
});

/** Called by the completion scripts. */
export const completeDefinition = defineCommand({
  name: 'complete',
  group: 'suite',
  summary: 'complete the last word',
  args: { words: textsInput('[words...]', 'the command line without the name of the program') },
  flags: {},
  examples: ['-- run --fa'],
  ends: doneExits,
  docs: 'docs/commands.md',
  hidden: true,
});
