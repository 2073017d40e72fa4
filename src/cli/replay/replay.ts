import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { glob } from '../../engine/plan/select.ts';
import { readResult } from '../../journal/read-result.ts';
import { defined } from '../../lib/optional.ts';
import { CarrierspecError } from '../../model/problem.ts';
import type { CaseResult, InvariantResult, Result } from '../../model/result.ts';
import { selectionFor } from '../../model/seen-again.ts';
import { forJson } from '../../report/shared/sanitize.ts';
import { type replayDefinition, runDefinition } from '../definitions/certify.ts';
import { exitCodes } from '../exit-codes.ts';
import { runIn } from '../run/run.ts';
import { suggestNames } from '../shared/choose.ts';
import { type Given, readFlags } from '../shared/command.ts';
import { flagsToRepeat, namesCarrier, usualReplays } from '../shared/flags.ts';
import type { Invocation } from '../shared/invocation.ts';
import { latestResult, type Place, placeOf } from '../shared/kept.ts';
import { requireNamed } from '../shared/named-again.ts';
import { type Comparison, compareCase, isSame, renderComparison } from './compare-case.ts';

type ReplayFlags = Given<typeof replayDefinition>;

const usage = (message: string): CarrierspecError => new CarrierspecError(message, { code: 'nothing-selected' });

/** The case in which an invariant was first broken, where the name is that of an invariant. */
function caseNamedBy(name: string, { invariants }: Pick<Result, 'invariants'>, file: string): string {
  const invariant = invariants.find(({ id }) => id === name);
  if (invariant === undefined) return name;
  const seenIn = invariant.findings[0]?.seenIn;
  if (seenIn !== undefined) return seenIn;
  throw usage(`in ${file} the invariant ${name} was not broken: name a case to replay`);
}

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

/** The earlier run. None: the caller names no result, the usual one is not there, and flags say what to run against. */
function readBefore({ id, file: given, ...flags }: ReplayFlags): Before | undefined {
  const file = given ?? latestResult();
  if (given === undefined && !existsSync(file)) {
    if (namesCarrier(flags)) return undefined;
    throw usage(
      `there is no ${file} to replay from: name a result.json or journal.jsonl, or say with --target or --fault what to run against`,
    );
  }
  const { result } = readResult(file);
  return { file, result, case: findCase(caseNamedBy(id, result, file), result, file) };
}

/** The case, and what findings over several cases need beside it. */
function selectionOf(id: string, { result }: Before): readonly string[] {
  const names = result.invariants.flatMap((invariant) =>
    invariant.findings.filter(({ seenIn }) => seenIn === id).flatMap((finding) => selectionFor({ finding, invariant })),
  );
  return [...new Set([id, ...names])];
}

/** The invariants that the earlier run judged the case by: those it selected, and all where it named the case itself. */
function judgedBefore(id: string, { result }: Before): (invariant: InvariantResult) => boolean {
  const { selection } = result.header;
  const names = [id, id.split('/')[0] ?? id];
  if (selection.some((pattern) => names.some((name) => glob(pattern).test(name)))) return () => true;
  const judged = new Set(result.invariants.map((one) => one.id));
  return (invariant) => judged.has(invariant.id);
}

const silent = (): Writable => new Writable({ write: (_, __, done) => done() });

interface Again {
  readonly code: number;
  readonly result: Result | undefined;
}

async function runAgain(
  given: ReplayFlags,
  before: Before | undefined,
  { invocation, place }: { readonly invocation: Invocation; readonly place: Place },
): Promise<Again> {
  const earlier = before?.result.header;
  requireNamed(given, earlier?.flags ?? [], invocation);
  const repeated = flagsToRepeat(given, earlier?.flags ?? []);
  const { quiet, verbose } = given;
  const flags = { ...readFlags(runDefinition.flags), ...repeated, quiet, verbose };
  const what = before === undefined ? [given.id] : selectionOf(before.case.id, before);
  const code = await runIn({ place, ...defined({ earlier }) }, { what, ...flags }, invocation);
  const file = join(place.folder, 'result.json');
  return { code, result: existsSync(file) ? readResult(file).result : undefined };
}

/** Of this run only what the earlier one judged as well. */
function compareWith(before: Before, found: CaseResult, { invariants }: Result): Comparison {
  const judged = invariants.filter(judgedBefore(found.id, before));
  return compareCase({ invariants: before.result.invariants, case: before.case }, { invariants: judged, case: found });
}

function toJson({ id, verdict, findings, reason }: CaseResult, compared: Comparison | undefined): unknown {
  return defined({ case: id, verdict, findings, reason, same: compared && isSame(compared), compared });
}

/** How the case came out, and whether as before. */
function describeAgain({ id, json }: ReplayFlags, before: Before | undefined, result: Result): string {
  const found = findCase(before?.case.id ?? id, result, 'this run');
  const compared = before && compareWith(before, found, result);
  if (json) return `${forJson(toJson(found, compared))}\n`;
  return compared === undefined || before === undefined ? '' : renderComparison(compared, before.file);
}

/** `carrierspec replay CASE [RESULT]`: the case again, with fresh signatures, and whether it comes out as before. Gives what the run gives. */
export async function replayCommand(given: ReplayFlags, invocation: Invocation): Promise<number> {
  const { json } = given;
  const before = readBefore(given);
  const draft = json ? mkdtempSync(join(tmpdir(), 'carrierspec-replay-')) : undefined;
  const place = placeOf(draft ?? given.out, usualReplays);
  const { stdout } = invocation;
  try {
    const shown = json ? { ...invocation, stdout: silent() } : invocation;
    const again = await runAgain(given, before, { invocation: shown, place });
    const { result } = again;
    if (result === undefined) return again.code === exitCodes.conformant ? exitCodes.internal : again.code;
    stdout.write(describeAgain(given, before, result));
    return again.code;
  } finally {
    if (draft !== undefined) rmSync(draft, { recursive: true, force: true });
  }
}
