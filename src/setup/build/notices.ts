import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isJsonObject, parseJson, readTextMember } from '../../lib/json.ts';
import { packageFile } from '../../lib/package-file.ts';
import { toolVersion } from '../paths.ts';

/** A package with code in the bundle. */
interface BundledPackage {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  /** Licence text and notices, exactly as in the package's files. */
  readonly texts: readonly string[];
}

/** Folder and name of the package that contains a module; undefined for our own modules. */
export function modulePackage(module: string): { readonly folder: string; readonly name: string } | undefined {
  const [folder, name] = /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)(?=\/)/.exec(module) ?? [];
  return folder === undefined || name === undefined ? undefined : { folder, name };
}

const licenceFile = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i;

function readPackageNotice(folder: string): BundledPackage {
  const manifest = parseJson(readFileSync(`${folder}/package.json`, 'utf8'));
  const [name, version, license] = ['name', 'version', 'license'].map((key) => readTextMember(manifest, key));
  if (!isJsonObject(manifest) || name === undefined || version === undefined || license === undefined) {
    throw new Error(`${folder}/package.json does not say what it is and under which licence`);
  }
  const files = readdirSync(folder)
    .filter((file) => licenceFile.test(file))
    .toSorted();
  return { name, version, license, texts: files.map((file) => readFileSync(`${folder}/${file}`, 'utf8').trim()) };
}

const noticeTitle = ({ name, version, license }: BundledPackage): string => `${name} ${version} (${license})`;

const copyrightLine = /^\s*copyright (?:\(c\)|\d{4})/i;
const licenceHeading = /^\s*\(?(?:the )?mit license(?: \(mit\))?\)?\s*$/i;
const isMit = (text: string): boolean => text.includes('Permission is hereby granted, free of charge');

/** Splits an MIT licence into its copyright holders and the terms, which many packages share. Other licences stay whole. */
function splitLicence(text: string): { readonly holders: readonly string[]; readonly terms: string } {
  if (!isMit(text)) return { holders: [], terms: text };
  const lines = text.split('\n').filter((line) => !licenceHeading.test(line));
  const holders = lines.filter((line) => copyrightLine.test(line)).map((line) => line.trim());
  return {
    holders,
    terms: lines
      .filter((line) => !copyrightLine.test(line))
      .join('\n')
      .trim(),
  };
}

/** Prints each set of terms once, below all packages that use it, each with its holders. */
function renderNotices(parts: readonly BundledPackage[]): string {
  const sharing = new Map<string, { readonly terms: string; readonly heads: string[] }>();
  for (const part of parts) {
    const { holders, terms } = splitLicence(part.texts.join('\n\n'));
    const key = terms.replaceAll(/\s+/g, ' ');
    const group = sharing.get(key) ?? { terms, heads: [] };
    sharing.set(key, group);
    group.heads.push([noticeTitle(part), ...holders.map((holder) => `  ${holder}`)].join('\n'));
  }
  const line = '-'.repeat(80);
  return [
    'carrierspec is under Apache-2.0 (LICENSE). The files of dist/bundle also have parts of the packages below.',
    ...[...sharing.values()].map(
      ({ terms, heads }) => `${line}\n${heads.join('\n')}\n\n${terms || 'The package has no text.'}`,
    ),
    '',
  ].join('\n\n');
}

/** Software bill of materials in CycloneDX 1.5, for auditing tools. */
const makeBill = (parts: readonly BundledPackage[]) => ({
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

export function writeNotices(modules: readonly string[]): void {
  const parts = [...new Set(modules.flatMap((module) => modulePackage(module)?.folder ?? []))]
    .map(readPackageNotice)
    .toSorted((a, b) => noticeTitle(a).localeCompare(noticeTitle(b), 'en'));
  const to = (name: string): string => fileURLToPath(packageFile(`dist/${name}`));
  writeFileSync(to('THIRD-PARTY-NOTICES.txt'), renderNotices(parts));
  writeFileSync(to('sbom.cdx.json'), `${JSON.stringify(makeBill(parts), undefined, 1)}\n`);
}
