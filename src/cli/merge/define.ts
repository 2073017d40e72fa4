import { defineCommand } from '../shared/command.ts';
import { outOf, report, suites } from '../shared/flags.ts';
import { texts } from '../shared/inputs.ts';

export const mergeDefinition = defineCommand({
  name: 'merge',
  summary: 'join the parts of a run that was split with --shard',
  description:
    'Joins the results of all shards as if they had been one run, judges the rules again, writes its reports, and ends with its exit code. Refuses results that are not parts of one run; a shard that is missing makes it incomplete.',
  args: { files: texts('<result...>', 'the result.json, or journal.jsonl, of each shard') },
  flags: { suites, report, out: outOf('folder of the joined result and the reports', 'carrierspec-report') },
  examples: ['shard-*/result.json', 'one/result.json two/result.json --out whole --report markdown=summary.md'],
});
