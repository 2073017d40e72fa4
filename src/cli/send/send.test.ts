import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isJsonObject, type Json, type JsonObject, parseJson } from '../../lib/json.ts';
import { runCli } from '../../testing/program/run-cli.ts';
import { fetchLikeCurl, shellWords } from '../../testing/program/shell.ts';
import { root, startCli } from '../../testing/program/spawn-cli.ts';
import { sendEndpoints } from './endpoints.ts';
import {
  messageFlag,
  startCarrier,
  startInRealTime,
  writeFolder,
  writeTarget,
} from '../../testing/program/target-file.ts';

const at = (value: Json | undefined, ...path: readonly string[]): Json | undefined =>
  path.reduce<Json | undefined>((found, name) => (isJsonObject(found) ? found[name] : undefined), value);

const here = await startInRealTime();
const askHere = (...args: readonly string[]) => runCli(['send', ...args, '--target', here.target], { env: here.env });

const there = await startCarrier();
const target = writeTarget((given) => given);

/** Asks a carrier that stays, on a virtual clock: the embedded one takes long to start. Faults are of that alone. */
const ask = (...args: readonly string[]) =>
  args.includes('--fault')
    ? runCli(['send', ...args])
    : runCli(['send', ...args, '--target', target], { env: there.env });

async function sendJson(...args: readonly string[]): Promise<{ code: number | null; report: JsonObject }> {
  const { code, stdout, stderr } = await ask('--json', ...args);
  expect(stderr).toBe('');
  const report: unknown = JSON.parse(stdout);
  if (!isJsonObject(report)) throw new Error('no object');
  return { code, report };
}

const verdictOf = ({ invariants }: JsonObject, id: string): Json | undefined =>
  Array.isArray(invariants)
    ? at(
        invariants.filter(isJsonObject).find((one) => one['id'] === id),
        'verdict',
      )
    : undefined;

describe('what is sent', () => {
  test('claims and header are set and dropped, and named as differences', async () => {
    const args = [
      '--claim',
      'expires_in=60',
      '--claim',
      'context=Example-order-4711',
      '--drop',
      'nonce',
      '--header',
      'x=null',
    ];
    const { code, report } = await sendJson(...args);
    expect(code).toBe(0);
    expect(at(report, 'request', 'object', 'claims')).toMatchObject({ expires_in: 60, context: 'Example-order-4711' });
    expect(at(report, 'request', 'object', 'claims', 'nonce')).toBeUndefined();
    expect(at(report, 'request', 'object', 'header', 'x')).toBeNull();
    expect(at(report, 'request', 'differences')).toEqual([
      { what: 'header.x', change: 'set', value: null },
      { what: 'claims.nonce', change: 'removed' },
      { what: 'claims.expires_in', change: 'set', value: 60 },
      { what: 'claims.context', change: 'set', value: 'Example-order-4711' },
    ]);
    expect(at(report, 'request', 'response', 'status')).toBe(200);
    expect(at(report, 'verdict')).toBe('pass');
  });

  test('differences are marked, with times in words', async () => {
    const { code, stdout } = await ask(
      '--claim',
      'iat={{ now - 6m }}',
      '--drop',
      'jti',
      ...messageFlag({ form: true }),
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ {2}~ iat: \d+ {2}\(\d{4}-.*Z, 36\d s before it was sent\)$/m);
    expect(stdout).toMatch(/^ {2}- jti$/m);
    expect(stdout).toMatch(/^ {4}iss: "ccid-/m);
    expect(stdout).toMatch(/http\.form = true/);
    expect(stdout).toMatch(/^response +HTTP 415/m);
  });

  test('the body of a message is the whole body, templates in it are none', async () => {
    const { code, report } = await sendJson(...messageFlag({ body: '{"request":"{{ now }}"}' }));
    expect(code).toBe(0);
    expect(at(report, 'request', 'request', 'body')).toBe('{"request":"{{ now }}"}');
    expect(at(report, 'request', 'response', 'status')).toBe(400);
  });

  test('a key that nobody registered is refused', async () => {
    const { report } = await sendJson('--key', 'other');
    expect(at(report, 'request', 'response', 'body')).toContain('invalid_request_object');
  });
});

describe('what comes of it', () => {
  test('an approved request brings a callback whose id token verifies', async () => {
    const { code, stdout } = await ask('--approve', '--wait');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^callback +POST \/si\/notify$/m);
    expect(stdout).toMatch(/^ {4}acr: "a3"$/m);
    expect(stdout).toContain('signature verified with a key of jwks_uri');
    expect(stdout).toMatch(/^\d+ invariants judged, none broken$/m);
  });

  test('without the keys of the carrier no signature is said to be good', async () => {
    const without = writeTarget((given) => ({ ...given, endpoints: { jwks: 'http://127.0.0.1:9/jwks' } }));
    const { code, stdout } = await runCli(['send', '--approve', '--wait', '--target', without], { env: there.env });
    expect(code).toBe(4);
    expect(stdout).toContain('signature not verified: no keys were fetched');
    expect(stdout).toMatch(/^inconclusive /m);
  });

  test('a callback whose expires_in is text breaks its invariant', async () => {
    const { code, report } = await sendJson('--approve', '--wait', '--fault', 'expires-in-as-string-in-callback');
    expect(code).toBe(1);
    expect(verdictOf(report, 'token-lifetime-is-a-number')).toBe('fail');
    expect(verdictOf(report, 'id-tokens-signed-by-a-published-key')).toBe('pass');
  });

  test('a denial, and a request that nobody answers, bring an error callback', async () => {
    const denied = await sendJson('--deny', '--wait', '1m');
    expect(JSON.stringify(denied.report['callbacks'])).toContain('request_denied');
    const ignored = await sendJson('--wait', '--claim', 'expires_in=60');
    expect(JSON.stringify(ignored.report['callbacks'])).toContain('authentication_timed_out');
  });

  test('a callback that does not come in the time that is given leaves it incomplete', async () => {
    const { code, stdout } = await ask('--wait', '5s');
    expect(code).toBe(4);
    expect(stdout).toMatch(/^no callback came$/m);
  });

  test('a refused request is no failure, and nothing is said of the callback it cannot bring', async () => {
    const { code, stdout } = await ask('--claim', 'acr_values=a9', '--approve', '--wait');
    expect(code).toBe(0);
    expect(stdout).not.toMatch(/inconclusive|no callback/);
  });

  test('a broken answer is judged', async () => {
    const { code, stdout } = await ask('--fault', 'auth-req-id-short');
    expect(code).toBe(1);
    expect(stdout).toMatch(/^ {2}RSP-003 +required: /m);
  });
});

test('a target in real time is not waited for after its answer', async () => {
  const { code, stdout } = await askHere();
  expect(code).toBe(0);
  expect(stdout).toMatch(/^response +HTTP 200/m);
});

describe('send --from', () => {
  test('of a step that is repeated, shows the exchange that the finding is about', async () => {
    const of = ['--from', 'jti-a-third-time', '--step', 'step2', '--fault', 'jti-freed-by-its-repetition'];
    const { stdout } = await ask(...of);
    expect(stdout).toMatch(/^response +HTTP 200 /m);
    expect(stdout).toContain('expected denied-or-dropped, got accepted 200, and tokens came');
  });

  test('sends the request of a case, freshly signed, with its differences, and judges it as the case does', async () => {
    const { code, stdout } = await askHere('--from', 'iat-far-too-old/24h-old', '--json');
    const report = parseJson(stdout);
    const request = isJsonObject(report) ? report['request'] : undefined;
    expect(request).toMatchObject({ differences: [{ what: 'claims.iat', change: 'set' }], response: { status: 400 } });
    expect(report).toMatchObject({ verdict: 'pass' });
    expect(code).toBe(0);
  });

  test('--curl prints a command that brings the same answer, now', async () => {
    const stale = await askHere('--from', 'iat-far-too-old/24h-old', '--curl');
    expect(stale.code).toBe(0);
    expect(await fetchLikeCurl(stale.stdout)).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    const plain = await askHere('--claim', "context=It's-order-4711", '--curl');
    expect(await fetchLikeCurl(plain.stdout)).toMatchObject({ status: 200 });
    // The command printed the signed request without sending it: sent again it is a replay.
    expect(await fetchLikeCurl(plain.stdout)).toMatchObject({ status: 400 });
  });
});

const page = readFileSync(join(root, 'docs/spot-checks.md'), 'utf8');

/** Commands that run until Ctrl-C. */
const waits = new Set(['listen']);

/** Endpoints of the table; endpoints.test.ts has the two key sets, and `server_initiated` is the plain `send`. */
const endpoints = Object.keys(sendEndpoints).filter((name) => !/jwks|server_initiated/.test(name));

const rows = [...page.matchAll(/^\| ([^|]+) \| `carrierspec ([^`]+)` \| [^|]+ \|$/gm)].map(
  ([, what = '', line = '']) => [what, shellWords(line)] as const,
);

test('the message file of docs/spot-checks.md is sent as it stands', async () => {
  const [, message = ''] = /```yaml\n([\s\S]*?)```/.exec(page) ?? [];
  const { code, stdout } = await ask('usertrait', '--message', join(writeFolder({ 'm.yaml': message }), 'm.yaml'));
  expect(code).toBe(0);
  expect(stdout).toMatch(/^ +accept: text\/html$/m);
  expect(stdout).toMatch(/^response +HTTP 401 /m);
});

describe('the table of docs/spot-checks.md', () => {
  test('has twenty and more, with each endpoint', () => {
    expect(rows.length).toBeGreaterThanOrEqual(20);
    expect(rows.flatMap(([, words]) => (words[0] === 'send' ? words : []))).toEqual(expect.arrayContaining(endpoints));
  });

  test.each(rows)('%s', async (_, words) => {
    if (waits.has(words[0] ?? '')) {
      const running = startCli(words);
      await running.stderr(/^listening on /m);
      running.interrupt();
      expect((await running.ended).code).toBe(0);
      return;
    }
    const [command, ...args] = words;
    // The plain `send` shows that the embedded carrier answers.
    const { code, stdout } = await (command === 'send' && args.length > 0 ? ask(...args) : runCli(words));
    expect(code).toBe(words.includes('--fault') ? 1 : 0);
    expect(stdout.split('\n').length).toBeGreaterThan(3);
    if (!endpoints.some((name) => name === words[1])) return;
    expect(stdout).toMatch(/^\d+ invariants judged, none broken$/m);
    expect(stdout).not.toMatch(/eyJ[\w-]{20,}/);
  });
});

test.each([
  [['--from', 'iat-far-to-old'], '--from: there is no case iat-far-to-old; did you mean '],
  [['--from', 'approval-brings-tokens', '--step', 'nosuch'], '--step: approval-brings-tokens has no step nosuch'],
  [
    ['--from', 'approval-brings-tokens', '--claim', 'a=1'],
    '--claim: with --from the case defines the request, so leave this flag out',
  ],
  [['--step', 'request'], '--step: needs --from'],
  [['--claim', 'context'], '--claim: "context" is not NAME=VALUE'],
  [['--claim', 'iat={{ nwo }}'], 'nwo'],
  [['--key', 'mine'], '--key: "mine" is none of other, '],
  [['--tamper', 'payload-bite'], 'there is no tamper "payload-bite"'],
  [['--tamper', 'foo'], 'there is no tamper "foo"; carrierspec list --kind tamper has them'],
  [['--client', 'secondd'], '--client: the target file has no client secondd; did you mean second?'],
  [
    ['--subscriber', 'foo'],
    '--subscriber: no subscriber of the target file has the tag foo; the target file has consented, ',
  ],
  [['--fault', 'never-kept'], 'there is no fault never-kept; did you mean jti-never-kept?'],
  [['--message', '/nowhere'], '/nowhere:1:1: there is no such file'],
  [
    ['--from', 'approval-brings-tokens', ...messageFlag({ alg: 'none' })],
    'alg of --message: with --from the case defines the request',
  ],
  [['--wait', 'soon'], '--wait: "soon" is no duration'],
  [['--approve', '--deny'], '--approve and --deny exclude each other'],
  [['--target', 'x.yaml', '--fault', 'y'], '--fault is for the embedded reference carrier'],
])('%j is a mistake of usage', async (args, message) => {
  const { code, stdout, stderr } = await ask(...args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(message);
});
