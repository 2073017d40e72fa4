import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCli } from '../testing/program/run-cli.ts';
import { root } from '../testing/program/spawn-cli.ts';
import { makeFolder, writeFolder, writeTarget } from '../testing/program/target-file.ts';

const broken = join(root, 'fixtures/broken');
const stack = /^\s+at .*[:(]\d+:\d+\)?$/m;

/** A carrier that only counts requests: none may arrive before every file has been checked. */
let requests = 0;
const carrier = createServer((_, response) => {
  requests += 1;
  response.end('{}');
});
let discovery = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => carrier.listen(0, '127.0.0.1', resolve));
  const address = carrier.address();
  discovery = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
});

afterAll(() => void carrier.close());

const env = { REFERENCE_RECEIVER_PORT: '0', REFERENCE_SECRET: 's', REFERENCE_ADMIN: 'http://127.0.0.1:1' };

/** Target file of the counting carrier. */
const countingTarget = (): string => writeTarget((target) => ({ ...target, discovery }));

/** Expects exit code 2, no stdout and no requests; returns stderr. */
async function refusal(...args: readonly string[]): Promise<string> {
  const before = requests;
  const { code, stdout, stderr } = await runCli(args, { env, cwd: makeFolder() });
  expect({ code, stdout, sent: requests - before }).toEqual({ code: 2, stdout: '', sent: 0 });
  expect(stderr).not.toMatch(stack);
  return stderr;
}

const manifest = join(root, 'package.json');

test.each([
  [['runn'], "carrierspec: unknown command 'runn'; did you mean run?\n"],
  [['run', '--profle', 'strict'], "carrierspec: unknown option '--profle'; did you mean --profile?\n"],
  [['run', '--target'], "carrierspec: option '-t, --target <file>' argument missing\n"],
  [['explain'], "carrierspec: missing required argument 'name'\n"],
  [['run', '--jobs', '0'], 'carrierspec: --jobs: "0" is no whole number from 1 to 1000\n'],
  [['run', '--jobs', 'two'], 'carrierspec: --jobs: "two" is no whole number from 1 to 1000\n'],
  [['run', '--profile', 'high'], 'carrierspec: --profile: "high" is none of interface, hardened, strict\n'],
  [
    ['list', '--kind', 'zebra'],
    'carrierspec: --kind: there is no kind "zebra"; the kinds are rule, case, invariant, area, family, clause, interpretation, decision, member, oauth-error, fault, variant, freedom, action, client, tag, feature, tamper, key, outcome, limit, profile, risk, code, command, term, coverage\n',
  ],
  [
    ['compare', 'a.json', 'b.json', '--report', 'markdown=x'],
    'carrierspec: --report: "markdown" is none of terminal, html, json\n',
  ],
  [
    ['run', '--report', 'docx=x'],
    'carrierspec: --report: "docx" is none of terminal, json, junit, markdown, annotations, ctrf, har, sarif, html\n',
  ],
  [['run', '--report', 'json'], 'carrierspec: --report: json needs a path, as json=PATH; - is stdout\n'],
  [['run', '--report', 'json=-', '--report', 'junit=-'], 'carrierspec: --report: only one report can go to stdout\n'],
  [['run', 'zebra*'], 'carrierspec: nothing is called zebra*; see carrierspec list\n'],
  [['run', 'REQ-15'], 'carrierspec: nothing is called REQ-15; did you mean REQ-015?\n'],
  [['run', 'jti-absnet'], 'carrierspec: nothing is called jti-absnet; did you mean jti-absent?\n'],
  [
    ['run', 'jti-absent', '--fault', 'jti-nevr-kept'],
    'carrierspec: there is no fault jti-nevr-kept; did you mean jti-never-kept?\n',
  ],
  [
    ['run', '--target', 'carrier.yaml', '--fault', 'jti-never-kept'],
    'carrierspec: --fault is for the embedded reference carrier; it does not go with --target\n',
  ],
  [['list', '--kind', 'faults'], 'carrierspec: --kind: there is no kind "faults"; did you mean fault?\n'],
  [['list', '--faults'], "carrierspec: unknown option '--faults'\n"],
  [
    ['check', manifest],
    `carrierspec: ${manifest} is a file, not a folder of suites; a target file is named as --target ${manifest}\n`,
  ],
])('what was typed: %j', async (args, message) => expect(await refusal(...args)).toBe(message));

describe('suites that are broken', () => {
  test('and where nothing is, the carrier that counts is asked', async () => {
    const before = requests;
    const { code } = await runCli(['run', 'jti-absent', '--target', countingTarget()], { env, cwd: makeFolder() });
    expect({ code, sent: requests - before }).toEqual({ code: 3, sent: 1 });
  });

  test('each mistake has its place, and none of them is sent', async () => {
    const stderr = await refusal('run', '--suites', join(broken, '42-seven-mistakes'), '--target', countingTarget());
    expect(stderr).toMatch(
      /broken\.suite\.yaml:5:11: there is no rule REQ-0001\n +5 \| +rule: REQ-0001\n +\| +\^{8}\n/,
    );
    expect(stderr).toMatch(
      /broken\.suite\.yaml:9:22: unknown key "claim" in authorize\n(.*\n){2} +did you mean "claims"\?/,
    );
    expect(stderr).toMatch(/\ncarrierspec: the suites have 7 mistakes\n$/);
  });

  test('with the embedded carrier the process ends as well', async () =>
    expect(await refusal('run', '--suites', join(broken, '09-no-verb'))).toMatch(/this step has no verb/));

  test('a folder that is not there', async () => {
    expect(await refusal('run', '--suites', 'nowhere')).toMatch(
      /^nowhere:1:1: the folder cannot be read: there is no such folder\n/,
    );
  });
});

describe('a target file that is broken', () => {
  test('is not there', async () => {
    expect(await refusal('run', '--target', 'nowhere.yaml')).toBe(
      'nowhere.yaml:1:1: there is no such file\n\ncarrierspec: there is no target file nowhere.yaml; carrierspec init makes one to fill in, and carrierspec carrier --write-target that of a reference carrier\n',
    );
  });

  test('with mistakes of every sort names all of them in one pass', async () => {
    const target = join(root, 'fixtures/broken-targets/56-everything-at-once/carrier.yaml');
    const stderr = await refusal('check', '--target', target);
    expect(stderr).toMatch(/\ncarrierspec: the target file .*carrier\.yaml has 40 mistakes\n$/);
    const sorts = [
      'unknown key "carier"',
      'the environment has no NO_SUCH_VARIABLE',
      '10:9: a port is a whole number',
      'no case needs "usertraits"',
      'no case uses a client "secnd"',
      'a client without a redirect URI',
      '"notify" is no http or https URL',
      'request has no "bdy"',
      'the URL of a driver begins with',
      'no-such-program cannot be run: no folder of PATH',
      'not filled in yet: sub of main',
      'an issuer is a URL without a query',
      'there is no rule SEC-999',
    ];
    for (const sort of sorts) expect(stderr).toContain(sort);
    expect(stderr.split('carrier.yaml:').length - 1).toBe(40);
  });
});

describe('check', () => {
  test.each([['37-not-utf-8', 1]])('of %s gives every problem and exit code 2', async (folder, count) => {
    const { code, stdout, stderr } = await runCli(['check', join('fixtures/broken', folder)]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr.match(/^fixtures\/broken\/.*:\d+:\d+: /gm)).toHaveLength(count);
    expect(Number(/the suites have (\d+) mistakes?\n$/.exec(stderr)?.[1])).toBe(count);
  });

  test('of a target file says so', async () => {
    const { code, stdout } = await runCli(['check', '--target', countingTarget()], { env });
    expect(code).toBe(0);
    expect(stdout).toMatch(/, and the target file: no mistakes\n$/);
    expect(
      await refusal(
        'check',
        '--target',
        writeTarget(() => ({ carrier: 'one' })),
      ),
    ).toMatch(/ has \d+ mistakes?\n$/);
  });

  test('of an empty folder is no mistake', async () => expect((await runCli(['check', writeFolder({})])).code).toBe(0));
});
