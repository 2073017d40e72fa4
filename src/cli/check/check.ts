import { faultNames } from '../../carrier/catalogue.ts';
import { renderPosition } from '../../model/position.ts';
import { readFileSync } from 'node:fs';
import { findFiles } from '../../suite/find-files.ts';
import { parseYaml, type YamlDocument } from '../../suite/yaml/document.ts';
import { renameKeys, version1 } from '../../suite/yaml/version-1.ts';
import type { Position } from '../../model/position.ts';
import { writeWhole } from '../shared/files.ts';
import { countOf } from '../../lib/lists.ts';
import { forTerminal } from '../../report/shared/sanitize.ts';
import { readLimits, readSuites } from '../../setup/read.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Given } from '../shared/command.ts';
import type { Invocation } from '../shared/invocation.ts';
import { readMatchingTarget } from '../shared/setup.ts';
import type { checkDefinition } from '../definitions.ts';

/** A name of version 1 where a file still writes it. */
interface FormerName {
  /** Where the name begins, or the quote before it. */
  readonly position: Position;
  readonly from: string;
  readonly to: string;
}

/** A file that is checked, with the names of version 1 in it. */
interface FormerFile {
  readonly path: string;
  readonly text: string;
  readonly names: readonly FormerName[];
}

/** The names of version 1 in a document of a kind: `rules`, `suite`, `target`. */
export const formerNames = (document: YamlDocument, kind: string): readonly FormerName[] =>
  renameKeys(document, version1[kind] ?? []).uses;

/** The text with the names of today at exactly these positions; everything else stays. A name that is not written there as it is read, as behind an alias, stays too. */
export function rewriteNames(text: string, names: readonly FormerName[]): string {
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

function readFormer(path: string, label: string, kind: string): FormerFile {
  const text = readFileSync(path, 'utf8');
  // A byte order mark is no character of the first line.
  const document = parseYaml(text.startsWith(mark) ? text.slice(mark.length) : text, label);
  return { path, text, names: formerNames(document, kind) };
}

/** The files of these folders, and the target file, that write names of version 1. Files that cannot be read are left to `check`. */
async function findFormerNames(dirs: readonly string[], target?: string): Promise<readonly FormerFile[]> {
  const found: FormerFile[] = [];
  const look = (path: string, label: string, kind: string): void => {
    try {
      found.push(readFormer(path, label, kind));
    } catch {
      // `check` reports it, with its position.
    }
  };
  for (const dir of dirs) {
    for (const { path, label, kind } of await findFiles(dir, []).catch(() => [])) look(path, label, kind);
  }
  if (target !== undefined) look(target, target, 'target');
  return found.filter(({ names }) => names.length > 0);
}

/** Writes the names of today into a file; comments and layout stay. */
function fixFile({ path, text, names }: FormerFile): void {
  const start = text.startsWith(mark) ? mark : '';
  writeWhole(path, [start + rewriteNames(text.slice(start.length), names)], '--fix');
}

/** Names of version 1 are read as those of today: each is a note, or is rewritten. */
async function treatFormerNames(
  { dirs, target, fix }: Given<typeof checkDefinition>,
  { stderr }: Invocation,
): Promise<void> {
  for (const file of await findFormerNames(dirs, target)) {
    if (fix) {
      fixFile(file);
      stderr.write(`${forTerminal(file.path)}: ${countOf(file.names.length, 'name')} of version 1 rewritten\n`);
      continue;
    }
    for (const { position, from, to } of file.names) {
      const note = `\`${from}\` is now \`${to}\`; carrierspec check --fix rewrites it`;
      stderr.write(`note: ${forTerminal(`${renderPosition(position)}: ${note}`)}\n`);
    }
  }
}

/** `carrierspec check`: reads and checks everything, sends nothing. */
export async function checkCommand(given: Given<typeof checkDefinition>, invocation: Invocation): Promise<number> {
  const { dirs, target } = given;
  await treatFormerNames(given, invocation);
  const suites = await readSuites(dirs, new Set(faultNames()));
  const { rules, cases, invariants, files } = suites;
  const { limits, profile } = readLimits(rules);
  if (target !== undefined) readMatchingTarget(target, suites, invocation.env);
  const also = target === undefined ? '' : ', and the target file';
  invocation.stdout.write(
    `${files.length + 1} files: ${rules.length} rules, ${cases.length} cases, ${invariants.length} invariants, ${limits.length} limits, a profile of ${profile.length}${also}: no mistakes\n`,
  );
  return exitCodes.conformant;
}
