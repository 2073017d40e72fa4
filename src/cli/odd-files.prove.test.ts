import { execFileSync } from 'node:child_process';
import {
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { makeKeyPairSync } from '../lib/key-pair.ts';
import { runCli } from '../testing/program/run-cli.ts';
import { root } from '../testing/program/spawn-cli.ts';
import { makeFolder, writeFolder } from '../testing/program/target-file.ts';

const here = makeFolder();
const at = (path: string): string => join(here, path);

/** Larger than any file that a command reads. */
const hugeBytes = 1100 * 1024 * 1024;

/** Makers of everything else that can be in the place of a file, by name. */
const oddities: Readonly<Record<string, (path: string) => void>> = {
  folder: (path) => mkdirSync(path),
  pipe: (path) => execFileSync('mkfifo', [path]),
  device: (path) => symlinkSync('/dev/zero', path),
  dangling: (path) => symlinkSync('nowhere', path),
  loop: (path) => symlinkSync(path, path),
  huge: (path) => {
    writeFileSync(path, '');
    truncateSync(path, hugeBytes);
  },
  latin: (path) => writeFileSync(path, Buffer.from([0x7b, 0xe9, 0x7d])),
  ...(process.getuid?.() === 0 ? {} : { secret: (path) => writeFileSync(path, '', { mode: 0 }) }),
};

mkdirSync(at('odd'));
for (const [name, make] of Object.entries(oddities)) make(at(`odd/${name}`));
cpSync(join(root, 'reports/sample.result.json'), at('result.json'));
const { privateKey, publicKey } = makeKeyPairSync({ namedCurve: 'P-256' });
writeFileSync(at('private.json'), JSON.stringify({ ...privateKey.export({ format: 'jwk' }), kid: 'k', alg: 'ES256' }));
writeFileSync(at('public.json'), JSON.stringify({ ...publicKey.export({ format: 'jwk' }), kid: 'k', alg: 'ES256' }));
writeFileSync(at('certificate.jws'), 'e30.e30.e30');

interface FilePlace {
  readonly args: string;
  /** The oddities that are right there. */
  readonly unlike?: readonly string[];
  /** The oddities to try where each start takes seconds; default: all. */
  readonly only?: readonly string[];
}

const only = ['pipe', 'loop'];

/** Every place of a file on a command line. */
const inputs: readonly FilePlace[] = [
  { args: 'check FILE', only },
  { args: 'check --target FILE', only },
  { args: 'plan jti-absent --target FILE' },
  { args: 'plan jti-absent --suites FILE', only },
  { args: 'run jti-absent --out new --target FILE' },
  { args: 'run jti-absent --out new --suites FILE', only },
  { args: 'run jti-absent --out new --expected FILE', only },
  { args: 'run jti-absent --out new --reporter FILE' },
  { args: 'run jti-absent --out FILE', only },
  { args: 'run jti-absent --out new --report json=FILE', unlike: ['device', 'dangling', 'huge', 'latin'] },
  { args: 'run --out FILE --resume --target no.yaml', unlike: ['folder'] },
  { args: 'run --out FILE --last-failed' },
  { args: 'measure --target FILE' },
  { args: 'measure --out FILE', unlike: ['folder'] },
  { args: 'explore --target FILE' },
  { args: 'explore --out FILE --requests 1', unlike: ['folder'] },
  { args: 'list --suites FILE', only },
  { args: 'explain REQ-001 --suites FILE', only },
  { args: 'send --message FILE', only },
  { args: 'send --target FILE' },
  { args: 'listen --target FILE' },
  { args: 'decode FILE', unlike: ['latin'] },
  { args: 'decode @FILE', unlike: ['latin'] },
  { args: 'decode e30.e30.e30 --jwks FILE' },
  { args: 'report FILE' },
  { args: 'report result.json --reporter FILE' },
  { args: 'report result.json --report json=FILE', unlike: ['device', 'dangling', 'huge', 'latin'] },
  { args: 'merge FILE result.json' },
  { args: 'compare FILE result.json' },
  { args: 'compare result.json FILE' },
  { args: 'history FILE', unlike: ['folder'] },
  { args: 'history FILE --out pages', unlike: ['folder'] },
  { args: 'history result.json --out FILE', unlike: ['folder'] },
  { args: 'certify FILE --key private.json' },
  { args: 'certify result.json --key FILE' },
  { args: 'verify certificate.jws --key FILE' },
  { args: 'verify FILE --key public.json', unlike: ['latin'] },
  { args: 'carrier --config FILE' },
  { args: 'carrier --write-target FILE' },
  { args: 'init FILE', only },
  { args: 'prove signature-not-verified --out FILE', unlike: ['folder'] },
];

const statesOf = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => {
    const stats = lstatSync(join(folder, name));
    return `${name} ${stats.mode} ${stats.isDirectory() ? '' : `${stats.size} ${stats.mtimeMs}`}`;
  });

describe.skipIf(process.platform === 'win32')(
  'a file that cannot be used is a mistake with its name: exit code 2',
  () => {
    const before = statesOf(at('odd'));
    const memory = process.memoryUsage.rss();

    test.each(inputs)('$args', async ({ args, unlike = [], only: some = Object.keys(oddities) }) => {
      for (const name of some.filter((one) => !unlike.includes(one))) {
        const path = `odd/${name}`;
        const { code, stdout, stderr } = await runCli(args.replace('FILE', path).split(' '), { cwd: here });
        const output = `${stdout}${stderr}`;
        expect({ name, code, output, isNamed: output.includes(path) }).toMatchObject({ name, code: 2, isNamed: true });
      }
      expect(statesOf(at('odd'))).toEqual(before);
      expect(readdirSync(here)).not.toContain('nowhere');
    });

    test('in little memory', () => expect(process.memoryUsage.rss() - memory).toBeLessThan(400 * 1024 * 1024));
  },
);

describe.skipIf(process.platform === 'win32')(
  'a link in the place of a file that we name is refused before anything is done',
  () => {
    test.each([
      ['init FOLDER', 'keys'],
      ['run jti-absent --out FOLDER', 'report.html'],
      ['run jti-absent --out FOLDER', 'earlier'],
      ['measure --out FOLDER', 'journal.jsonl'],
      ['explore --out FOLDER --requests 1', 'explore.json'],
      ['explore --out FOLDER --requests 1', 'explored-req-001-1.suite.yaml'],
      ['history result.json --out FOLDER', 'index.html'],
      ['history result.json --out FOLDER', 'history.json'],
      ['prove signature-not-verified --out FOLDER', 'matrix.json'],
    ])('%s: %s', async (args, name) => {
      const elsewhere = writeFolder({ victim: 'of the user' });
      const isFolder = ['keys', 'earlier'].includes(name);
      for (const to of [isFolder ? elsewhere : join(elsewhere, 'victim'), join(elsewhere, 'nothing')]) {
        const folder = makeFolder();
        symlinkSync(to, join(folder, name));
        const { code, stdout, stderr } = await runCli(args.replace('FOLDER', folder).split(' '), { cwd: here });
        expect({ code, stdout, stderr }).toMatchObject({ code: 2, stdout: '' });
        expect(stderr).toContain(`${join(folder, name)} cannot be written: it is a link, and must be a regular`);
        expect(readdirSync(folder)).toEqual([name]);
        expect(readdirSync(elsewhere)).toEqual(['victim']);
        expect(readFileSync(join(elsewhere, 'victim'), 'utf8')).toBe('of the user');
      }
    });
  },
);
