import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';
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

/** Prints a page to a PDF file; `folder` is for the browser alone. Rejects with what the browser said. */
export function printPage(
  browser: string,
  { url, pdf, folder, flags }: { url: string; pdf: string; folder: string; flags: readonly string[] },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(browser, [...flagsOf(folder), ...flags, `--print-to-pdf=${pdf}`, url], {
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: longestPrint,
      killSignal: 'SIGKILL',
    });
    let words = '';
    child.stderr.setEncoding('utf8');
    child.stderr.on('data', (text: string) => {
      words = `${words}${text}`.slice(-longestWords);
    });
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (code === 0) resolve();
      else if (signal !== null) reject(new Error(`it did not end within ${longestPrint / 1000} s`));
      else reject(new Error(`it ended with ${code}: ${words.trim()}`));
    });
  });
}
