import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findFreePort } from '../../setup/reference.ts';
import { runCli } from '../../testing/program/run-cli.ts';
import { type RunningProcess, startCli } from '../../testing/program/spawn-cli.ts';
import { makeFolder, startCarrier, writeTarget } from '../../testing/program/target-file.ts';

const listening = async (running: RunningProcess): Promise<string> => {
  const [, origin = ''] = await running.stderr(/^listening on (\S+), answering \d+; Ctrl-C stops it$/m);
  return origin;
};

function post(url: string, body: string, localAddress?: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', authorization: 'Bearer a-notification-token' };
    const sent = request(url, { method: 'POST', headers, localAddress }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode));
    });
    sent.once('error', reject).end(body);
  });
}

const callback = JSON.stringify({ auth_req_id: 'ccid-1', state: 's', error: 'invalid_grant' });

const lockedUri = '/main/3f9a41c07be25d8816f0a2d4c97e1b35/notify';

/** A target whose receiver is locked by part of the registered URI; JSON is valid YAML. */
const lockedTarget = {
  carrier: 'A carrier',
  mccmnc: '001010',
  endpoints: { server_initiated: 'https://op.carrier.test/si' },
  clients: { main: { client_id: 'ccid-1', redirect_uris: ['https://sp.test/cb'], notification_uris: [lockedUri] } },
  subscribers: { first: { tags: ['consented'], subs: { main: '001010-a' } } },
};

describe('listen', () => {
  test('prints a delivery with the rules it breaks, and no credential, until Ctrl-C', async () => {
    const running = startCli(['listen', '--port', '0']);
    const origin = await listening(running);
    const reflected = callback.replace('"s"', '"a-notification-token"');
    expect(await post(`${origin}/si/notify?access_token=a-query-token-0123`, reflected)).toBe(200);
    expect(await post(`${origin}/si/notify?a=1`, callback)).toBe(200);
    running.interrupt();
    const { code, stdout } = await running.ended;
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\d\d:\d\d:\d\dZ {2}POST \/si\/notify\?a=1 {2}answered 200$/m);
    expect(stdout).toMatch(/^callback body/m);
    expect(stdout).toMatch(/^ {2}CB-023 +required: /m);
    expect(stdout).not.toMatch(/a-notification-token|a-query-token/);
  });

  test('answers as told, a line of JSON a delivery; what is no message is shown as it is', async () => {
    const target = join(makeFolder(), 'carrier.yaml');
    writeFileSync(target, JSON.stringify(lockedTarget));
    const running = startCli(['listen', '--target', target, '--answer', '503', '--json']);
    const origin = await listening(running);
    expect(await post(`${origin}/events`, callback)).toBe(503);
    expect(await post(`${origin}${lockedUri.toUpperCase()}?a=1`, callback)).toBe(503);
    expect(await post(`${origin}/events`, 'h\u0007i')).toBe(503);
    expect(await post(`${origin}/events`, '['.repeat(100_000))).toBe(503);
    running.interrupt();
    const { stdout } = await running.ended;
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(lines).toMatchObject([
      {
        method: 'POST',
        target: '/events',
        stranger: true,
        answered: 503,
        type: 'callback',
        broken: [{ rule: 'CB-003', path: 'headers.cache-control' }, { rule: 'CB-023' }],
      },
      { type: 'callback', broken: [{ rule: 'CB-003' }, { rule: 'CB-023' }] },
      { text: 'h\u0007i', bytes: 3 },
      { bytes: 100_000 },
    ]);
    expect(lines[1]).not.toHaveProperty('stranger');
  });

  test('the receiver of a target gets what its carrier delivers', async () => {
    const carrier = await startCarrier();
    const target = writeTarget((given) => given);
    const running = startCli(['listen', '--target', target], { env: carrier.env });
    const origin = await listening(running);
    expect(origin).toBe(`http://127.0.0.1:${carrier.env['REFERENCE_RECEIVER_PORT']}`);
    await running.stderr(/^ {2}main, events: http:\/\/127\.0\.0\.1:\d+\/events$/m);
    const moved = new URL(`${carrier.env['REFERENCE_ADMIN']}/subscribers/first/move-sim`).href;
    expect(await post(moved, '{}')).toBeLessThan(300);
    const clock = `${carrier.env['REFERENCE_ADMIN']}/clock`;
    const read: unknown = await (await fetch(clock)).json();
    const now = typeof read === 'object' && read !== null && 'now' in read ? Number(read.now) : 0;
    await post(clock, JSON.stringify({ to: now + 1000 }));
    // The target declares 127.0.0.1 as the carrier's source address.
    expect(await post(`${origin}/from-elsewhere`, callback, '127.0.0.2')).toBe(200);
    running.interrupt();
    const { stdout } = await running.ended;
    expect(stdout).toMatch(
      /^\S+Z {2}POST \/from-elsewhere {2}answered 200\n {2}stranger: this delivery cannot be attributed to the carrier/m,
    );
    expect(stdout.match(/ {2}stranger: /g)).toHaveLength(1);
    expect(stdout).toMatch(/^in set: event token, SET/m);
    expect(stdout).toMatch(/^ {4}events: \["device_change"\]$|"device_change"/m);
    expect(stdout).toContain('the message alone breaks no rule');
  });

  test('a port that is taken, and flags that are none', async () => {
    const port = await findFreePort();
    const server = createServer().listen(port, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const taken = await runCli(['listen', '--port', String(port)]);
    server.close();
    expect(taken.code).toBe(2);
    expect(taken.stderr).toContain(`cannot listen on 127.0.0.1 port ${port}: another program listens there`);
    for (const args of [
      ['--port', 'x'],
      ['--answer', '99'],
      ['--jwks', 'nowhere'],
    ]) {
      expect((await runCli(['listen', ...args])).code).toBe(2);
    }
  });
});
