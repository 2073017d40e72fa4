import { dirname } from 'node:path';
import { readTextOf } from '../lib/read-file.ts';
import { referenceTarget } from './reference.ts';

/** What is not known before the carrier has started, and where its secret is kept: a target file may not hold it. */
interface Known {
  readonly env: Readonly<Record<string, string>>;
  readonly clock: 'real' | 'virtual';
  /** As the target file names it. */
  readonly secretFile: string;
}

/** The section `clock` with all that is below it. */
const clockSection = /^clock:\n(?: .*\n)*/m;

/**
 * The shipped target file with the values that it reads from the environment, for a reference carrier that stands somewhere. With a
 * clock that runs by itself it has no `clock`.
 */
export function referenceTargetText({ env, clock, secretFile }: Known): string {
  const shipped = readTextOf(referenceTarget, 'yaml');
  const text = clock === 'real' ? shipped.replace(clockSection, '') : shipped;
  const valueFor = (name: string): string => env[name] ?? '';
  const quoted = (value: string): string => (/^\d+$/.test(value) ? value : JSON.stringify(value));
  return text
    .replace(/^(?:#.*\n)+/, '# The reference carrier as carrierspec carrier has started it.\n')
    .replaceAll('secret: { env: REFERENCE_SECRET }', `secret: { file: ${JSON.stringify(secretFile)} }`)
    .replaceAll(/\{ env: (\w+) \}/g, (_, name: string) => quoted(valueFor(name)))
    .replaceAll(/\{\{ env\.(\w+) \}\}/g, (_, name: string) => valueFor(name))
    .replaceAll('file: keys/', `file: ${dirname(referenceTarget)}/keys/`);
}
