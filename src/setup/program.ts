import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { hashFolder } from '../lib/digest.ts';
import { textMemberOf } from '../lib/json.ts';
import type { ResultHeader } from '../model/result.ts';
import { packageRoot, preparedProgram, toolVersion } from './paths.ts';

/**
 * Digest over the version, and the names, lengths and bytes of the program as it runs, `dist/bundle/`; in sources that were not
 * built, over these.
 */
export function hashProgram(): string {
  const hash = createHash('sha256').update(`${toolVersion()}\n`);
  const bundle = `${packageRoot}/dist/bundle`;
  const [folder, files] = existsSync(bundle) ? [bundle, /\.js$/] : [`${packageRoot}/src`, /\.ts$/];
  return `sha256:${hashFolder(hash, folder, files).digest('hex')}`;
}

/** The same as the build has written it down: a run does not read the whole program again. */
function programDigest(): string {
  if (!existsSync(preparedProgram)) return hashProgram();
  const prepared: unknown = JSON.parse(readFileSync(preparedProgram, 'utf8'));
  return textMemberOf(prepared, 'digest') ?? hashProgram();
}

/** What runs, as the header of a result names it. */
export const thisTool = (): ResultHeader['tool'] => ({
  name: 'carrierspec',
  version: toolVersion(),
  node: process.version,
  digest: programDigest(),
});
