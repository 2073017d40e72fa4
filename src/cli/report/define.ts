import type { Command } from 'commander';
import type { Invocation } from '../shared/invocation.ts';

/** The values of a flag that can be repeated. */
export const collect = (value: string, before: readonly string[]): string[] => [...before, value];

/** Names of src/report/formats.ts, which help does not load. */
export const reportHelp =
  'a further report: terminal, json, junit, html, markdown, annotations, ctrf, har, tap; - is stdout';

export function defineReport(program: Command, invocation: Invocation, end: (code: number) => void): void {
  program
    .command('report')
    .summary('make reports of a run that is over, from its result')
    .description(
      'Makes reports of a result.json, or of the journal.jsonl of a run that was cut off; without --report, that for the terminal. Exit code 0 says that they were written: the verdict was the exit code of the run.',
    )
    .argument('<result>', 'a result.json or a journal.jsonl')
    .option('--report <format=path>', reportHelp, collect, [])
    .addHelpText(
      'after',
      '\nExamples:\n  carrierspec report carrierspec-report/result.json\n  carrierspec report carrierspec-report/result.json --report har=run.har --report markdown=-\n  carrierspec report carrierspec-report/journal.jsonl --report junit=junit.xml\n',
    )
    .action(async (file: string, flags: { report: readonly string[] }) => {
      const { reportCommand } = await import('./report.ts');
      end(await reportCommand(file, flags, invocation));
    });
}

export function defineMerge(program: Command, invocation: Invocation, end: (code: number) => void): void {
  program
    .command('merge')
    .summary('join the parts of a run that was split with --shard')
    .description(
      'Joins the results of all shards as if they had been one run, judges the rules again, writes its reports, and ends with its exit code. Refuses results that are not parts of one run; a shard that is missing makes it incomplete.',
    )
    .argument('<result...>', 'the result.json, or journal.jsonl, of each shard')
    .option('--suites <dir>', 'a further folder of suites, as the run had it', collect, [])
    .option('--report <format=path>', reportHelp, collect, [])
    .option('--out <dir>', 'folder of the joined result and the reports', 'carrierspec-report')
    .addHelpText(
      'after',
      '\nExamples:\n  carrierspec merge shard-*/result.json\n  carrierspec merge one/result.json two/result.json --out whole --report markdown=summary.md\n',
    )
    .action(async (files: string[], flags: Parameters<typeof import('../merge/merge.ts').mergeCommand>[1]) => {
      const { mergeCommand } = await import('../merge/merge.ts');
      end(await mergeCommand(files, flags, invocation));
    });
}
