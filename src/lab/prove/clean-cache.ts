import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Suites } from '../../suite/suites.ts';
import { readText } from '../../files/read.ts';
import { replaceFile } from '../../files/write.ts';
import { hashFolder } from '../../lib/package-file.ts';
import { parsePart } from '../../journal/schema.ts';
import { isJsonObject, type Json, type JsonObject, parseOwnJson, listItems, listStrings } from '../../lib/json.ts';
import { packageRoot } from '../../setup/paths.ts';
import type { CaseOutcome, DifferingNames, JobOutcome } from './job.ts';

/** Hash of the built program, the reference carrier's files and the suites; any change needs another clean run. */
export function cleanRunKey({ digests }: Suites): string {
  const hash = createHash('sha256').update(digests.rules).update(digests.suites);
  for (const folder of ['dist', 'fixtures/reference']) hashFolder(hash, join(packageRoot, folder), /\.(js|json|yaml)$/);
  return hash.digest('hex');
}

function parseOutcome(value: Json, place: string): CaseOutcome | undefined {
  if (!isJsonObject(value) || typeof value['wire'] !== 'string') return undefined;
  const { wire, ...summary } = value;
  const { messages: _, ...rest } = parsePart('case', { ...summary, messages: [] }, place);
  return { ...rest, wire };
}

const parseDiffering = (value: JsonObject): DifferingNames =>
  Object.fromEntries(Object.entries(value).map(([id, names]) => [id, listStrings(names)]));

function parseClean(value: JsonObject, file: string): JobOutcome | undefined {
  const { cases, invariants, differing } = value;
  const outcomes = listItems(cases).map((one) => parseOutcome(one, file));
  const whole = outcomes.flatMap((one) => one ?? []);
  if (!isJsonObject(differing) || whole.length < outcomes.length) return undefined;
  const end = parsePart('end', { cases: [], rules: [], invariants: listItems(invariants), unsolicited: [] }, file);
  return { cases: whole, invariants: end.invariants, differing: parseDiffering(differing) };
}

/** Clean run, and the names traced in it. */
interface CachedCleanRun {
  readonly traced: readonly string[];
  readonly outcome: JobOutcome;
}

/** Clean run that an earlier proof of the same program and suites left, if it traced all these names; else undefined. */
export function readClean(file: string, key: string, traced: readonly string[]): JobOutcome | undefined {
  try {
    const value = parseOwnJson(readText(file, 'result'));
    if (!isJsonObject(value) || value['key'] !== key || !isJsonObject(value['outcome'])) return undefined;
    const known = new Set(listItems(value['traced']));
    return traced.every((name) => known.has(name)) ? parseClean(value['outcome'], file) : undefined;
  } catch {
    // An unreadable cache is made anew.
    return undefined;
  }
}

export function writeClean(file: string, key: string, { traced, outcome }: CachedCleanRun): void {
  replaceFile(file, [JSON.stringify({ key, traced, outcome })]);
}
