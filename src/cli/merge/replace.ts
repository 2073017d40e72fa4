import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Pair, WholePart } from '../../engine/merge/parts.ts';
import { requireReplaceable } from '../../engine/merge/replace.ts';
import type { Selected } from '../../engine/plan/select.ts';
import { readContributions } from '../../journal/read-result.ts';
import { isJournalFile } from '../../journal/read-summary.ts';
import { CarrierspecError } from '../../model/problem.ts';
import type { Suites } from '../../suite/suites.ts';
import { measureFile } from '../certify/certificate.ts';
import { usageError } from '../shared/inputs.ts';
import type { Invocation } from '../shared/invocation.ts';
import { journalIn } from '../shared/kept.ts';
import { readNoted } from '../shared/reports.ts';

const missing = (file: string, why: string): CarrierspecError =>
  new CarrierspecError(`--replace: ${file} ${why}: what its cases contributed to the invariants is in its journal`, {
    code: 'result-unreadable',
  });

/** A result with what its cases contributed, which its journal has: the file itself, or that beside it. */
function readWhole(file: string, invocation: Invocation): WholePart {
  const { digest } = measureFile(file);
  const journal = isJournalFile(file) ? file : journalIn(dirname(file));
  const result = readNoted(file, invocation);
  if (result.header.shard !== undefined) return { file, result, digest, contributions: new Map() };
  if (!existsSync(journal)) throw missing(file, 'has no journal.jsonl beside it');
  const noted = readContributions(journal).result;
  if (noted.header.run !== result.header.run) throw missing(file, `is not of the run of ${journal}`);
  return { file, result, digest, contributions: new Map(Object.entries(noted.contributions ?? {})) };
}

/**
 * What a run selected, as its result has it; of one that was cut off, as its suites have it. What only the rerun found, by
 * invariants beside the cases that it named, counts as well.
 */
export function selectedIn({ earlier, later }: Pair, suites: Suites): Selected | undefined {
  const { cases, rules, invariants, footer } = earlier.result;
  if (footer === undefined) return undefined;
  const ids = new Set([...cases].map(({ id }) => id));
  const names = new Set(invariants.map(({ id }) => id));
  const beside = later.result.invariants.flatMap(({ id }) => (names.has(id) ? [] : [id]));
  return {
    cases: suites.cases.filter(({ id }) => ids.has(id)),
    invariants: suites.invariants.filter(({ id }) => names.has(id) || beside.includes(id)),
    rules: new Set(rules.map(({ id }) => id)),
    beside: new Set(beside),
  };
}

/** The two results of `merge --replace EARLIER LATER`, read. Throws where the later one cannot replace anything of the other. */
export function readPair(files: readonly string[], invocation: Invocation): Pair {
  const [first, second, ...more] = files;
  if (first === undefined || second === undefined || more.length > 0)
    throw usageError('--replace takes two results: the earlier one, then the rerun of a part of its cases');
  const [earlier, later] = [readWhole(first, invocation), readWhole(second, invocation)];
  requireReplaceable(earlier, later);
  return { earlier, later };
}
