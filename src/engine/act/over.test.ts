import { describe, expect, test } from 'vitest';
import { runYamlCases } from '../../testing/parts/run-cases.ts';
import type { Target } from '../../model/target.ts';
import type { JsonObject } from '../../lib/json.ts';

const step = (over: string): string =>
  `  - { id: one, title: A case, rule: REQ-001, steps: [{ as: asked, over: "{{ ${over} }}", ` +
  'authorize: { claims: { redirect_uri: "{{ entry }}" } }, expect: accepted }] }\n';

const uris = ['https://sp.example/a', 'https://sp.example/b', 'https://sp.example/c'];

/** Runs a step over the redirect URIs of a client; the carrier refuses the second. */
async function runOver(over: string) {
  const asked: unknown[] = [];
  const conduct = ({ redirect_uri: uri }: JsonObject, index: number) => {
    asked.push(uri);
    return uri === uris[1]
      ? { status: 400, body: { error: 'invalid_request' } }
      : { body: { auth_req_id: `ccid-0000000000${index}`, expires_in: 300 } };
  };
  const change = (target: Target): Target => ({
    ...target,
    clients: target.clients.map((client) => ({ ...client, redirectUris: uris })),
  });
  const { cases } = await runYamlCases(step(over), { conduct, change, confirm: true });
  return { one: cases['one'], asked };
}

describe('a step over a list', () => {
  test('is done and judged for each entry', async () => {
    const { one, asked } = await runOver('client.redirect_uris');
    expect(asked.slice(0, 3)).toEqual(uris);
    expect(one?.verdict).toBe('fail');
    expect(one?.findings).toMatchObject([{ step: 'asked', message: 'one#x2', expected: 'accepted' }]);
    expect(one?.confirmation).toEqual({ status: 'confirmed' });
  });

  test('makes the case inconclusive if there is no list', async () => {
    const { one, asked } = await runOver('client.client_id');
    expect(one).toMatchObject({
      verdict: 'inconclusive',
      reason: 'step asked: there is nothing in the list that it goes over',
    });
    expect(asked).toEqual([]);
  });
});
