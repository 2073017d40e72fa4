import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CarrierspecError } from '../model/problem.ts';
import type { Result } from '../model/result.ts';
import { type FormatName, formats, isFormatName, type Report } from '../report/formats.ts';
import { renderTerminal } from '../report/terminal.ts';
import { type Invocation, wantsColour, widthOf } from './terminal.ts';

export interface WantedReport {
  readonly format: FormatName;
  /** `-` is stdout. */
  readonly path: string;
}

const usage = (message: string): CarrierspecError => new CarrierspecError(message, { kind: 'usage', code: 'bad-flag' });

/** `--report FORMAT=PATH`, several at once; and those that are always written below `--out`. */
export function parseReports(given: readonly string[], out: string): readonly WantedReport[] {
  const wanted = given.map((text): WantedReport => {
    const at = text.indexOf('=');
    const format = at < 0 ? text : text.slice(0, at);
    const path = at < 0 ? '' : text.slice(at + 1);
    if (!isFormatName(format)) throw usage(`--report: "${format}" is none of ${Object.keys(formats).join(', ')}`);
    if (path === '') throw usage(`--report: ${format} needs a path, as ${format}=PATH; - is stdout`);
    return { format, path };
  });
  if (wanted.filter(({ path }) => path === '-').length > 1) throw usage('--report: only one report can go to stdout');
  return [
    { format: 'json', path: join(out, 'result.json') },
    { format: 'junit', path: join(out, 'junit.xml') },
    ...wanted,
  ];
}

/** Makes a folder to write to; says which flag asked for it where that cannot be. */
export function makeFolder(path: string, flag: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch (cause) {
    throw unwritable(path, flag, cause);
  }
}

function unwritable(path: string, flag: string, cause: unknown): CarrierspecError {
  const why = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
  return new CarrierspecError(`${flag}: ${path} cannot be written: ${why}`, { kind: 'usage', code: 'bad-flag', cause });
}

function openFile(path: string): number {
  try {
    return openSync(path, 'w');
  } catch (cause) {
    throw unwritable(path, '--report', cause);
  }
}

function writeFile(path: string, report: Report, result: Result): void {
  makeFolder(dirname(path), '--report');
  const file = openFile(path);
  try {
    for (const chunk of report(result)) writeSync(file, chunk);
  } finally {
    closeSync(file);
  }
}

/** Writes every wanted report; the terminal one goes to stdout unless another was sent there. */
export async function writeReports(
  result: Result,
  wanted: readonly WantedReport[],
  { stdout, stderr, env }: Invocation,
): Promise<void> {
  for (const { format, path } of wanted) {
    const report = await formats[format]();
    if (path === '-') for (const chunk of report(result)) stdout.write(chunk);
    else writeFile(path, report, result);
  }
  const taken = wanted.some(({ path }) => path === '-');
  const stream = taken ? stderr : stdout;
  const colour = wantsColour(stream, env);
  if (!taken) stdout.write(renderTerminal(result, { colour, width: widthOf(stream, env) }));
  const files = wanted.filter(({ path }) => path !== '-').map(({ path }) => path);
  stream.write(`\nreports: ${files.join(', ')}\n`);
}
