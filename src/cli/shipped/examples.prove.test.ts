import { cpSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { compileGlob } from '../../engine/plan/select.ts';
import { makeKeyPairSync } from '../../lib/key-pair.ts';
import { runCli } from '../../testing/program/run-cli.ts';
import { shellWords } from '../../testing/program/shell.ts';
import { root, startCli } from '../../testing/program/spawn-cli.ts';
import { makeFolder, startCarrier, withoutNames, writeTarget } from '../../testing/program/target-file.ts';
import { commands } from '../main.ts';

/** Examples with another exit code than 0. */
const codes: Readonly<Record<string, number>> = {
  // Its carrier has three faults.
  'run approval-brings-tokens denial-brings-error jti-again-after-4m30s context-just-too-long denial-is-request-denied callback-bearer REQ-060 --fault jti-kept-2-minutes --fault callback-without-bearer --fault access-denied-as-user-denied': 1,
  // A part of a run is incomplete.
  'run --target carrier.yaml --shard 2/4 --out shard-2': 4,
};

/** Examples that are not run, and why. Their command and flags must exist. */
const notRun: readonly (readonly [example: RegExp, why: string])[] = [
  [/^prove\b/, 'it takes minutes: npm run prove and npm run space run it'],
  [/^\S+ .*--resume\b/, 'it needs what was cut off: resume.test.ts and explore.test.ts make that'],
  [/--live (?:8700|192\.)/, 'the port or the address may be taken, or of another machine: live.test.ts runs it'],
  [/^run --hours\b/, 'it waits for the hours of the day: real-time.test.ts runs it'],
  [/^decode eyJ0eXAi\.\.\.$/, 'the message is left out'],
  [/^decode .*--jwks https:/, 'it asks a host of another'],
];

/** A narrower form of an example that would take minutes: names after the command, or flags at its end. */
const narrower: readonly (readonly [example: RegExp, names: readonly string[], flags: readonly string[]])[] = [
  [/^run(?= -|$)(?!.*--last-failed)/, ['jti-absent'], []],
  [/^plan(?= -|$)/, ['callback'], []],
  [/^measure$/, ['iat-age'], []],
  [/^explore\b/, [], ['--requests', '20']],
  [/^carrier\b/, [], ['--port', '0', '--admin-port', '0']],
  [/^listen\b/, [], ['--port', '0']],
];

/** Examples that end with Ctrl-C, and the line that says that they stand. */
const endless = /^(?:carrier|listen)\b/;
const standing = /Ctrl-C/;

const endOfExample = /\s+#\s|\s+\|\|\s|\s+>\s|'$/;

/** Commands of the fenced blocks of a page, without the name of the program. */
function commandsOf(page: string): readonly string[] {
  const text = readFileSync(join(root, page), 'utf8').replaceAll(/\\\n\s*/g, '');
  const blocks = [...text.matchAll(/^ *```\w*\n(.*?)^ *```$/gms)].map(([, block = '']) => block);
  return blocks
    .flatMap((block) => block.split('\n'))
    .flatMap((line) => /(?:^|^\$ |\| |npx (?:--no -- )?)carrierspec ([a-z].*)$/.exec(line)?.[1] ?? [])
    .map((line) => line.split(endOfExample)[0]?.trim() ?? '');
}

const pages = [
  'README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
const groups = [
  ...commands.map(({ definition: { name, examples } }) => ({
    where: `${name} --help`,
    lines: examples.map((example) => `${name} ${example}`.trimEnd()),
  })),
  ...pages.map((page) => ({ where: page, lines: commandsOf(page) })),
].filter(({ lines }) => lines.length > 0);
const all = groups.flatMap(({ lines }) => lines);
const isNotRun = (line: string): boolean => notRun.some(([example]) => example.test(line));

const requestId = 'ccid-7Yk2mQ9ZpR4tV1xW8sB3nC6dF0g';
const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const response = JSON.stringify({ auth_req_id: requestId, expires_in: 300 });

const carrier = await startCarrier(undefined, 900_000);
/** Folder with every file that an example names. */
let prepared = '';

/** Files that need no run. */
function writeInputs(folder: string): void {
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const { privateKey, publicKey } = makeKeyPairSync({ namedCurve: 'P-256' });
  const [own, known] = [privateKey, publicKey].map((key) => ({
    ...key.export({ format: 'jwk' }),
    kid: 'one',
    alg: 'ES256',
  }));
  write('private.jwk.json', JSON.stringify(own));
  write('public.jwk.json', JSON.stringify(known));
  write('keys.json', JSON.stringify({ keys: [known] }));
  write('callback.json', JSON.stringify({ auth_req_id: requestId, error: 'request_denied', error_description: 'no' }));
  write('request.jwt', `${encode({ alg: 'ES256', kid: 'one' })}.${encode({ iss: 'ccid-one' })}.${encode('signature')}`);
  write('exchange.txt', `HTTP/1.1 200 OK\ncontent-type: application/json\ncache-control: no-store\n\n${response}`);
  write('token.txt', 'an-access-token');
  const target = readFileSync(
    writeTarget((given) => ({ ...given, test_carrier: true })),
    'utf8',
  );
  write('carrier.yaml', target);
  write('my-carrier/carrier.yaml', target);
  const realTime = writeTarget((given) => withoutNames({ ...given, test_carrier: true }, 'clock'));
  write('real-time.yaml', readFileSync(realTime, 'utf8'));
  write('message.yaml', 'parameters: { usertrait: sim_tenure }\n');
  mkdirSync(join(folder, 'my-suites'));
  cpSync(join(root, 'reports/sample.har'), join(folder, 'capture.har'));
  cpSync(join(root, 'fixtures/broken-simulators/00-valid'), folder, { recursive: true });
}

/** Copies of one run below the names that the examples give to runs, and the parts of another. */
async function writeRuns(folder: string): Promise<void> {
  const run = async (...flags: readonly string[]): Promise<void> => {
    const { code, stderr } = await runCli(['run', ...flags, '--target', 'carrier.yaml'], {
      env: carrier.env,
      cwd: folder,
    });
    // A part alone may be incomplete.
    if (code !== 0 && code !== 4) throw new Error(`${code}: ${stderr}`);
  };
  const kept = 'carrierspec-report/latest';
  await run('jti-absent');
  const certify = ['certify', `${kept}/result.json`, '--key', 'private.jwk.json', '--out', 'certificate.jws'];
  await runCli(certify, { cwd: folder });
  const copies = [
    '2025-11',
    '2026-11',
    'one',
    'other',
    'march',
    'june',
    'nightly',
    'partner',
    'monday',
    'monday/earlier/one',
  ];
  for (const name of copies) cpSync(realpathSync(join(folder, kept)), join(folder, name), { recursive: true });
  cpSync(join(folder, 'certificate.jws'), join(folder, '2026-11/certificate.jws'));
  for (const part of [1, 2])
    await run('jti-absent', 'context-just-too-long', '--shard', `${part}/2`, '--out', `shard-${part}`);
}

/** Words of an example, with its globs expanded as a shell does. */
const expandWords = (line: string, folder: string): readonly string[] =>
  shellWords(line).flatMap((word) => {
    if (!/\*.*\//.test(word)) return [word];
    const glob = compileGlob(word);
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => glob.test(path))
      .toSorted();
  });

function narrow(line: string, [command = '', ...words]: readonly string[]): readonly string[] {
  const [, names = [], flags = []] = narrower.find(([example]) => example.test(line)) ?? [];
  // The runs that are there stay as they are.
  const isApart = words.includes('--out') && !words.includes('--shard');
  const out = /^(?:run|measure|merge)$/.test(command) && !isApart ? ['--out', 'scratch'] : [];
  return [command, ...names, ...words, ...flags, ...out];
}

async function runExample(
  line: string,
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
  const words = narrow(line, expandWords(line, prepared)).map((word) =>
    // Hours mean nothing on a virtual clock.
    line.includes('--hours') && word === 'carrier.yaml' ? 'real-time.yaml' : word,
  );
  // The simulator file takes its values from these.
  const env = { ...carrier.env, RECEIVER: 'http://127.0.0.1:8602', BANK_ID: 'ccid-bank', BANK_SECRET: 'secret' };
  // These write a file that must not be there.
  const cwd = /^init |--write-target/.test(line) ? makeFolder() : prepared;
  if (endless.test(line)) {
    const running = startCli(words, { env, cwd });
    await running.stderr(standing);
    running.interrupt();
    return running.ended;
  }
  return runCli(words, { env, cwd, stdin: response });
}

beforeAll(async () => {
  prepared = makeFolder();
  writeInputs(prepared);
  await writeRuns(prepared);
}, 60_000);

const ran = new Set<string>();

describe('each example runs', () => {
  test.each(groups)(
    'of $where',
    async ({ lines }) => {
      const wrong: string[] = [];
      for (const line of lines.filter((one) => !isNotRun(one) && !ran.has(one))) {
        ran.add(line);
        const { code, stdout, stderr } = await runExample(line);
        if (code !== (codes[line] ?? 0))
          wrong.push(`${code}: carrierspec ${line}\n${stdout.slice(-300)}${stderr.slice(-500)}`);
      }
      expect(wrong).toEqual([]);
    },
    120_000,
  );
});

test('those that are not run, or have another exit code, are examples, with flags that exist', async () => {
  const rules = [
    ...notRun,
    ...narrower,
    ...Object.keys(codes).map((line) => [{ test: (one: string) => one === line }] as const),
  ];
  expect(rules.filter(([example]) => !all.some((line) => example.test(line)))).toEqual([]);
  for (const line of new Set(all.filter(isNotRun))) {
    const [command = '', ...words] = shellWords(line);
    const { code, stdout } = await runCli([command, '--help']);
    expect({ line, code }).toEqual({ line, code: 0 });
    const flags = words.filter((word) => word.startsWith('--'));
    expect(flags.filter((flag) => !new RegExp(` ${flag} `).test(stdout))).toEqual([]);
  }
});
