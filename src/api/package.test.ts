import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isJsonObject, parseJson, renderPlain } from '../lib/json.ts';
import { root } from '../testing/program/spawn-cli.ts';
import { cleanUp, makeFolder } from '../testing/program/target-file.ts';

/** Limits: number of files, bytes of the package, bytes of a whole installation. docs/dependencies.md says why. */
const most = { files: 320, unpacked: 5_800_000, installed: 5_850_000 };

const example = join(root, 'docs/examples/library');
const npm = (args: readonly string[], cwd: string): string =>
  execFileSync('npm', [...args, '--no-audit', '--no-fund', '--ignore-scripts'], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });

/** Total size of a folder in bytes. */
const bytesIn = (folder: string): number =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => lstatSync(join(folder, name)))
    .reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0);

interface Packed {
  readonly tarball: string;
  readonly paths: readonly string[];
  readonly unpacked: number;
}

function pack(folder: string): Packed {
  const given = parseJson(npm(['pack', '--json', '--pack-destination', folder], root));
  const list: readonly unknown[] = Array.isArray(given) ? given : Object.values(isJsonObject(given) ? given : {});
  const [one] = list;
  if (!isJsonObject(one) || !Array.isArray(one['files'])) throw new Error('npm pack says nothing of the package');
  return {
    tarball: join(folder, renderPlain(one['filename'])),
    paths: one['files'].map((file) => (isJsonObject(file) ? renderPlain(file['path']) : '')),
    unpacked: Number(one['unpackedSize']),
  };
}

let packed: Packed;
let project: string;
let installed: number;

/** Installs the package from its tarball into the example, offline. */
beforeAll(() => {
  packed = pack(makeFolder());
  project = makeFolder();
  cpSync(example, project, { recursive: true });
  const manifest = parseJson(readFileSync(join(example, 'package.json'), 'utf8'));
  const { devDependencies: _, ...rest } = isJsonObject(manifest) ? manifest : {};
  writeFileSync(join(project, 'package.json'), JSON.stringify(rest));
  npm(['install', '--offline', packed.tarball], project);
  installed = bytesIn(join(project, 'node_modules'));
}, 120_000);
afterAll(cleanUp);

const bin = (): string => join(project, 'node_modules/.bin/carrierspec');

/** Runs a program in the project folder. */
function runHere(file: string, ...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(file, args, { cwd: project, encoding: 'utf8', timeout: 100_000 });
  return { status, stdout, stderr };
}

describe('the package', () => {
  test('is few files, few bytes, and brings no other package', () => {
    expect(packed.paths.length).toBeLessThanOrEqual(most.files);
    expect(packed.unpacked).toBeLessThanOrEqual(most.unpacked);
    expect(installed).toBeLessThanOrEqual(most.installed);
    const packages = readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'));
    expect(packages).toEqual(['carrierspec']);
  });

  test('has licences, changes and what is built, and no source, test, or map', () => {
    expect(packed.paths).toEqual(
      expect.arrayContaining([
        'LICENSE',
        'CHANGELOG.md',
        'README.md',
        'dist/THIRD-PARTY-NOTICES.txt',
        'dist/sbom.cdx.json',
      ]),
    );
    expect(packed.paths.filter((path) => /\.map$|\.test\.|^src\/|\.tsbuildinfo$/.test(path))).toEqual([]);
  });

  test('has the file or folder behind each relative link of its pages', () => {
    const pages = packed.paths.filter((path) => path.endsWith('.md'));
    const linksOf = (page: string): readonly string[] =>
      [...readFileSync(join(project, 'node_modules/carrierspec', page), 'utf8').matchAll(/\]\(([^)\s#]+)[^)]*\)/g)]
        .map(([, href = '']) => href)
        .filter((href) => !/^https?:/.test(href));
    const all = pages.flatMap((page) => linksOf(page).map((href) => ({ page, href })));
    expect(all.length).toBeGreaterThan(80);
    const isThere = ({ page, href }: (typeof all)[number]): boolean =>
      existsSync(join(project, 'node_modules/carrierspec', dirname(page), href));
    expect(all.filter((one) => !isThere(one))).toEqual([]);
  });

  test('says of each package in its bundle which it is, and under which licence', () => {
    const at = (path: string): string => readFileSync(join(project, 'node_modules/carrierspec', path), 'utf8');
    const bill = parseJson(at('dist/sbom.cdx.json'));
    const parts =
      isJsonObject(bill) && Array.isArray(bill['components']) ? bill['components'].filter(isJsonObject) : [];
    const bundled = Object.values(
      JSON.parse(readFileSync(join(root, 'dist/bundle-packages.json'), 'utf8')) as object,
    ).flat();
    expect(parts.map(({ name }) => name)).toEqual(expect.arrayContaining(bundled));
    for (const { name, version } of parts)
      expect(at('dist/THIRD-PARTY-NOTICES.txt')).toContain(`${renderPlain(name)} ${renderPlain(version)} (`);
  });
});

describe('installed in an empty folder', () => {
  test('the program says its version, certifies, and makes every page without the sources', () => {
    expect(runHere(bin(), '--version').stdout).toMatch(/^\d+\.\d+\.\d+\S*\n$/);
    const { status, stderr } = runHere(bin(), 'run', 'approval-brings-tokens', '--out', 'out');
    expect([status, stderr]).toEqual([0, expect.not.stringContaining('carrierspec:')]);
    for (const file of ['out/report.html', 'out/junit.xml']) expect(existsSync(join(project, file))).toBe(true);
  });

  test.each([
    ['check'],
    ['explain', 'iat-not-checked'],
    ['explain', 'P1'],
    ['list', '--kind', 'freedom'],
    ['decode', '{"auth_req_id":"ccid-7Yk2mQ9ZpR4tV1xW8sB3nC6dF0g","expires_in":300}'],
    ['plan', 'REQ-015'],
  ])('so does: %s %s', (...args) => {
    const { status, stderr } = runHere(bin(), ...args);
    expect([status, stderr]).toEqual([0, expect.not.stringContaining('ENOENT')]);
  });

  test('suites of the user are held to schemas that the build has not seen', () => {
    const schema = { type: 'object', required: ['own'], properties: { own: { const: 'value' } } };
    const cases = [
      {
        id: 'own-schema',
        title: 'Own',
        rule: 'OWN-001',
        steps: [{ authorize: {}, expect: { outcome: 'accepted', body: schema } }],
      },
    ];
    mkdirSync(join(project, 'own/own'), { recursive: true });
    const rule = { id: 'OWN-001', clause: '2.4', level: 'required', description: 'It is so.', judged: 'cases' };
    writeFileSync(join(project, 'own/own/rules.yaml'), JSON.stringify({ area: 'own', title: 'Own', rules: [rule] }));
    writeFileSync(join(project, 'own/own/own.suite.yaml'), JSON.stringify({ suite: 'Own', cases }));
    const { stdout, stderr } = runHere(bin(), 'run', 'own-schema', '--suites', 'own', '--out', 'own-out');
    expect(stderr).not.toContain('carrierspec:');
    expect(stdout).toMatch(/OWN-001/);
  });

  test('the example type-checks, declarations of the package and all', () => {
    mkdirSync(join(project, 'node_modules/@types'));
    for (const name of ['@types/node', 'undici-types']) {
      symlinkSync(join(root, 'node_modules', name), join(project, 'node_modules', name));
    }
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    expect(runHere(process.execPath, tsc, '-p', '.')).toEqual({ status: 0, stdout: '', stderr: '' });
    const wrong =
      "import { certify } from 'carrierspec';\nconst { footer } = await certify({ fault: [] });\nexport default footer?.outcom;\n";
    writeFileSync(join(project, 'wrong.js'), wrong);
    const { status, stdout } = runHere(process.execPath, tsc, '-p', '.');
    expect([status, stdout]).not.toEqual([0, '']);
    expect(stdout).toMatch(/wrong\.js\(2,[\s\S]*wrong\.js\(3,/);
  });

  test.each([
    ['certify', "certify('nothere.yaml')", /^CarrierspecError: there is no target file nothere\.yaml;/m],
    [
      'expectConformant',
      "expectConformant('nothere.yaml')",
      /^CarrierspecError: there is no target file nothere\.yaml;/m,
    ],
    ['loadSuites', "loadSuites(['nowhere'])", /^CarrierspecError: the suites have 1 mistake/m],
    ['judge', "judge('no message')", /^CarrierspecError: this cannot be judged: /m],
    [
      'createReferenceCarrier',
      "createReferenceCarrier({ faults: ['none'] })",
      /^CarrierspecError: there is no fault none/m,
    ],
  ])(
    'node shows of an error of %s that nothing catches the line of the caller, and none of the bundle',
    (name, call, message) => {
      const entry =
        { expectConformant: '/expect', judge: '/judge', createReferenceCarrier: '/reference-carrier' }[name] ?? '';
      writeFileSync(join(project, 'uncaught.js'), `import { ${name} } from 'carrierspec${entry}';\nawait ${call};\n`);
      const { status, stderr } = runHere(process.execPath, 'uncaught.js');
      expect(status).toBe(1);
      expect(stderr).toMatch(message);
      expect(stderr).toContain(`uncaught.js:2\nawait ${call};\n`);
      expect(stderr.split('\n').filter((line) => line.length > 250)).toEqual([]);
      expect(stderr.length).toBeLessThan(2500);
    },
  );

  test('the example runs', () => {
    const { status, stdout } = runHere(process.execPath, '--test', 'conformance.test.js');
    expect([status, stdout]).toEqual([0, expect.stringMatching(/pass 6\n/)]);
  });
});
