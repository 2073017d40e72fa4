import { defineCommand } from '../shared/command.ts';
import { carrierFlags, json, outOf } from '../shared/flags.ts';
import { mandatory, text } from '../shared/inputs.ts';

export const replayDefinition = defineCommand({
  name: 'replay',
  summary: 'run a case of an earlier result again, with fresh signatures, and compare',
  description:
    'Runs one case again with the flags of the earlier run, prints its report, and says whether it came out as before. The exit code is that of the run.',
  args: {
    id: mandatory('<case>', 'id of the case'),
    file: text('[result]', 'result.json or journal.jsonl of the earlier run; default: that in carrierspec-report'),
  },
  flags: {
    ...carrierFlags,
    out: outOf('folder of the journal, the result and the reports of the new run', 'carrierspec-replay'),
    json,
  },
  examples: ['iat-far-too-old/24h-old', 'iat-far-too-old/24h-old carrierspec-report/result.json --json'],
});
