import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isJsonObject, type JsonObject, renderPlain } from '../../lib/json.ts';
import { runCli } from '../../testing/program/run-cli.ts';
import {
  makeFolder,
  type SpawnedCarrier,
  startCarrier,
  stopCarrier,
  writeFolder,
  writeTargetWith,
} from '../../testing/program/target-file.ts';

let carrier: SpawnedCarrier;
beforeAll(async () => {
  carrier = await startCarrier(['--clock', 'virtual']);
});
afterAll(() => stopCarrier(carrier));

/** Runs a case with a module as the driver of `approve`; returns its result and the output of the run. */
async function runWith(text: string, { keys = {}, id = 'approval-brings-tokens' } = {}) {
  const module = join(writeFolder({ 'approve.mjs': text }), 'approve.mjs');
  const target = writeTargetWith({ approve: { module, ...keys } });
  const out = makeFolder();
  const { code } = await runCli(['run', id, '--target', target, '--out', out], { env: carrier.env });
  const result: unknown = JSON.parse(readFileSync(join(out, 'result.json'), 'utf8'));
  const cases = isJsonObject(result) && Array.isArray(result['cases']) ? result['cases'].filter(isJsonObject) : [];
  return { code, one: cases[0] ?? {}, text: JSON.stringify(result) };
}

const approving = `export default async ({ action, request, with: given, subscriber, client, input, signal }) => {
  if (action !== 'approve' || !signal || !client.client_id || !/^\\+/.test(subscriber.phone) || !request.claims.jti) throw new Error('what is missing?');
  const answer = await fetch(input.admin + '/requests/' + request.body.auth_req_id + '/approve',
    { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ scopes: given.scopes }) });
  return { done: answer.ok, note: 'with hush-hush-hush' };
};`;
const input = { admin: '{{ env.REFERENCE_ADMIN }}', key: '{{ env.LAB_KEY }}' };

describe('a driver that is a function of a module', () => {
  beforeAll(() => {
    carrier = { ...carrier, env: { ...carrier.env, LAB_KEY: 'hush-hush-hush' } };
  });

  test('has the request, the action and its own input, and what is a secret of these is nowhere', async () => {
    const { code, one, text } = await runWith(approving, { keys: { input } });
    expect([code, one['verdict']]).toEqual([0, 'pass']);
    expect(text).not.toContain('hush-hush-hush');
  });

  test('may say that it was not possible', async () => {
    const { one } = await runWith(approving, { keys: { input }, id: 'cancel-is-final' });
    expect(one['verdict']).toBe('pass');
  });

  test.each<readonly [string, string, JsonObject]>([
    ['Error: the lab is closed', 'export default () => { throw new Error("the lab\\u001b[31m is closed"); };', {}],
    ['TooLate: it took longer than 1 s', 'export default () => new Promise(() => undefined);', { timeout: '1s' }],
    ['its default export is no function', 'export default 7;', {}],
    ['it has no default export', 'export const approve = () => undefined;', {}],
    ['it cannot be loaded: ', 'export default (', {}],
    ['it gave something else than done, body', 'export default () => ({ done: "yes" });', {}],
    [
      'it gave something else than done, body',
      'export default () => { const body = {}; body.body = body; return { body }; };',
      {},
    ],
    ['it gave something else than done, body', 'export default () => ({ body: { text: "x".repeat(65536) } });', {}],
  ])('that does not work makes the case inconclusive: %s', async (why, text, keys) => {
    const { code, one } = await runWith(text, { keys });
    expect([code, one['verdict']]).toEqual([4, 'inconclusive']);
    expect(renderPlain(one['reason']).replace(' [31m', '')).toContain(why);
    expect(one['reason']).toMatch(/^the driver for approve did not work: \S+approve\.mjs: /);
    expect(JSON.stringify(one)).not.toContain('\\u001b');
  });
});
