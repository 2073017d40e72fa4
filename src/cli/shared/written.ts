import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { knownInterfaces } from '../../interfaces/registry.ts';
import type { Result } from '../../model/result.ts';
import { forTerminal } from '../../report/shared/sanitize.ts';
import { printPage, requireBrowser } from './browser.ts';
import { makeFolder, placeFile, writeBelow, writeWhole } from './files.ts';
import { usageError } from './inputs.ts';

/** Writes a report that is no text: to a folder, or to a file that a browser prints. */
type Write = (path: string, result: Result, env: NodeJS.ProcessEnv) => Promise<void>;

interface Writer {
  readonly write: Write;
  /** Throws where it is known beforehand that it cannot be written: a run of a day is not begun for it. */
  readonly check?: (env: NodeJS.ProcessEnv) => void;
}

const flag = '--report';

async function writeFolder(path: string, result: Result): Promise<void> {
  const { renderHtmlFiles } = await import('../../report/html/render.ts');
  makeFolder(path, flag);
  for (const { name, chunks } of renderHtmlFiles(result, knownInterfaces))
    writeBelow({ folder: path, flag }, name, chunks);
}

/** Where all is asked for, the script of the page opens what is closed before it is printed. */
const printing = {
  summary: { fragment: '', flags: [] },
  all: { fragment: '#print=all', flags: ['--virtual-time-budget=60000'] },
} as const;

function printerOf(format: string, what: keyof typeof printing): Writer {
  const write: Write = async (path, result, env) => {
    const browser = requireBrowser(env, format);
    const { renderHtml } = await import('../../report/html/render.ts');
    const folder = mkdtempSync(join(tmpdir(), 'carrierspec-pdf-'));
    try {
      const [page, pdf] = [join(folder, 'report.html'), join(folder, 'report.pdf')];
      writeWhole(page, renderHtml(result, knownInterfaces), flag);
      const { fragment, flags } = printing[what];
      const url = `${pathToFileURL(page).href}${fragment}`;
      const why = await printPage(browser, { url, pdf, folder, flags, env });
      if (why !== undefined) throw usageError(`${flag}: ${browser} did not print ${format}: ${forTerminal(why)}`);
      placeFile(pdf, path, flag);
    } finally {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  };
  return { write, check: (env) => void requireBrowser(env, format) };
}

/** Formats beside those that are a text, by their names. */
export const writers = {
  'html-dir': { write: writeFolder },
  pdf: printerOf('pdf', 'summary'),
  'pdf-all': printerOf('pdf-all', 'all'),
} as const satisfies Readonly<Record<string, Writer>>;

export type WrittenFormat = keyof typeof writers;

export const isWrittenFormat = (name: string): name is WrittenFormat => Object.hasOwn(writers, name);

/** What is asked of a format before anything runs: a path, and what it needs. */
export function checkWritten(format: WrittenFormat, path: string, env: NodeJS.ProcessEnv): void {
  if (path === '-') throw usageError(`${flag}: ${format} needs a path and cannot go to stdout`);
  const { check }: Writer = writers[format];
  check?.(env);
}
