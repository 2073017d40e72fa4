import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { readResult } from '../../journal/read-result.ts';
import { openRewritingProxy } from '../../testing/carriers/rewriting-proxy.ts';
import { runCli } from '../../testing/program/run-cli.ts';
import { makeFolder, startCarrier, stopCarrier, writeTarget } from '../../testing/program/target-file.ts';
import type { JsonObject } from '../../lib/json.ts';

const ownCode = '001010';
const closing: (() => unknown)[] = [];
afterEach(() => Promise.all(closing.splice(0).map((close) => close())));

/** Runs a case against a carrier whose discovery takes the code 001030 for its own. */
async function runAsking(id: string, codes: JsonObject) {
  const carrier = await startCarrier(['--clock', 'virtual']);
  closing.push(() => stopCarrier(carrier));
  const discovery = await openRewritingProxy(carrier.env['REFERENCE_ORIGIN'] ?? '', {
    request: (passed) => ({ ...passed, target: passed.target.replace('mccmnc=001030', `mccmnc=${ownCode}`) }),
  });
  closing.push(discovery.close);
  const target = writeTarget((given) => ({ ...given, discovery: discovery.origin, carrier_codes: codes }));
  const out = makeFolder();
  const { code, stderr } = await runCli(['run', id, '--target', target, '--out', out], {
    env: carrier.env,
    timeLimit: 50_000,
  });
  const { cases, rules } = readResult(join(out, 'result.json')).result;
  const broken = rules.flatMap(({ id: rule, verdict }) => (verdict === 'fail' ? [rule] : []));
  return { code, stderr, broken, found: [...cases].find((one) => one.id === id) };
}

const id = 'discovery-of-another-carrier';

test.each([
  [['001020'], []],
  [['001020', '001030'], ['DSC-012']],
  [['001030', '001020'], ['DSC-012']],
])('each foreign code is asked: %j', async (foreign, expected) => {
  const { code, stderr, broken, found } = await runAsking(id, { foreign });
  expect({ code, broken }, stderr).toEqual({ code: expected.length, broken: expected });
  const asked = found?.messages.flatMap((message) => (message.kind === 'exchange' ? [message.url.slice(-6)] : []));
  expect(asked?.slice(0, 2 + foreign.length)).toEqual([ownCode, ownCode, ...foreign]);
});

test('so is each further code of the carrier', async () => {
  const { code, stderr, broken, found } = await runAsking(id, { own: ['001040'], foreign: ['001020'] });
  expect({ code, broken }, stderr).toEqual({ code: 1, broken: ['DSC-012'] });
  const [finding] = found?.findings ?? [];
  const [message] = found?.messages.filter((one) => one.id === finding?.message) ?? [];
  expect(message?.kind === 'exchange' && message.url).toContain('mccmnc=001040');
});
