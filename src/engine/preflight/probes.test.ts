import { createServer } from 'node:http';
import { afterAll, describe, expect, test } from 'vitest';
import { testedInterface } from '../../testing/parts/tested-interface.ts';
import { buildClient, ecKey, rsaKey } from '../../testing/parts/keys.ts';
import { buildTarget } from '../../testing/parts/target.ts';
import { createSender } from '../../wire/send/sender.ts';
import { createSkewOfOrigins } from '../../wire/send/skew.ts';
import { discover } from '../discover.ts';
import { checkAlgorithms, checkCodes } from './probes.ts';

const documents: Readonly<Record<string, string>> = { '001010': 'one', '001011': 'one', '001012': 'other' };

/** Discovery of two carriers, one of them under two codes. */
const server = createServer(({ url = '' }, response) => {
  const name = documents[new URL(url, 'http://op.test').searchParams.get('mccmnc') ?? ''];
  if (name === undefined) response.writeHead(404).end();
  else response.end(JSON.stringify({ issuer: `https://${name}.test`, token_endpoint: `https://${name}.test/token` }));
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const address = server.address();
const discovery = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
const sender = createSender({ requestTimeout: 2, connections: 1 });
afterAll(async () => {
  server.close();
  await sender.close();
});

const asking = { sender, skew: createSkewOfOrigins(), now: Date.now, interface: testedInterface };

async function statesOf(own: readonly string[], foreign: readonly string[]) {
  const { issuer: _, ...rest } = buildTarget();
  const target = { ...rest, discovery, carrierCodes: { own: ['001010', ...own], foreign } };
  const notes = await checkCodes(await discover(target, asking), target, asking);
  return notes.map(({ about, state }) => `${about}: ${state}`);
}

describe('carrier codes', () => {
  test('as discovery has them', async () => {
    expect(await statesOf(['001011'], ['001012', '999999'])).toEqual([
      'carrier code 001011: ok',
      'carrier code 001012: ok',
      'carrier code 999999: ok',
    ]);
  });

  test('a code of this carrier that is named as foreign, and the other way round', async () => {
    expect(await statesOf(['001012'], ['001011'])).toEqual([
      'carrier code 001012: problem',
      'carrier code 001011: problem',
    ]);
    expect(await statesOf([], [])).toEqual(['carrier codes: skipped']);
  });
});

test.each<[readonly string[], string | undefined, string]>([
  [['RS256', 'ES256', 'none', 'HS256'], 'ok', 'there is a key for each that discovery lists: RS256, ES256'],
  [
    ['RS256', 'PS256', 'ES384'],
    'warning',
    'discovery lists RS256, PS256, ES384, and no client has a key of PS256, ES384',
  ],
  [[], undefined, ''],
])('keys for the algorithms %j', (algs, state, description) => {
  const target = buildTarget({ clients: [buildClient({ keys: [rsaKey(), ecKey()] })] });
  const found = { issuer: '', urls: {}, configuration: { algs: [...algs] } };
  const [note] = checkAlgorithms(found, target, ['algs']);
  expect([note?.state, note?.description ?? '']).toEqual([state, description]);
});

test('keys by an algorithm that discovery does not list are named (C7.22)', () => {
  const target = buildTarget({ clients: [buildClient({ keys: [rsaKey(), ecKey()] })] });
  const found = { issuer: '', urls: {}, configuration: { algs: ['RS256'] } };
  const [, note, ...more] = checkAlgorithms(found, target, ['algs']);
  expect(note).toMatchObject({ about: `client ${target.clients[0]?.name}`, state: 'warning' });
  expect(note?.description).toContain(`its key ${ecKey().kid} of ES256 cannot be used`);
  expect(more).toEqual([]);
});
