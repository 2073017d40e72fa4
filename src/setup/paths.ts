import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { packageFile } from '../lib/package-file.ts';

/** Root of the installed package. */
export const packageRoot = fileURLToPath(packageFile('.')).replace(/\/$/, '');
export const shippedSuites = `${packageRoot}/suites`;
/** What the build has made of the shipped suites. */
export const preparedSuites = `${packageRoot}/dist/suites.json.br`;
/** Where the build has written the digest of the program. */
export const preparedProgram = `${packageRoot}/dist/program.json`;
/** Where the build has written which packages each file of the bundle has. */
export const bundledPackages = `${packageRoot}/dist/bundle-packages.json`;
/** Where the build has written which cases the golden matrix has red with each fault. */
export const shownFaults = `${packageRoot}/dist/shown.json.br`;
export const targetSchema = `${packageRoot}/suites/schema/target.json`;
export const referenceFolder = `${packageRoot}/fixtures/reference`;

/** The version in package.json. */
export function toolVersion(): string {
  const parsed: unknown = JSON.parse(readFileSync(`${packageRoot}/package.json`, 'utf8'));
  const version = typeof parsed === 'object' && parsed !== null && 'version' in parsed ? parsed.version : undefined;
  return typeof version === 'string' ? version : '0.0.0';
}
