import { join } from 'node:path';
import process from 'node:process';
import { requireAttestable } from '../../engine/plan/check-attestations.ts';
import { requireKnownSupports } from '../../engine/plan/check-supports.ts';
import { run } from '../../engine/run.ts';
import type { RunOptions } from '../../engine/run-options.ts';
import { select } from '../../engine/plan/select.ts';
import { selectShard } from '../../engine/plan/shard.ts';
import { CarrierspecError } from '../../model/problem.ts';
import { type Level, levels } from '../../model/rule.ts';
import { createProgress } from '../../report/progress.ts';
import { toolVersion } from '../../setup/paths.ts';
import { readExpected, readSuites, readTarget } from '../../setup/read.ts';
import { referenceTarget, requireOneCarrier, startChosen } from '../../setup/reference.ts';
import { parseBudget } from '../shared/budget.ts';
import { exitCodeOf } from '../exit-codes.ts';
import { findOperator } from '../shared/operator.ts';
import { requireReady } from '../preflight/preflight.ts';
import { makeFolder, parseReports, writeReports } from '../shared/reports.ts';
import { keptOf } from './resume.ts';
import { parseShard } from './shard-flag.ts';
import { tellStale } from './stale-expected.ts';
import { suggestNames } from '../shared/suggest-names.ts';
import { type Invocation, isLive, listenForSignal, wantsColour } from '../shared/invocation.ts';
import { withoutAreas } from '../shared/without.ts';

export interface RunFlags {
  readonly target?: string;
  readonly suites: readonly string[];
  readonly without: readonly string[];
  readonly level: string;
  readonly report: readonly string[];
  readonly out: string;
  readonly expected?: string;
  readonly budget?: string;
  readonly resume: boolean;
  readonly shard?: string;
  readonly preflight: string;
  readonly measure: boolean;
  readonly bail: boolean;
  readonly jobs: string;
  readonly fault: readonly string[];
}

export function parseLevel(text: string): Level {
  const level = levels.find((one) => one === text);
  if (level !== undefined) return level;
  const message = `--level: "${text}" is none of ${levels.join(', ')}`;
  throw new CarrierspecError(message, { code: 'bad-flag' });
}

function parseJobs(text: string): number {
  const jobs = Number(text);
  if (Number.isInteger(jobs) && jobs >= 1 && jobs <= 1000) return jobs;
  const message = `--jobs: "${text}" is no whole number from 1 to 1000`;
  throw new CarrierspecError(message, { code: 'bad-flag' });
}

function parsePreflight(text: string): 'off' | 'quick' | 'full' {
  if (text === 'off' || text === 'quick' || text === 'full') return text;
  const message = `--preflight: "${text}" is none of off, quick, full`;
  throw new CarrierspecError(message, { code: 'bad-flag' });
}

const repeated = (flag: string, values: readonly string[]): string[] => values.flatMap((value) => [flag, value]);

function flagsToRepeat({ target, suites, without, fault }: RunFlags): string[] {
  const targets = target === undefined ? [] : [target];
  return [
    ...repeated('--target', targets),
    ...repeated('--suites', suites),
    ...repeated('--without', without),
    ...repeated('--fault', fault),
  ];
}

/** `carrierspec run [what…]`: a whole run and its reports. Gives the exit code. */
export async function runCommand(what: readonly string[], flags: RunFlags, invocation: Invocation): Promise<number> {
  const { stderr, env } = invocation;
  const level = parseLevel(flags.level);
  const jobs = parseJobs(flags.jobs);
  const how = parsePreflight(flags.preflight);
  const budget = parseBudget(flags.budget);
  const shard = flags.shard === undefined ? undefined : parseShard(flags.shard, env);
  const reports = parseReports(flags.report, flags.out);
  requireOneCarrier(flags);
  const [shipped, reference] = await Promise.all([readSuites(flags.suites), startChosen(flags)]);
  const progress = createProgress({
    stream: stderr,
    tty: isLive(stderr, env),
    colour: wantsColour(stderr, env),
    now: Date.now,
  });
  try {
    const suites = withoutAreas(shipped, flags.without);
    const chosen = select(suites, { what, level }, suggestNames);
    const target = readTarget(flags.target ?? referenceTarget, { ...env, ...reference?.env });
    requireAttestable(shipped.rules, target);
    requireKnownSupports(shipped.cases, target);
    const expected = flags.expected === undefined ? {} : { expected: readExpected(flags.expected) };
    tellStale(expected.expected, shipped, stderr);
    makeFolder(flags.out, '--out');
    const selected = shard === undefined ? chosen : selectShard(chosen, shard, { suites, target });
    if (flags.target !== undefined && how === 'full') await requireReady({ suites: shipped, target });
    const journal = join(flags.out, 'journal.jsonl');
    const kept = keptOf(flags, journal);
    const operator = findOperator(invocation, progress);
    const options: RunOptions = {
      suites,
      selected,
      selection: { what, level },
      target,
      journal,
      outlives: flags.target !== undefined,
      resumable: flags.target !== undefined,
      ...(kept === undefined ? {} : { resume: kept }),
      jobs,
      bail: flags.bail,
      ...expected,
      nameable: shipped,
      ...(budget === undefined ? {} : { budget }),
      ...(shard === undefined ? {} : { shard }),
      progress: (event) => progress.event(event),
      signal: listenForSignal(invocation, () =>
        stderr.write('\nending with what is finished; once more to stop at once\n'),
      ),
      ...(operator === undefined ? {} : { operator }),
      preflight: flags.target !== undefined && how !== 'off',
      flags: flagsToRepeat(flags),
      tool: { name: 'carrierspec', version: toolVersion(), node: process.version },
    };
    const measured = flags.measure ? await (await import('../measure/measure.ts')).measureBefore(options) : {};
    const { result, close } = await run({ ...options, ...measured });
    progress.close();
    await writeReports(result, reports, invocation);
    close();
    return exitCodeOf(result);
  } finally {
    progress.close();
    await reference?.close();
  }
}
