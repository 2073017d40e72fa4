import { groupBy } from '../../lib/lists.ts';
import { omitUndefined } from '../../lib/json.ts';
import { basename, dirname, join } from 'node:path';
import type { Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { serverInitiated } from '../../interfaces/server-initiated/interface.ts';
import { findSealFlaw } from '../../journal/seal.ts';
import { readResult } from '../../journal/read-result.ts';
import { isFolder } from '../../files/look.ts';
import { quoteWord } from '../../lib/shell.ts';
import { CarrierspecError } from '../../model/problem.ts';
import type { Result } from '../../model/result.ts';
import { type FormatName, formats } from '../../report/formats.ts';
import { forTerminal } from '../../report/shared/sanitize.ts';
import type { DetailLevel } from '../../report/terminal/findings.ts';
import { renderTerminal } from '../../report/terminal/render.ts';
import { requireApart, writeBelow, writeWhole } from './files.ts';
import { usageError } from './inputs.ts';
import { type Invocation, pageSetting, type Stream } from './command.ts';

export interface RequestedReport<Format extends string = FormatName> {
  readonly format: Format;
  /** `-` is stdout. */
  readonly path: string;
  /** We chose its name in the folder of the run: a link there is refused. */
  readonly own?: true;
}

const isKnownFormat = <Format extends string>(name: string, known: Readonly<Record<Format, unknown>>): name is Format =>
  Object.hasOwn(known, name);

function parseReport<Format extends string>(
  text: string,
  known: Readonly<Record<Format, unknown>>,
): RequestedReport<Format> {
  const at = text.indexOf('=');
  const format = at < 0 ? text : text.slice(0, at);
  const path = at < 0 ? '' : text.slice(at + 1);
  if (!isKnownFormat(format, known)) {
    const names = Object.keys(known).join(', ');
    throw usageError(`--report: "${format}" is none of ${names}`);
  }
  if (path === '') throw usageError(`--report: ${format} needs a path, as ${format}=PATH; - is stdout`);
  return { format, path };
}

/** Parses repeated `--report FORMAT=PATH`. Two reports must not share a path, nor overwrite a file of `kept`. */
export function parseReportFlags<Format extends string>(
  given: readonly string[],
  known: Readonly<Record<Format, unknown>>,
  kept: readonly string[],
): readonly RequestedReport<Format>[] {
  const wanted = given.map((text) => parseReport(text, known));
  if (wanted.filter(({ path }) => path === '-').length > 1) {
    throw usageError('--report: only one report can go to stdout');
  }
  const folder = reportFiles(wanted).find(isFolder);
  if (folder !== undefined) throw usageError(`--report: ${folder} cannot be written: it is a folder`);
  requireApart(
    reportFiles(wanted).map((path) => ({ flag: '--report', path })),
    kept,
  );
  return wanted;
}

/** Reports of a run: the standard ones in `--out`, then those of `--report`. */
export function parseReports(given: readonly string[], out: string): readonly RequestedReport[] {
  const always: readonly RequestedReport[] = [
    { format: 'json', path: join(out, 'result.json'), own: true },
    { format: 'junit', path: join(out, 'junit.xml'), own: true },
    { format: 'html', path: join(out, 'report.html'), own: true },
  ];
  return [...always, ...parseReportFlags(given, formats, [join(out, 'journal.jsonl'), ...reportFiles(always)])];
}

export const reportFiles = (wanted: readonly RequestedReport<string>[]): readonly string[] =>
  wanted.flatMap(({ path }) => (path === '-' ? [] : [path]));

/** Stdout for a format, ungated for annotations: they are CI commands, and their renderer has escaped the text in them. */
const reportStream = (format: string, stdout: Stream): Writable =>
  format === 'annotations' ? (stdout.forCommands ?? stdout) : stdout;

/** Writes every requested report; `-` is stdout. A failed write does not prevent the others. */
export async function writeRequested<Format extends string>(
  wanted: readonly RequestedReport<Format>[],
  render: (format: Format) => Promise<Iterable<string>>,
  stdout: Stream,
): Promise<void> {
  const failed: CarrierspecError[] = [];
  for (const { format, path, own } of wanted) {
    const chunks = await render(format);
    try {
      if (own === true) writeBelow({ folder: dirname(path), flag: '--out' }, basename(path), chunks);
      else if (path === '-') for (const chunk of chunks) reportStream(format, stdout).write(chunk);
      else writeWhole(path, chunks, '--report');
    } catch (error) {
      if (!(error instanceof CarrierspecError)) throw error;
      failed.push(error);
    }
  }
  const [first] = failed;
  if (first !== undefined)
    throw failed.length === 1 ? first : usageError(failed.map(({ message }) => message).join('; '), first);
}

export const renderFormat =
  (result: Result) =>
  async (format: FormatName): Promise<Iterable<string>> =>
    (await formats[format]())(result, serverInitiated);

export interface ReportWriting {
  readonly wanted: readonly RequestedReport[];
  readonly detail: DetailLevel;
  /** Journal of the result. */
  readonly journal?: string;
}

/** Adds the command that regenerates the reports from the journal to a write error. */
function withReportCommand(error: unknown, { wanted, journal }: ReportWriting): unknown {
  if (!(error instanceof CarrierspecError) || journal === undefined) return error;
  const flags = wanted.flatMap(({ format, path }) =>
    path === '-' ? [] : [`--report ${quoteWord(`${format}=${path}`)}`],
  );
  const again = `carrierspec report ${quoteWord(journal)} ${flags.join(' ')}`;
  return new CarrierspecError(`${error.message}; ${journal} has the whole run: ${again}`, {
    code: error.code,
    cause: error,
  });
}

/** Files by their folder: `out/result.json, junit.xml, report.html`. */
const placesOf = (files: readonly string[]): string =>
  [...groupBy(files, dirname)]
    .map(([, own]) => own.map((file, at) => (at === 0 ? file : basename(file))).join(', '))
    .join('; ');

/** Writes every requested report; the terminal report goes to stdout unless another report took it. */
export async function writeReports(
  result: Result,
  writing: ReportWriting,
  { stdout, stderr, env, keeps }: Invocation,
): Promise<void> {
  const { wanted, detail, journal } = writing;
  if (journal !== undefined) keeps?.(`the run is in ${dirname(journal)}`);
  const lost = await writeRequested(wanted, renderFormat(result), stdout).then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  const taken = wanted.some(({ path }) => path === '-');
  const stream = taken ? stderr : stdout;
  const file = wanted.find(({ format, path }) => format === 'json' && path !== '-')?.path;
  if (!taken) stdout.write(renderTerminal(result, { ...pageSetting(stdout, env), detail, ...omitUndefined({ file }) }));
  if (lost !== undefined) throw withReportCommand(lost.error, writing);
  const page = wanted.find(({ format, path }) => format === 'html' && path !== '-');
  stream.write(`\nreports: ${placesOf(reportFiles(wanted))}\n`);
  if (page !== undefined) stream.write(`open in a browser: ${pathToFileURL(page.path).href}\n`);
}

/** Reads a result file; the reader's notes go to stderr. */
export function readResultNoted(file: string, { stderr }: Invocation): Result {
  const { result, notes: told } = readResult(file);
  const isSealed = told.length === 0 && result.footer?.seal !== undefined;
  const edited = isSealed ? findSealFlaw(result) : undefined;
  const notes = edited === undefined ? told : [`${file}: ${edited}`];
  for (const note of notes) stderr.write(`carrierspec: ${forTerminal(note)}\n`);
  return result;
}
