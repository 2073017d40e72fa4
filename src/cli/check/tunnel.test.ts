import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isJsonObject, parseJson } from '../../lib/json.ts';
import { findFreePort } from '../../setup/reference.ts';
import { runCli } from '../../testing/program/run-cli.ts';
import { describeWithSshd, startSshd } from '../../testing/carriers/sshd.ts';
import { makeFolder, startCarrier, stopCarrier, writeTarget } from '../../testing/program/target-file.ts';

/** The recipe of docs/tunnels.md: a server port forwards to the local receiver. */
async function startBehindSsh() {
  const [sshd, receiverPort] = await Promise.all([startSshd(), findFreePort()]);
  const url = `http://127.0.0.1:${await sshd.forward(receiverPort)}`;
  const carrier = await startCarrier(['--clock', 'virtual', '--receiver', url]);
  const env = { ...carrier.env, REFERENCE_RECEIVER_PORT: String(receiverPort) };
  const target = writeTarget((given) => {
    const receiver = isJsonObject(given['receiver']) ? given['receiver'] : {};
    return { ...given, receiver: { ...receiver, url } };
  });
  return { carrier, env, target, url };
}

describeWithSshd('a receiver behind ssh -R', () => {
  test('preflight sees that nothing is rewritten, and callbacks and events arrive', async () => {
    const { carrier, env, target, url } = await startBehindSsh();
    const before = await runCli(['check', '--preflight', '--target', target, '--json'], { env });
    expect(before.code).toBe(0);
    expect(parseJson(before.stdout)).toMatchObject({
      verdict: 'ready',
      checks: expect.arrayContaining([
        expect.objectContaining({
          check: 'receiver',
          about: url,
          state: 'ok',
          description: expect.stringMatching(/unchanged/) as string,
        }),
      ]) as unknown,
    });
    const out = makeFolder();
    // A callback, and an event that is refused first: the receiver's responses travel back to the carrier.
    const cases = ['approval-brings-tokens', 'throttled-event', 'connection-broken'];
    const { code, stdout } = await runCli(['run', ...cases, '--target', target, '--out', out], { env });
    expect(`${code}\n${stdout}`).toMatch(/^0\n/);
    const result = readFileSync(join(out, 'result.json'), 'utf8');
    expect(result).toContain(url);
    await stopCarrier(carrier);
  });
});
