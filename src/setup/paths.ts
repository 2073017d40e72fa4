import { fileURLToPath } from 'node:url';
import { hasPackageFile, hashFolder, packageFile, readPackageText } from '../lib/package-file.ts';
import { createHash } from 'node:crypto';
import process from 'node:process';
import { readTextMember } from '../lib/json.ts';
import type { ResultHeader } from '../model/result.ts';

export const packageRoot = fileURLToPath(packageFile('.')).replace(/\/$/, '');
export const shippedSuites = `${packageRoot}/suites`;
export const preparedSuites = `${packageRoot}/dist/suites.json.br`;
/** Build output: the parsed file of freedoms. */
export const preparedFreedoms = `${packageRoot}/dist/freedoms.json.br`;
export const preparedProgram = `${packageRoot}/dist/program.json`;
export const bundledPackages = `${packageRoot}/dist/bundle-packages.json`;
/** Build output: the golden matrix of faults, and the rows that no fault turns. */
export const goldenMatrix = `${packageRoot}/dist/matrix.json.br`;
export const targetSchema = `${packageRoot}/suites/schema/target.json`;
export const referenceFolder = `${packageRoot}/fixtures/reference`;

export function toolVersion(): string {
  const parsed: unknown = JSON.parse(readPackageText(`${packageRoot}/package.json`));
  const version = typeof parsed === 'object' && parsed !== null && 'version' in parsed ? parsed.version : undefined;
  return typeof version === 'string' ? version : '0.0.0';
}

/** Digest of the version and the program that runs: `dist/bundle/`, or the sources if there is no build. */
export function hashProgram(): string {
  const hash = createHash('sha256').update(`${toolVersion()}\n`);
  const bundle = `${packageRoot}/dist/bundle`;
  const [folder, files] = hasPackageFile(bundle) ? [bundle, /\.js$/] : [`${packageRoot}/src`, /\.ts$/];
  return `sha256:${hashFolder(hash, folder, files).digest('hex')}`;
}

/** The digest that the build wrote, so that a run does not read the whole program again. */
function programDigest(): string {
  if (!hasPackageFile(preparedProgram)) return hashProgram();
  const prepared: unknown = JSON.parse(readPackageText(preparedProgram));
  return readTextMember(prepared, 'digest') ?? hashProgram();
}

export const describeTool = (): ResultHeader['tool'] => ({
  name: 'carrierspec',
  version: toolVersion(),
  node: process.version,
  digest: programDigest(),
});
