import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import { readMember, renderPlain } from '../../lib/json.ts';
import { spawnCli, root } from '../program/spawn-cli.ts';
import { makeFolder, writeFolder } from '../program/target-file.ts';
import { type DeliveryDoor, floodedClient, startFloodedCarrier } from './flooded-carrier.ts';
import { runLoad } from './load.ts';
import { requests } from './requests.ts';

const seconds = Number(process.env['LOAD_SECONDS'] ?? 60);
const rate = Number(process.env['LOAD_RATE'] ?? 1000);
const inFlight = 200;
const cases = 24;

const acts = [
  'trigger: approve }, { await: callback, expect: completed',
  'trigger: deny }, { await: callback, expect: failed',
  'await: callback, expect: failed',
];

/** A request that is approved, denied or left to time out, some seconds after it is sent. */
function sending(at: number): string {
  const wait = 2 + (at % 30);
  const [act = '', timesOut] = [acts[at % acts.length], at % acts.length === 2];
  const claims = timesOut ? `claims: { expires_in: ${wait} }` : '';
  return `
  - id: sends-${at}
    title: It sends a request
    rule: REQ-014
    exclusive: false
    steps: [{ as: first, authorize: { ${claims} } }, { ${timesOut ? '' : `at: first + ${wait}s, `}${act} }]
`;
}

const suite = `suite: Cases that send\ncases:${Array.from({ length: cases }, (_, at) => sending(at)).join('')}`;

test.each<DeliveryDoor>(['locked', 'unlocked'])(
  `${rate} callbacks a second for ${seconds} s, ${inFlight} in flight, at a receiver that is %s`,
  async (door) => {
    const carrier = await startFloodedCarrier(door, 'real');
    const folder = makeFolder();
    const suites = writeFolder({ 'sends.suite.yaml': suite });
    const what = ['run', 'Cases that send', '--suites', suites, '--target', carrier.target, '--out', folder];
    const peak = join(folder, 'peak');
    const running = spawnCli([...what, '--keep-going', '--jobs', String(inFlight)], {
      env: { ...carrier.env, PEAK_FILE: peak },
      node: ['--import', `file://${root}/bench/peak.js`],
      timeLimit: 400_000,
    });
    const where = { port: carrier.port, path: '/si/notify', issuer: carrier.issuer, clientId: floodedClient };
    const place = { ...where, signal: new AbortController().signal, count: () => undefined };
    const request = (turn: number) => requests['callback-with-tokens']?.(place, turn) ?? '';
    const loaded = await runLoad({ where, rate, seconds, connections: inFlight, request });
    const ended = await running;
    await carrier.close();
    const result: unknown = JSON.parse(readFileSync(join(folder, 'result.json'), 'utf8'));
    const [list, footer] = [readMember(result, 'cases'), readMember(result, 'footer')];
    const verdicts = Array.isArray(list) ? list.map((one) => readMember(one, 'verdict')) : [];
    const mebibytes = Math.round(Number(readFileSync(peak, 'utf8')) / 1024);
    const figures = [
      `exit ${ended.code}`,
      `${loaded.answered} answered, ${loaded.rate.toFixed(0)} a second, at most ${loaded.inFlight} in flight`,
      `${loaded.median.toFixed(1)} ms in the middle, ${loaded.slowest.toFixed(0)} ms at most`,
      `our lag ${renderPlain(readMember(footer, 'receiverLag'))} ms`,
      `${renderPlain(readMember(footer, 'strangers'))} of strangers`,
      `${mebibytes} MiB`,
    ];
    process.stdout.write(`load, ${door}: ${figures.join('; ')}\n`);
    expect(verdicts).toEqual(verdicts.map(() => 'pass'));
    expect({ code: ended.code, cases: verdicts.length }).toEqual({ code: 0, cases });
    expect(readMember(footer, 'receiverLag')).toEqual(expect.any(Number));
    expect(mebibytes).toBeLessThan(300);
  },
  500_000,
);
