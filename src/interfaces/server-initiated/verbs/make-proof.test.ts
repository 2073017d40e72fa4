import { expect, test } from 'vitest';
import { openContext } from '../../../engine/context/open-context.ts';
import type { ProofDifference } from '../../../model/suite.ts';
import type { ExecDriver } from '../../../model/target.ts';
import { buildScenario } from '../../../testing/parts/suite.ts';
import { buildTarget } from '../../../testing/parts/target.ts';
import { buildTemplate, buildTemplates } from '../../../testing/parts/templates.ts';
import { buildServices } from '../../../testing/parts/services.ts';
import { makeProof } from './proof.ts';

const prints = (...words: readonly string[]): ExecDriver => ({
  kind: 'exec',
  argv: [buildTemplate('echo'), ...words.map((word) => buildTemplate(word, ['with']))],
  variables: [],
  folder: '.',
  timeout: 5,
  done: [0],
  impossible: [],
  env: { PATH: process.env['PATH'] },
});

const http = { method: 'POST', url: 'https://op.test/usertrait', headers: [], body: '{}' };

function make(proof: ProofDifference, driver: ExecDriver): Promise<string | undefined> {
  const target = buildTarget({ proof: driver });
  const [client] = target.clients;
  const [subscriber] = target.subscribers;
  if (client === undefined || subscriber === undefined) throw new Error('a target without parties');
  const assignment = { client, second: undefined, subscriber };
  return makeProof(proof, http, openContext(buildServices(target), { case: buildScenario('a-case', {}), assignment }));
}

test('a program makes the proof over the request that the case names, with the key that it names', async () => {
  const shown = prints('method={{ with.method }}', 'alg={{ with.alg }}');
  expect(await make({}, shown)).toBe('method=POST alg=RS256');
  expect(await make({ over: { method: buildTemplate('GET') }, key: 'unregistered' }, shown)).toBe(
    'method=GET alg=RS256',
  );
  expect(await make({ absent: true }, shown)).toBeUndefined();
  expect(await make({ value: buildTemplate('as it is') }, shown)).toBe('as it is');
});

test('what is inside it only the program knows', async () => {
  await expect(make({ claims: buildTemplates({ iat: 1 }) }, prints('a'))).rejects.toThrow('cannot alter its claims');
  await expect(make({ tamper: 'signature-bit' }, prints('a'))).rejects.toThrow('the proof is no JWS');
});

test('a proof that is a JWS can be altered', async () => {
  const jws = ['eyJhbGciOiJSUzI1NiJ9', 'e30', 'AAAA'].join('.');
  const altered = await make({ tamper: 'signature-bit' }, prints(jws));
  expect(altered?.split('.').slice(0, 2)).toEqual(jws.split('.').slice(0, 2));
  expect(altered).not.toBe(jws);
});
