import { hasPackageFile, listPackageFiles, readPackageText } from '../lib/package-file.ts';
import { join } from 'node:path';

/** Positions of the faults, variants, checks and readers of the reference carrier: `src/carrier/x.ts:12` by name. */
export interface CarrierPositions {
  readonly faults: Readonly<Record<string, string>>;
  readonly steps: Readonly<Record<string, string>>;
  /** Builders by file name and own name (`events.claims`), and policy values (`policy.jtiWindow`). */
  readonly parts: Readonly<Record<string, string>>;
}

interface SourceFile {
  readonly path: string;
  readonly text: string;
}

const kebabLiteral = /'([a-z0-9]+(?:-[a-z0-9]+)+)'/g;
/** Tried in order; the first match of a name wins. */
const faultPatterns = [/\bname: '([\w-]+)'/g, kebabLiteral];
const stepPatterns = [/\b(?:check|reader)\(\s*'([\w-]+)'/g, /\bname: '([\w-]+)'/g, kebabLiteral];

const isAlteration = ({ path }: SourceFile): boolean => path.startsWith('src/lab/');

function collectPositions(files: readonly SourceFile[], patterns: readonly RegExp[]): Readonly<Record<string, string>> {
  const found = new Map<string, string>();
  for (const pattern of patterns) {
    for (const { path, text } of files) {
      for (const match of text.matchAll(pattern)) {
        const [whole, name = ''] = match;
        const line = text.slice(0, match.index + whole.length).split('\n').length;
        if (!found.has(name)) found.set(name, `${path}:${line}`);
      }
    }
  }
  return Object.fromEntries(found);
}

/** Member of the object that a builder file or the policy exports; it is indented by two spaces. */
const memberPattern = /^ {2}(\w+)(?:: |\()/gm;

function partPositions(files: readonly SourceFile[]): Readonly<Record<string, string>> {
  const named = files.flatMap((file) => {
    const [, stem] = /^src\/carrier\/(?:builders\/)?([\w-]+)\.ts$/.exec(file.path) ?? [];
    return stem === undefined ? [] : Object.entries(collectPositions([file], [memberPattern])).map(prefixStem(stem));
  });
  return Object.fromEntries(named);
}

const prefixStem =
  (stem: string) =>
  ([name, position]: readonly [string, string]): readonly [string, string] => [`${stem}.${name}`, position];

/** Builder groups whose file has another name: file by group. */
const builderFiles: Readonly<Record<string, string>> = { builders: 'authorization', traits: 'usertrait' };

/** Returns the position of a builder such as `builders.callbackHeaders`, or of a policy value. */
export function findPartPosition({ parts }: CarrierPositions, kind: string, name: string): string | undefined {
  if (kind === 'policy') return findPosition(parts, `policy.${name}`);
  const [group = '', ...rest] = name.split('.');
  return findPosition(parts, [builderFiles[group] ?? group, rest.at(-1)].join('.'));
}

function collectCarrierPositions(files: readonly SourceFile[]): CarrierPositions {
  return {
    faults: collectPositions(files.filter(isAlteration), faultPatterns),
    steps: collectPositions(
      files.filter((file) => !isAlteration(file)),
      stepPatterns,
    ),
    parts: partPositions(files),
  };
}

export function findPosition(positions: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(positions, name) ? positions[name] : undefined;
}

const sourceFolders = ['src/carrier', 'src/lab/faults', 'src/lab/deep', 'src/lab/variants'];

function carrierSources(root: string): readonly SourceFile[] {
  const names = sourceFolders
    .flatMap((folder) => listPackageFiles(join(root, folder)).map((name) => `${folder}/${name}`))
    .filter((path) => path.endsWith('.ts') && !/\.test\.ts$|\/testing\//.test(path));
  return names.map((path) => ({ path, text: readPackageText(join(root, path)) }));
}

/** Reads the positions from the sources below `root`. The installed package has no sources, and so no positions. */
export function readPositions(root: string): CarrierPositions {
  if (!hasPackageFile(join(root, 'src/carrier'))) return { faults: {}, steps: {}, parts: {} };
  return collectCarrierPositions(carrierSources(root));
}
