import { defineCommand } from '../shared/command.ts';
import { report } from '../shared/flags.ts';
import { mandatory } from '../shared/inputs.ts';

export const reportDefinition = defineCommand({
  name: 'report',
  summary: 'make reports of a run that is over, from its result',
  description:
    'Makes reports of a result.json, or of the journal.jsonl of a run that was cut off; without --report, that for the terminal. Exit code 0 says that they were written: the verdict was the exit code of the run.',
  args: { file: mandatory('<result>', 'a result.json or a journal.jsonl') },
  flags: { report },
  examples: [
    'carrierspec-report/result.json',
    'carrierspec-report/result.json --report har=run.har --report markdown=-',
    'carrierspec-report/journal.jsonl --report junit=junit.xml',
  ],
});
