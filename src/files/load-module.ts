import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { truncateText } from '../lib/truncation.ts';
import { FileError } from './file-error.ts';
import { requireReadable } from './read.ts';

/** A promise that did not settle in time. */
class LateSettlement extends Error {
  constructor(seconds: number) {
    super(`it took longer than ${seconds} s`);
    this.name = 'TooLate';
  }
}

/** Awaits a promise for at most `seconds`; throws LateSettlement. The work goes on, and its outcome is ignored. */
export async function withTimeout<T>(promise: Promise<T> | T, seconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new LateSettlement(seconds)), seconds * 1000);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Longest load of another party's module, in seconds. */
const maxLoadSeconds = 10;

/** Maximum length of a described error, in UTF-16 units. */
const maxErrorLength = 300;

/** Describes an error of another party's code in one short line. */
export function describeThrown(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return truncateText(text.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim(), maxErrorLength);
}

/** Loads a module into this process and returns its default export, or why there is none. */
export async function loadDefault(path: string): Promise<{ readonly given: unknown } | { readonly why: string }> {
  const file = resolve(path);
  try {
    // Node would read a pipe or a device without end, and the time limit does not stop it.
    requireReadable(file, 'module');
    const loaded: unknown = await withTimeout(import(pathToFileURL(file).href), maxLoadSeconds);
    if (typeof loaded === 'object' && loaded !== null && 'default' in loaded) return { given: loaded.default };
    return { why: 'it has no default export' };
  } catch (error) {
    if (error instanceof FileError) return { why: error.reason };
    return { why: `it cannot be loaded: ${describeThrown(error)}` };
  }
}
