import { defined } from '../../lib/optional.ts';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { CarrierspecError } from '../../model/problem.ts';
import type { CaseResult, Result } from '../../model/result.ts';
import { readResult } from '../../journal/read-result.ts';
import { forJson } from '../../report/shared/sanitize.ts';
import { exitCodes } from '../exit-codes.ts';
import { type replayDefinition, runDefinition } from '../definitions.ts';
import { runCommand } from '../run/run.ts';
import { suggestNames } from '../shared/choose.ts';
import { type Given, readFlags } from '../shared/command.ts';
import type { Invocation } from '../shared/invocation.ts';
import { parseFlags, type RepeatedFlags } from '../shared/flags.ts';
import { compareCase, type Comparison, isSame, renderComparison } from './compare-case.ts';

type ReplayFlags = Given<typeof replayDefinition>;

/** Where `carrierspec run` writes without --out. */
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

const namesCarrier = ({ target, fault }: Pick<RepeatedFlags, 'target' | 'fault'>): boolean =>
  target !== undefined || fault.length > 0;

/** The earlier run. None: the caller names no result, the usual one is not there, and flags say what to run against. */
function readBefore({ id, file: given, ...flags }: ReplayFlags): Before | undefined {
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

/** Those of the command line, and where it is silent those of the earlier run. `--target` and `--fault` name a carrier together. */
export function flagsToRepeat(
  given: Pick<RepeatedFlags, 'target' | 'suites' | 'fault'>,
  before: readonly string[],
): RepeatedFlags {
  const { suites, without, ...carrier } = parseFlags(before);
  const { target, fault } = namesCarrier(given) ? given : carrier;
  return defined({ target, fault, suites: given.suites.length > 0 ? given.suites : suites, without });
}

const silent = (): Writable => new Writable({ write: (_, __, done) => done() });

interface Again {
  readonly code: number;
  readonly result: Result | undefined;
}

async function runAgain(
  given: ReplayFlags,
  before: Before | undefined,
  { invocation, out }: { readonly invocation: Invocation; readonly out: string },
): Promise<Again> {
  const repeated = flagsToRepeat(given, before?.result.header.flags ?? []);
  const { quiet, verbose } = given;
  const flags = { ...readFlags(runDefinition.flags), ...repeated, out, quiet, verbose };
  const code = await runCommand({ what: [given.id], ...flags }, invocation);
  const file = join(out, 'result.json');
  return { code, result: existsSync(file) ? readResult(file).result : undefined };
}

function toJson({ id, verdict, findings, reason }: CaseResult, compared: Comparison | undefined): unknown {
  return defined({ case: id, verdict, findings, reason, same: compared && isSame(compared), compared });
}

/** `carrierspec replay CASE [RESULT]`: the case again, with fresh signatures, and whether it comes out as before. Gives what the run gives. */
export async function replayCommand(given: ReplayFlags, invocation: Invocation): Promise<number> {
  const { id, json } = given;
  const before = readBefore(given);
  const draft = json ? mkdtempSync(join(tmpdir(), 'carrierspec-replay-')) : undefined;
  const { stdout } = invocation;
  try {
    const shown = json ? { ...invocation, stdout: silent() } : invocation;
    const again = await runAgain(given, before, { invocation: shown, out: draft ?? given.out });
    const { result } = again;
    if (result === undefined) return again.code === exitCodes.conformant ? exitCodes.internal : again.code;
    const found = { invariants: result.invariants, case: findCase(id, result, 'this run') };
    const compared = before && compareCase({ invariants: before.result.invariants, case: before.case }, found);
    if (json) stdout.write(`${forJson(toJson(found.case, compared))}\n`);
    else if (compared !== undefined && before !== undefined) stdout.write(renderComparison(compared, before.file));
    return again.code;
  } finally {
    if (draft !== undefined) rmSync(draft, { recursive: true, force: true });
  }
}
