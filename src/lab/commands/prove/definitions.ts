import { defineCommand } from '../../../cli/shared/help.ts';
import { textInput, textInputOr, textsInput, wholeInput, wholeInputOr, withGroup } from '../../../cli/shared/inputs.ts';

const common = {
  group: 'suite',
  examples: [''],
  ends: { conformant: 'everything is proved', 'not conformant': 'something is not as declared', usage: true },
  docs: 'docs/prove.md',
} as const;
const out = textInputOr('-o, --out <dir>', 'folder of the report', 'carrierspec-prove');
const requests = wholeInputOr('--requests <n>', 'request objects of one exploration', {
  from: 1,
  to: 1_000_000,
  initial: 5000,
});

export const drawnDefinition = defineCommand({
  ...common,
  name: 'drawn',
  summary: 'prove each fault on two drawn carriers as well',
  args: { names: textsInput('[name...]', 'names or globs of faults; without any, all') },
  flags: { out },
});

export const deepDefinition = defineCommand({
  ...common,
  name: 'deep',
  summary: 'run the suites with each deep fault, explore what the run does not find, and say by kind what is found',
  args: { names: textsInput('[name...]', 'names, globs or kinds of deep faults; without any, all') },
  flags: {
    seeds: wholeInputOr(
      '--seeds <n>',
      'explorations of each fault that the run does not find, each with a seed of its own',
      {
        from: 1,
        to: 1000,
        initial: 10,
      },
    ),
    requests,
    out,
  },
});

export const exploredSpaceDefinition = defineCommand({
  ...common,
  name: 'space',
  summary: 'explore conforming carriers; nothing may be found',
  args: { names: textsInput('[name...]', 'freedoms that vary, or freedom/choice for one carrier; without any, all') },
  flags: {
    count: wholeInputOr('--count <n>', 'how many carriers are drawn', { from: 1, to: 10_000, initial: 200 }),
    seed: textInput('--seed <text>', 'the same seed draws the same carriers; default: the date'),
    requests,
    ...withGroup('selected', {
      only: wholeInput('--only <n>', 'the carrier with this number alone', { from: 1, to: 10_000 }),
    }),
    out,
  },
});
