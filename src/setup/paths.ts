import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { packageFile } from '../lib/package-file.ts';
import { createHash } from 'node:crypto';
import process from 'node:process';
import { hashFolder } from '../lib/read-file.ts';
import { readTextMember } from '../lib/json.ts';
import type { ResultHeader } from '../model/result.ts';

export const packageRoot = fileURLToPath(packageFile('.')).replace(/\/$/, '');
export const shippedSuites = `${packageRoot}/suites`;
export const preparedSuites = `${packageRoot}/dist/suites.json.br`;
export const preparedProgram = `${packageRoot}/dist/program.json`;
export const bundledPackages = `${packageRoot}/dist/bundle-packages.json`;
/** Build output: for each fault, the cases that are red in the golden matrix. */
export const detectionFile = `${packageRoot}/dist/shown.json.br`;
export const targetSchema = `${packageRoot}/suites/schema/target.json`;
export const referenceFolder = `${packageRoot}/fixtures/reference`;

export function toolVersion(): string {
  const parsed: unknown = JSON.parse(readFileSync(`${packageRoot}/package.json`, 'utf8'));
  const version = typeof parsed === 'object' && parsed !== null && 'version' in parsed ? parsed.version : undefined;
  return typeof version === 'string' ? version : '0.0.0';
}

/** Digest of the version and the program that runs: `dist/bundle/`, or the sources if there is no build. */
export function hashProgram(): string {
  const hash = createHash('sha256').update(`${toolVersion()}\n`);
  const bundle = `${packageRoot}/dist/bundle`;
  const [folder, files] = existsSync(bundle) ? [bundle, /\.js$/] : [`${packageRoot}/src`, /\.ts$/];
  return `sha256:${hashFolder(hash, folder, files).digest('hex')}`;
}

/** The digest that the build wrote, so that a run does not read the whole program again. */
function programDigest(): string {
  if (!existsSync(preparedProgram)) return hashProgram();
  const prepared: unknown = JSON.parse(readFileSync(preparedProgram, 'utf8'));
  return readTextMember(prepared, 'digest') ?? hashProgram();
}

export const describeTool = (): ResultHeader['tool'] => ({
  name: 'carrierspec',
  version: toolVersion(),
  node: process.version,
  digest: programDigest(),
});
