import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { CarrierspecError } from '../../model/problem.ts';
import type { CaseResult, Result } from '../../model/result.ts';
import { readResult } from '../../report/read-result.ts';
import { forJson } from '../../report/sanitize.ts';
import { exitCodes } from '../exit-codes.ts';
import { main } from '../main.ts';
import { type Comparison, compareCase, flagsToRepeat, isSame, renderComparison } from './compare-case.ts';
import { suggestNames } from '../shared/suggest-names.ts';
import type { Invocation } from '../shared/invocation.ts';

export interface ReplayFlags {
  readonly target?: string;
  readonly suites: readonly string[];
  readonly fault: readonly string[];
  /** Folder of the reports of the new run; of --json there are none. */
  readonly out: string;
  readonly json: boolean;
}

/** Where `carrierspec run` writes unless it is told otherwise. */
const usualResult = 'carrierspec-report/result.json';

const usage = (message: string): CarrierspecError => new CarrierspecError(message, { code: 'nothing-selected' });

function findCase(id: string, { cases }: Pick<Result, 'cases'>, file: string): CaseResult {
  const names: string[] = [];
  for (const one of cases) {
    if (one.id === id) return one;
    names.push(one.id);
  }
  const near = suggestNames(id, names);
  const hint = near.length === 0 ? '' : `; did you mean ${near.join(' or ')}?`;
  throw usage(`${file} has no case ${id}${hint}`);
}

interface Before {
  readonly file: string;
  readonly result: Result;
  readonly case: CaseResult;
}

const namesCarrier = ({ target, fault }: ReplayFlags): boolean => target !== undefined || fault.length > 0;

/** The earlier run; none where nobody names one, the usual one is not there, and flags say what to run against. */
function readBefore(id: string, given: string | undefined, flags: ReplayFlags): Before | undefined {
  const file = given ?? usualResult;
  if (given === undefined && !existsSync(usualResult)) {
    if (namesCarrier(flags)) return undefined;
    throw usage(
      `there is no ${usualResult} to replay from: name a result.json or journal.jsonl, or say with --target or --fault what to run against`,
    );
  }
  const { result } = readResult(file);
  return { file, result, case: findCase(id, result, file) };
}

const repeated = (flag: string, values: readonly string[]): string[] => values.flatMap((value) => [flag, value]);

/** Those of the command line, and those of the earlier run that it does not give: another carrier takes both ways to name one along. */
function flagsOf(flags: ReplayFlags, before: Before | undefined): readonly string[] {
  const { target, suites, fault } = flags;
  const carriers = namesCarrier(flags) ? ['--target', '--fault'] : [];
  const given = new Set([...carriers, ...(suites.length === 0 ? [] : ['--suites'])]);
  return [
    ...flagsToRepeat(before?.result.header.flags ?? [], given),
    ...repeated('--target', target === undefined ? [] : [target]),
    ...repeated('--suites', suites),
    ...repeated('--fault', fault),
  ];
}

const silent = (): Writable => new Writable({ write: (_, __, done) => done() });

interface Again {
  readonly code: number;
  readonly result: Result | undefined;
}

/** The whole command, as somebody would type it: `carrierspec run CASE`. */
async function runAgain(
  id: string,
  flags: readonly string[],
  { invocation, folder }: { readonly invocation: Invocation; readonly folder: string },
): Promise<Again> {
  const file = join(folder, 'result.json');
  const argv = ['run', id, ...flags, '--out', folder];
  const code = await main({ ...invocation, argv });
  return { code, result: existsSync(file) ? readResult(file).result : undefined };
}

function toJson(id: string, again: Again, compared: Comparison | undefined): unknown {
  const found = again.result === undefined ? undefined : findCase(id, again.result, 'this run');
  return {
    case: id,
    ...(found === undefined ? {} : { verdict: found.verdict, findings: found.findings }),
    ...(found?.reason === undefined ? {} : { reason: found.reason }),
    ...(compared === undefined ? {} : { same: isSame(compared), compared }),
  };
}

/** `carrierspec replay CASE [RESULT]`: the case again, with fresh signatures, and whether it comes out as before. Gives what the run gives. */
export async function replayCommand(
  id: string,
  file: string | undefined,
  { flags, invocation }: { readonly flags: ReplayFlags; readonly invocation: Invocation },
): Promise<number> {
  const before = readBefore(id, file, flags);
  const draft = flags.json ? mkdtempSync(join(tmpdir(), 'carrierspec-replay-')) : undefined;
  const { stdout } = invocation;
  try {
    const shown = flags.json ? { ...invocation, stdout: silent() } : invocation;
    const again = await runAgain(id, flagsOf(flags, before), { invocation: shown, folder: draft ?? flags.out });
    const { result } = again;
    if (result === undefined) return again.code === exitCodes.conformant ? exitCodes.internal : again.code;
    const compared =
      before === undefined
        ? undefined
        : compareCase(
            { invariants: before.result.invariants, case: before.case },
            { invariants: result.invariants, case: findCase(id, result, 'this run') },
          );
    if (flags.json) stdout.write(`${forJson(toJson(id, again, compared))}\n`);
    else if (compared !== undefined && before !== undefined) stdout.write(renderComparison(compared, before.file));
    return again.code;
  } finally {
    if (draft !== undefined) rmSync(draft, { recursive: true, force: true });
  }
}
