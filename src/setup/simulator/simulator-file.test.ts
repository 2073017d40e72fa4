import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseRegistrations } from '../../carrier/state/registrations.ts';

import { renderProblem } from '../../suite/yaml/problems.ts';
import { loadSimulator } from './simulator-file.ts';

const root = 'fixtures/broken-simulators';
const folders = readdirSync(root).toSorted();
const env = { RECEIVER: 'http://127.0.0.1:9', BANK_ID: 'ccid-bank00000001', BANK_SECRET: 'hush-hush-hush' };
const faults = new Set(['jti-never-kept']);
const load = (folder: string) => loadSimulator(`${root}/${folder}/simulator.yaml`, env, faults);

test.each(folders.filter((folder) => folder !== '00-valid'))('broken simulator files: %s', (folder) => {
  const { simulator, problems } = load(folder);
  expect(simulator).toBeUndefined();
  const rendered = `${problems.map((problem) => renderProblem(problem)).join('\n\n')}\n`;
  const expected = `${root}/${folder}/expected.txt`;
  if (process.env['WRITE_EXPECTED'] !== undefined) writeFileSync(expected, rendered);
  expect(rendered.trim()).not.toBe('');
  expect(rendered).toBe(existsSync(expected) ? readFileSync(expected, 'utf8') : '');
});

describe('a valid simulator file', () => {
  const { simulator, problems } = load('00-valid');

  test('is what the carrier takes', () => {
    expect(problems).toEqual([]);
    const { clients, subscribers, mccmnc } = parseRegistrations(simulator?.registrations);
    expect(mccmnc).toBe('310410');
    expect(clients).toMatchObject([
      {
        name: 'shop',
        clientId: 'ccid-shop00000001',
        keys: [{ kty: 'EC', kid: 'b', alg: 'ES256' }],
        notificationUris: ['http://127.0.0.1:9/notify', 'https://shop.example/notify'],
        eventUri: 'http://127.0.0.1:9/events',
        eventSubscription: true,
        flags: { server_initiated: true, usertraits_enabled: true, events: true, enum_enabled: false },
      },
      { name: 'bank', clientId: 'ccid-bank00000001', secret: 'hush-hush-hush', keys: [], scopes: ['openid'] },
    ]);
    expect(subscribers).toMatchObject([
      {
        name: 'alice',
        consents: { shop: ['openid', 'name'], bank: [] },
        subs: { shop: '310410-alice-at-shop' },
        profile: { email: { value: 'alice@subscriber.example' }, phone: { value: '+12025550101' } },
      },
      { name: 'bob', enrolled: true, consents: { shop: ['openid'], bank: ['openid'] } },
      { name: 'carol', enrolled: false },
    ]);
  });

  test('gives the same subscriber ids each time, and no two alike', () => {
    const subsOf = (): readonly string[] =>
      parseRegistrations(load('00-valid').simulator?.registrations).subscribers.flatMap(({ subs }) =>
        Object.values(subs),
      );
    expect(new Set(subsOf()).size).toBe(6);
    expect(subsOf()).toEqual(subsOf());
  });

  test('says what subscribers do', () => {
    expect(simulator?.approvals.map(({ context, ...rest }) => ({ ...rest, chosen: context !== undefined }))).toEqual([
      { act: 'deny', after: 0.05, client: 'shop', chosen: true },
      { act: 'ignore', after: 0, subscriber: 'bob', chosen: false },
      { act: 'ignore', after: 0, chosen: true },
      { act: 'approve', after: 0.1, client: 'shop', subscriber: 'alice', scopes: ['openid'], chosen: false },
      { act: 'approve', after: 0, chosen: false },
    ]);
    const [refuse] = simulator?.approvals ?? [];
    const fits = (text: string): boolean => refuse?.context?.test(text) === true;
    expect([fits('Refuse-1'), fits('Refuse'), fits('Do-Refuse-1')]).toEqual([true, false, false]);
  });
});
