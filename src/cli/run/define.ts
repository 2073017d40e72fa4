import { defineCommand } from '../shared/command.ts';
import * as flags from '../shared/flags.ts';
import { choice, text, toggle, wholeOr } from '../shared/inputs.ts';

export const runDefinition = defineCommand({
  name: 'run',
  summary: 'certify a carrier: send, receive, judge, report',
  description:
    'Runs the cases of every rule, or of those named, against a carrier; without --target, against the embedded reference carrier.',
  args: { what: flags.what },
  flags: {
    ...flags.carrierFlags,
    without: flags.without,
    level: flags.level,
    report: flags.report,
    out: flags.outOf('folder of the journal, the result and the reports', 'carrierspec-report'),
    resume: toggle('--resume', 'resume the run whose journal is in --out'),
    budget: flags.budget,
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
    bail: toggle('--bail', 'stop at the first failure'),
    jobs: wholeOr('--jobs <n>', 'exchanges under way at the same time', { from: 1, to: 1000, initial: 16 }),
  },
  examples: ['', 'REQ-015 --target carrier.yaml', '"CB-*" --level required', '--fault iat-not-checked'],
});
