import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isJsonObject, parseJson, textMemberOf } from '../../lib/json.ts';
import { packageFile } from '../../lib/package-file.ts';
import { toolVersion } from '../paths.ts';

/** A package of which the bundle has something. */
interface Part {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  /** Its licence, and the notices that go with it, as they stand in its files. */
  readonly texts: readonly string[];
}

/** The folder and the name of the package that a module comes from; undefined where it is ours. */
export function packageOf(module: string): { readonly folder: string; readonly name: string } | undefined {
  const [folder, name] = /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)(?=\/)/.exec(module) ?? [];
  return folder === undefined || name === undefined ? undefined : { folder, name };
}

const licenceFile = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i;

function readPart(folder: string): Part {
  const manifest = parseJson(readFileSync(`${folder}/package.json`, 'utf8'));
  const [name, version, license] = ['name', 'version', 'license'].map((key) => textMemberOf(manifest, key));
  if (!isJsonObject(manifest) || name === undefined || version === undefined || license === undefined) {
    throw new Error(`${folder}/package.json does not say what it is and under which licence`);
  }
  const files = readdirSync(folder)
    .filter((file) => licenceFile.test(file))
    .toSorted();
  return { name, version, license, texts: files.map((file) => readFileSync(`${folder}/${file}`, 'utf8').trim()) };
}

const titleOf = ({ name, version, license }: Part): string => `${name} ${version} (${license})`;

/** Each text once, below all packages that have it. */
function renderNotices(parts: readonly Part[]): string {
  const holders = new Map<string, string[]>();
  for (const part of parts) {
    const text = part.texts.join('\n\n');
    holders.set(text, [...(holders.get(text) ?? []), titleOf(part)]);
  }
  const line = '-'.repeat(80);
  return [
    'carrierspec is under Apache-2.0 (LICENSE). The files of dist/bundle also have parts of the packages below.',
    ...[...holders].map(([text, titles]) => `${line}\n${titles.join('\n')}\n\n${text || 'The package has no text.'}`),
    '',
  ].join('\n\n');
}

/** CycloneDX 1.5: what an auditor's tools read. */
const billOf = (parts: readonly Part[]) => ({
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  version: 1,
  metadata: {
    component: { type: 'application', name: 'carrierspec', version: toolVersion(), 'bom-ref': 'carrierspec' },
  },
  components: parts.map(({ name, version, license }) => ({
    type: 'library',
    'bom-ref': `${name}@${version}`,
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    licenses: [{ expression: license }],
  })),
});

/** Writes the licences of all packages that these modules come from, and a bill of materials. */
export function writeNotices(modules: readonly string[]): void {
  const parts = [...new Set(modules.flatMap((module) => packageOf(module)?.folder ?? []))]
    .map(readPart)
    .toSorted((a, b) => titleOf(a).localeCompare(titleOf(b), 'en'));
  const to = (name: string): string => fileURLToPath(packageFile(`dist/${name}`));
  writeFileSync(to('THIRD-PARTY-NOTICES.txt'), renderNotices(parts));
  writeFileSync(to('sbom.cdx.json'), `${JSON.stringify(billOf(parts), undefined, 1)}\n`);
}
