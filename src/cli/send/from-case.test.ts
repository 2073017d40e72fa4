import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isJsonObject, parseJson } from '../../lib/json.ts';
import { fetchLikeCurl, curlArguments } from '../../testing/program/curl.ts';
import { runCli } from '../../testing/program/run-cli.ts';
import { type RealTimeCarrier, startInRealTime, stopCarrier } from '../../testing/program/target-file.ts';

let carrier: RealTimeCarrier;
beforeAll(async () => {
  carrier = await startInRealTime();
});
afterAll(() => stopCarrier(carrier));

const send = (...args: readonly string[]) =>
  runCli(['send', ...args, '--target', carrier.target], { env: carrier.env });

describe('send --from', () => {
  test('of a step that is repeated, shows the exchange that the finding is about', async () => {
    const of = ['--from', 'jti-a-third-time', '--step', 'step2', '--fault', 'jti-freed-by-its-repetition'];
    const { stdout } = await runCli(['send', ...of]);
    expect(stdout).toMatch(/^response +HTTP 200 /m);
    expect(stdout).toContain('expected denied-or-dropped, got accepted 200, and tokens came');
  });

  test('sends the request of a case, freshly signed, with its differences, and judges it as the case does', async () => {
    const { code, stdout } = await send('--from', 'iat-far-too-old/24h-old', '--json');
    const report = parseJson(stdout);
    const request = isJsonObject(report) ? report['request'] : undefined;
    expect(request).toMatchObject({ differences: [{ what: 'claims.iat', change: 'set' }], response: { status: 400 } });
    expect(report).toMatchObject({ verdict: 'pass' });
    expect(code).toBe(0);
  });

  test('--curl prints a command that brings the same answer, now', async () => {
    const stale = await send('--from', 'iat-far-too-old/24h-old', '--curl');
    expect(stale.code).toBe(0);
    expect(await fetchLikeCurl(curlArguments(stale.stdout))).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    });
    const plain = await send('--claim', "context=It's-order-4711", '--curl');
    const words = curlArguments(plain.stdout);
    expect(await fetchLikeCurl(words)).toMatchObject({ status: 200 });
    // The command printed the signed request without sending it: sent again it is a replay.
    expect(await fetchLikeCurl(words)).toMatchObject({ status: 400 });
  });
});

test.each([
  [['--from', 'iat-far-to-old'], '--from: there is no case iat-far-to-old; did you mean '],
  [['--from', 'approval-brings-tokens', '--step', 'nosuch'], '--step: approval-brings-tokens has no step nosuch'],
  [['--from', 'approval-brings-tokens', '--claim', 'a=1'], '--claim: with --from the request is that of the case'],
  [['--step', 'request'], '--step: needs --from'],
])('%j is a mistake of usage', async (args, message) => {
  const { code, stderr } = await runCli(['send', ...args]);
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});
