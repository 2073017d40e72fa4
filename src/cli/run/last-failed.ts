import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { select } from '../../engine/plan/select.ts';
import { readResult } from '../../journal/read-result.ts';
import { countOf } from '../../lib/lists.ts';
import type { Result } from '../../model/result.ts';
import type { Verdict } from '../../model/verdict.ts';
import type { Suites } from '../../suite/suites.ts';
import { suggestNames } from '../shared/choose.ts';
import { flagsToRepeat, type RepeatedFlags } from '../shared/flags.ts';
import { usageError } from '../shared/inputs.ts';
import { latestResult } from '../shared/kept.ts';

/** What a result has that is worth another run, and from where. */
export interface LastFailed {
  readonly file: string;
  readonly header: Result['header'];
  /** Cases, and invariants that were broken. */
  readonly ids: ReadonlySet<string>;
  /** `14 of 886 cases and 2 invariants of FILE`. */
  readonly words: string;
}

/** Neither right nor out of place: what another run may find otherwise, or for the first time. */
const open: ReadonlySet<Verdict> = new Set(['fail', 'warn', 'inconclusive', 'error', 'not-run']);
/** An invariant that saw no message is not broken. */
const broken: ReadonlySet<Verdict> = new Set(['fail', 'warn', 'inconclusive', 'error']);

/** The cases that did not pass; invariants that were broken, and of each the case in which it was seen first. */
export function failedIn({ cases, invariants }: Pick<Result, 'cases' | 'invariants'>) {
  const all = [...cases].map(({ id, verdict }) => ({ id, verdict }));
  const known = new Set(all.map(({ id }) => id));
  const red = invariants.filter(({ verdict }) => broken.has(verdict));
  const seenIn = red.flatMap(({ findings }) => findings[0]?.seenIn ?? []).filter((id) => known.has(id));
  const ids = new Set([...all.filter(({ verdict }) => open.has(verdict)).map(({ id }) => id), ...seenIn]);
  return { cases: ids, invariants: red.map(({ id }) => id), of: all.length };
}

/** What the latest result of `out` has red or unjudged. Throws where there is none. */
export function findLastFailed(out: string | undefined): LastFailed {
  const result = out === undefined ? latestResult() : join(out, 'result.json');
  const journal = result.replace(/result\.json$/, 'journal.jsonl');
  const file = [result, journal].find((path) => existsSync(path));
  if (file === undefined) throw usageError(`--last-failed: there is no ${result} to take it from`);
  const { result: before } = readResult(file);
  const { cases, invariants, of } = failedIn(before);
  const more = invariants.length === 0 ? '' : ` and ${countOf(invariants.length, 'invariant')}`;
  const words = `${cases.size} of ${countOf(of, 'case')}${more} of ${file}`;
  return { file, header: before.header, ids: new Set([...cases, ...invariants]), words };
}

/** The flags of the earlier run, where the command line is silent. */
export function repeatFlags<T extends RepeatedFlags>(given: T, { header }: LastFailed): T {
  const repeated = flagsToRepeat(given, header.flags);
  const profile = repeated.profile ?? header.profile;
  return { ...given, ...repeated, profile };
}

/** Of these ids those that the suites still have, and that `what` selects. */
export function chooseAgain(suites: Suites, ids: ReadonlySet<string>, what: readonly string[]): readonly string[] {
  const chosen = what.length === 0 ? suites : select(suites, { what, level: 'informational' }, suggestNames);
  const names = [...chosen.cases, ...chosen.invariants].map(({ id }) => id);
  return names.filter((id) => ids.has(id));
}
