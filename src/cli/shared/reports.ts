import { closeSync, openSync, realpathSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { CarrierspecError } from '../../model/problem.ts';
import type { Result } from '../../model/result.ts';
import { type FormatName, formats, isFormatName } from '../../report/formats.ts';
import { renderTerminal } from '../../report/terminal.ts';
import { makeFolders } from './make-folders.ts';
import { type Invocation, wantsColour, widthOf } from './invocation.ts';

export interface WantedReport {
  readonly format: FormatName;
  /** `-` is stdout. */
  readonly path: string;
}

const usage = (message: string): CarrierspecError => new CarrierspecError(message, { code: 'bad-flag' });

function parseReport(text: string): WantedReport {
  const at = text.indexOf('=');
  const format = at < 0 ? text : text.slice(0, at);
  const path = at < 0 ? '' : text.slice(at + 1);
  if (!isFormatName(format)) throw usage(`--report: "${format}" is none of ${Object.keys(formats).join(', ')}`);
  if (path === '') throw usage(`--report: ${format} needs a path, as ${format}=PATH; - is stdout`);
  return { format, path };
}

/** `--report FORMAT=PATH`, several at once. No two go to one place, and none over a file that is `kept`. */
export function parseWanted(given: readonly string[], kept: readonly string[] = []): readonly WantedReport[] {
  const wanted = given.map(parseReport);
  if (wanted.filter(({ path }) => path === '-').length > 1) throw usage('--report: only one report can go to stdout');
  const taken = new Set(kept.map((path) => resolve(path)));
  for (const { path } of wanted.filter((one) => one.path !== '-')) {
    if (taken.has(resolve(path))) throw usage(`--report: ${path} is written or read by something else`);
    taken.add(resolve(path));
  }
  return wanted;
}

/** The reports of a run: those that are always written below `--out`, then those of `--report`. */
export function parseReports(given: readonly string[], out: string): readonly WantedReport[] {
  const always: readonly WantedReport[] = [
    { format: 'json', path: join(out, 'result.json') },
    { format: 'junit', path: join(out, 'junit.xml') },
    { format: 'html', path: join(out, 'report.html') },
  ];
  return [...always, ...parseWanted(given, [join(out, 'journal.jsonl'), ...always.map(({ path }) => path)])];
}

/** Makes a folder to write to; says which flag asked for it where that cannot be. */
export function makeFolder(path: string, flag: string): void {
  try {
    makeFolders(path);
  } catch (cause) {
    throw unwritable(path, flag, cause);
  }
}

function unwritable(path: string, flag: string, cause: unknown): CarrierspecError {
  const why = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
  return new CarrierspecError(`${flag}: ${path} cannot be written: ${why}`, { code: 'bad-flag', cause });
}

/** A file is replaced as a whole; a pipe or a device is written to. */
function isReplaceable(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined || found.isFile();
}

/** Where a link leads, so that the link stays one. */
function behindLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function writeChunks(path: string, chunks: Iterable<string>): void {
  const file = openSync(path, 'w');
  try {
    for (const chunk of chunks) writeSync(file, chunk);
  } finally {
    closeSync(file);
  }
}

/** Who reads the file sees the report that was there before, or the whole new one, never a half. */
function replaceFile(path: string, chunks: Iterable<string>): void {
  const target = behindLinks(path);
  const draft = `${target}.${process.pid}.tmp`;
  try {
    writeChunks(draft, chunks);
    renameSync(draft, target);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** Writes a file whole or not at all, behind a link too; a pipe or a device is written to as it is. */
export function writeWhole(path: string, chunks: Iterable<string>, flag: string): void {
  makeFolder(dirname(path), flag);
  try {
    if (isReplaceable(path)) replaceFile(path, chunks);
    else writeChunks(path, chunks);
  } catch (cause) {
    if (cause instanceof Error && 'syscall' in cause) throw unwritable(path, flag, cause);
    throw cause;
  }
}

/** Writes every wanted report: `-` to stdout, the others each to its file. */
export async function writeWanted(
  result: Result,
  wanted: readonly WantedReport[],
  stdout: Invocation['stdout'],
): Promise<void> {
  for (const { format, path } of wanted) {
    const report = await formats[format]();
    if (path === '-') for (const chunk of report(result)) stdout.write(chunk);
    else writeWhole(path, report(result), '--report');
  }
}

/** The files among the wanted reports. */
export const filesOf = (wanted: readonly WantedReport[]): readonly string[] =>
  wanted.flatMap(({ path }) => (path === '-' ? [] : [path]));

/** Writes every wanted report; the terminal one goes to stdout unless another was sent there. */
export async function writeReports(
  result: Result,
  wanted: readonly WantedReport[],
  { stdout, stderr, env }: Invocation,
): Promise<void> {
  await writeWanted(result, wanted, stdout);
  const taken = wanted.some(({ path }) => path === '-');
  const stream = taken ? stderr : stdout;
  const colour = wantsColour(stream, env);
  if (!taken) stdout.write(renderTerminal(result, { colour, width: widthOf(stream, env) }));
  const page = wanted.find(({ format, path }) => format === 'html' && path !== '-');
  stream.write(`\nreports: ${filesOf(wanted).join(', ')}\n`);
  if (page !== undefined) stream.write(`open in a browser: ${pathToFileURL(page.path).href}\n`);
}
