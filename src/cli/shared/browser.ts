import { accessSync, constants, lstatSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { readFileOf } from '../../lib/read-file.ts';
import { runCommand } from '../../wire/send/run-program.ts';
import { usageError } from './inputs.ts';

/** Names under which Chromium, or what is built of it, stands on the PATH; then where it stands without being on it. */
const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome', 'msedge'];
const places = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/** A page that is not printed by then is not printed at all. */
const longestPrint = 180_000;
/** What is kept of what a browser says. */
const longestWords = 400;

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The Chromium that is there, `CHROMIUM` before all others; undefined where there is none. */
export function findBrowser(env: NodeJS.ProcessEnv): string | undefined {
  const given = env['CHROMIUM'];
  if (given !== undefined && given !== '') return isProgram(given) ? given : undefined;
  const folders = (env['PATH'] ?? '').split(delimiter).filter(Boolean);
  const onPath = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...onPath, ...places].find(isProgram);
}

/** The Chromium that is there; the error says what to do where there is none. */
export function requireBrowser(env: NodeJS.ProcessEnv, format: string): string {
  const found = findBrowser(env);
  if (found !== undefined) return found;
  const given = env['CHROMIUM'];
  const why = given ? `CHROMIUM names ${given}, which is no program` : 'there is no Chromium or Chrome on the PATH';
  throw usageError(
    `--report: ${format} is printed by a browser, and ${why}; CHROMIUM can name one, or print the html report from any browser`,
  );
}

const flagsOf = (folder: string): readonly string[] => [
  '--headless',
  '--disable-gpu',
  '--disable-extensions',
  '--disable-background-networking',
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--no-first-run',
  '--no-pdf-header-footer',
  `--user-data-dir=${join(folder, 'profile')}`,
  // As root Chromium does not start with its sandbox; the page runs no script but its own.
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];

/** What a browser finds around it: nothing of ours but what it needs to start. */
const passed = ['PATH', 'HOME', 'LANG', 'TZ', 'TMPDIR', 'DISPLAY', 'SystemRoot', 'LOCALAPPDATA', 'USERPROFILE'];
const variables = (env: NodeJS.ProcessEnv): Readonly<Record<string, string>> =>
  Object.fromEntries(passed.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));

/** A page, the PDF file that it becomes, and a folder that is for the browser alone. */
interface Printing {
  readonly url: string;
  readonly pdf: string;
  readonly folder: string;
  readonly flags: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** Why a browser has not printed; undefined where it has. What it started has ended with it. */
export async function printPage(
  browser: string,
  { url, pdf, folder, flags, env }: Printing,
): Promise<string | undefined> {
  const ran = await runCommand(
    {
      argv: [browser, ...flagsOf(folder), ...flags, `--print-to-pdf=${pdf}`, url],
      env: variables(env),
      folder,
      timeout: longestPrint,
    },
    new AbortController().signal,
  );
  if (ran.how !== 'exit') return ran.why;
  if (ran.code !== 0) return `it ended with ${ran.code}: ${ran.stderr.trim().slice(-longestWords)}`;
  if (lstatSync(pdf, { throwIfNoEntry: false }) === undefined) return 'it ended without having written anything';
  return isPdf(pdf) ? undefined : 'what it wrote is no PDF';
}

/** A file, no link and no folder, that begins as a PDF does. */
const isPdf = (path: string): boolean =>
  lstatSync(path).isFile() && readFileOf(path, 'printed').subarray(0, 5).toString('latin1') === '%PDF-';
