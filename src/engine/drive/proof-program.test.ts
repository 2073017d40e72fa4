import { createHash } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import type { ExecDriver } from '../../model/target.ts';
import { runYamlCases } from '../../testing/parts/run-cases.ts';
import { rsaKey } from '../../testing/parts/keys.ts';
import { buildScenario } from '../../testing/parts/suite.ts';
import { buildTarget } from '../../testing/parts/target.ts';
import { makeFolder } from '../../testing/program/target-file.ts';
import { buildTemplate, buildTemplates } from '../../testing/parts/templates.ts';
import { buildServices } from '../../testing/parts/services.ts';
import { openContext } from '../context/open-context.ts';
import { proveByProgram } from './exec-driver.ts';

const read = (name: string) => buildTemplate(`{{ with.${name} }}`, ['with']);

/** Shell script with the request in its environment, and the path of the key as its argument. */
function program(text: string, parts: Partial<ExecDriver> = {}): ExecDriver {
  const folder = makeFolder();
  writeFileSync(join(folder, 'prove.sh'), `#!/bin/sh\n${text}\n`);
  chmodSync(join(folder, 'prove.sh'), 0o755);
  const roots = ['with', 'env'];
  return {
    kind: 'exec',
    argv: [buildTemplate('./prove.sh'), read('key_file')],
    variables: buildTemplates(
      { METHOD: '{{ with.method }}', URL: '{{ with.url }}', BODY: '{{ with.body }}', DIGEST: '{{ with.body_digest }}' },
      roots,
    ).concat(buildTemplates({ CLIENT: '{{ with.client_id }}', ALG: '{{ with.alg }}', KID: '{{ with.kid }}' }, roots)),
    folder,
    timeout: 5,
    done: [0],
    impossible: [],
    env: { PATH: process.env['PATH'] },
    ...parts,
  };
}

const target = buildTarget();
const http = { method: 'POST', url: 'https://op.test/usertrait?a=b', headers: [], body: '{"a":1}' };

async function prove(driver: ExecDriver): Promise<string> {
  const [client] = target.clients;
  const [subscriber] = target.subscribers;
  if (client === undefined || subscriber === undefined) throw new Error('a target without parties');
  const services = buildServices(target);
  const ctx = openContext(services, {
    case: buildScenario('a-case', {}),
    assignment: { client, second: undefined, subscriber },
  });
  return proveByProgram(driver, { http, key: await services.keys.find(undefined, client, undefined) }, ctx);
}

describe('a proof by a program', () => {
  test('is what it prints, made of the request and of the key', async () => {
    const value = await prove(program('echo "$METHOD $URL $BODY $DIGEST $CLIENT $ALG $KID"'));
    const digest = createHash('sha256').update(http.body).digest('base64url');
    const words = ['POST', http.url, http.body, digest, 'ccid-conftestclient01', 'RS256', 'conftestkey01'];
    expect(value.split(' ')).toEqual(words);
  });

  test('its key is in a private file that is gone afterwards', async () => {
    const driver = program('stat -c %a "$1" > mode; echo "$1" > where; cp "$1" copy; echo ok');
    expect(await prove(driver)).toBe('ok');
    const written = (name: string) => readFileSync(join(driver.folder, name), 'utf8');
    expect(written('mode')).toBe('600\n');
    expect(existsSync(written('where').trim())).toBe(false);
    expect(JSON.parse(written('copy'))).toMatchObject({ ...rsaKey().jwk, kid: 'conftestkey01' });
  });

  test('may print as much as a header holds', async () => {
    expect(await prove(program('head -c 16384 /dev/zero | tr "\\0" a'))).toBe('a'.repeat(16_384));
  });

  test.each<[string, string, Partial<ExecDriver>, RegExp]>([
    ['fails', 'echo no key >&2; exit 4', {}, /did not work: .*: exit code 4: no key$/],
    ['does not end', 'sleep 60', { timeout: 0.2 }, /it did not end within 0.2 s/],
    ['prints nothing', 'exit 0', {}, /printed nothing$/],
    ['prints two lines', 'echo a; echo b', {}, /printed what no header holds/],
    ['prints more than a header holds', 'head -c 16385 /dev/zero | tr "\\0" a', {}, /printed 16385 characters/],
    ['prints without end', 'yes | head -c 100000', {}, /it printed more than can be read/],
  ])('that %s makes the case inconclusive, and leaves no key', async (_, text, parts, reason) => {
    const driver = program(`echo "$1" > where; ${text}`, parts);
    await expect(prove(driver)).rejects.toThrow(reason);
    expect(existsSync(readFileSync(join(driver.folder, 'where'), 'utf8').trim())).toBe(false);
  });

  test('that reads what is not there is not run', async () => {
    const driver = program('exit 0', { argv: [buildTemplate('./prove.sh'), read('nothing')] });
    await expect(prove(driver)).rejects.toThrow('was not run: there is no with.nothing');
  });
});

describe('user info that wants a proof', () => {
  const scenario = (headers: string): string =>
    `  - id: asks
    title: A case
    rule: REQ-001
    steps: [{ as: profile, http: { to: userinfo, headers: { authorization: Bearer x${headers} } }, expect: answered }]\n`;

  async function headersSent(headers: string, userinfoProof: boolean) {
    const ran = await runYamlCases(scenario(headers), {
      change: (given, origin) => ({
        ...given,
        endpoints: { ...given.endpoints, userinfo: `${origin}/userinfo` },
        proof: program('echo "proof of $METHOD by $CLIENT"'),
        userinfoProof,
      }),
    });
    const sent = ran.cases['asks']?.messages.find(({ kind }) => kind === 'exchange');
    expect(readFileSync(ran.journal, 'utf8')).not.toContain('proof of GET');
    return sent?.request.headers.map(([name]) => name);
  }

  test('gets one with every request, whose step does not write the header itself', async () => {
    expect(await headersSent('', true)).toContain('x-authorization');
    expect(await headersSent(', X-Authorization: null', true)).not.toContain('x-authorization');
    expect(await headersSent('', false)).not.toContain('x-authorization');
  });
});
