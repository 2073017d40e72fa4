import { statSync } from 'node:fs';
import { faultNames } from '../../carrier/catalogue.ts';
import { countOf, groupBy } from '../../lib/lists.ts';
import { defined } from '../../lib/optional.ts';
import { readTextOf } from '../../lib/read-file.ts';
import { CarrierspecError } from '../../model/problem.ts';
import { roles } from '../../interfaces/server-initiated/registration.ts';
import type { Target } from '../../model/target.ts';
import { forTerminal } from '../../report/shared/sanitize.ts';
import { readLimits, readSuites, readTarget } from '../../setup/read.ts';
import type { Parties } from '../../suite/compile/context.ts';
import { findFiles } from '../../suite/find-files.ts';
import type { RenamedUse } from '../../suite/yaml/version-1.ts';
import type { checkDefinition } from '../definitions/certify.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Given } from '../shared/command.ts';
import { writeWhole } from '../shared/files.ts';
import { usageError } from '../shared/inputs.ts';
import type { Invocation } from '../shared/invocation.ts';
import { noteRenamed, readMatchingTarget } from '../shared/setup.ts';

/** A file that is checked, with the names of version 1 in it. */
interface FormerFile {
  readonly path: string;
  readonly names: readonly RenamedUse[];
}

/** The text with the names of today at exactly these positions; everything else stays. A name that is not written there as it is read, as behind an alias, stays too. */
export function rewriteNames(text: string, names: readonly Pick<RenamedUse, 'position' | 'from' | 'to'>[]): string {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const edits = names.map(({ position: { line, column }, from, to }) => {
    const at = (starts[line - 1] ?? text.length) + column - 1;
    return { at: /["']/.test(text[at] ?? '') ? at + 1 : at, from, to };
  });
  const unique = new Map(edits.map((edit) => [edit.at, edit]));
  let rewritten = text;
  for (const { at, from, to } of [...unique.values()].toSorted((left, right) => right.at - left.at)) {
    const end = at + from.length;
    if (!text.startsWith(from, at) || /[\w-]/.test(text[end] ?? '')) continue;
    rewritten = rewritten.slice(0, at) + to + rewritten.slice(end);
  }
  return rewritten;
}

const mark = '\uFEFF';

/** The files of these folders, and the target file, that write names of version 1. */
async function filesWith(
  uses: readonly RenamedUse[],
  given: Given<typeof checkDefinition>,
): Promise<readonly FormerFile[]> {
  const folders = await Promise.all(given.dirs.map((dir) => findFiles(dir, []).catch(() => [])));
  const paths = new Map(folders.flat().map(({ label, path }) => [label, path]));
  const byFile = groupBy(uses, ({ position }) => position.file);
  return [...byFile].flatMap(([label, names]) => {
    const path = paths.get(label) ?? given.target;
    return path === undefined ? [] : [{ path, names }];
  });
}

/** Writes the names of today into a file; comments and layout stay. */
function fixFile({ path, names }: FormerFile): void {
  const text = readTextOf(path, 'yaml');
  // A byte order mark is no character of the first line.
  const start = text.startsWith(mark) ? mark : '';
  writeWhole(path, [start + rewriteNames(text.slice(start.length), names)], '--fix');
}

/** The names of version 1 in what is checked; mistakes are left to the check itself. */
async function findFormerNames({ dirs, target }: Given<typeof checkDefinition>, env: Invocation['env']) {
  const uses: RenamedUse[] = [];
  const onRenamed = (use: RenamedUse): void => void uses.push(use);
  const leaveToCheck = (error: unknown): void => {
    if (!(error instanceof CarrierspecError)) throw error;
  };
  await readSuites(dirs, { onRenamed }).catch(leaveToCheck);
  try {
    if (target !== undefined) readTarget(target, env, { onRenamed });
  } catch (error) {
    leaveToCheck(error);
  }
  return uses;
}

/** What the cases that ship name, and what this target file has besides. Mistakes in it are left to the check itself. */
async function partiesOf({ target }: Given<typeof checkDefinition>, env: Invocation['env']): Promise<Parties> {
  const needs = (await readSuites([])).cases.flatMap(({ requires }) => requires);
  const of = (word: string): readonly string[] =>
    needs.flatMap((need) => (need.startsWith(`${word}:`) ? [need.slice(word.length + 1)] : []));
  const own = target === undefined ? undefined : readTargetOr(target, env);
  return {
    client: new Set([...Object.keys(roles), ...of('client'), ...(own?.clients ?? []).map(({ name }) => name)]),
    subscriber: new Set([...of('subscriber'), ...(own?.subscribers ?? []).flatMap(({ tags }) => tags)]),
    requires: new Set([...needs.filter((need) => !need.includes(':')), ...Object.keys(own?.supports ?? {})]),
  };
}

function readTargetOr(file: string, env: Invocation['env']): Target | undefined {
  try {
    return readTarget(file, env);
  } catch (error) {
    if (error instanceof CarrierspecError) return undefined;
    throw error;
  }
}

/** A target file is no folder of suites. */
function requireFolders(dirs: readonly string[]): void {
  const file = dirs.find((dir) => statSync(dir, { throwIfNoEntry: false })?.isFile() === true);
  if (file !== undefined)
    throw usageError(`${file} is a file, not a folder of suites; a target file is named as --target ${file}`);
}

/** Sends what a run with the target file would need. */
async function tryOut(
  { dirs, target: file, json }: Given<typeof checkDefinition>,
  invocation: Invocation,
): Promise<number> {
  if (file === undefined) throw usageError('--preflight: needs --target');
  const { tryTarget } = await import('./preflight.ts');
  return tryTarget({ file, dirs, json }, invocation);
}

/** `carrierspec check`: reads and checks everything; sends nothing without `--preflight`. */
export async function checkCommand(given: Given<typeof checkDefinition>, invocation: Invocation): Promise<number> {
  const { dirs, target, fix, preflight, json } = given;
  const { stdout, stderr, env } = invocation;
  requireFolders(dirs);
  if (json && !preflight) throw usageError('--json: needs --preflight');
  if (preflight) return tryOut(given, invocation);
  if (fix) {
    for (const file of await filesWith(await findFormerNames(given, env), given)) {
      fixFile(file);
      stderr.write(`${forTerminal(file.path)}: ${countOf(file.names.length, 'name')} of version 1 rewritten\n`);
    }
  }
  const onRenamed = noteRenamed(stderr);
  const parties = dirs.length === 0 ? undefined : await partiesOf(given, env);
  const suites = await readSuites(dirs, { faults: new Set(faultNames()), onRenamed, ...defined({ parties }) });
  const { rules, cases, invariants, files } = suites;
  const { limits, profile } = readLimits(rules);
  if (target !== undefined) readMatchingTarget(target, suites, { env, onRenamed });
  const also = target === undefined ? '' : ', and the target file';
  stdout.write(
    `${files.length + 1} files: ${rules.length} rules, ${cases.length} cases, ${invariants.length} invariants, ${limits.length} limits, a profile of ${profile.length}${also}: no mistakes\n`,
  );
  return exitCodes.conformant;
}
