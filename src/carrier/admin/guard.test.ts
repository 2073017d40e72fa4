import { request } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSetup, type TestSetup } from '../testing/setup.ts';

let setup: TestSetup;
beforeEach(async () => {
  setup = await openSetup();
});
afterEach(() => setup.close());

type Headers = Readonly<Record<string, string>>;

/** Status of a request to the admin API with these header fields. */
function ask(path: string, method: string, headers: Headers): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(`${setup.carrier.adminOrigin}${path}`, {
      method,
      headers,
      setHost: headers['host'] === undefined,
    });
    sent.once('response', (response) => {
      response.resume().once('end', () => resolve(response.statusCode));
    });
    sent.once('error', reject).end();
  });
}

const portOf = (): string => new URL(setup.carrier.adminOrigin).port;

test('pages of other sites change and read nothing', async () => {
  const browsers: readonly Headers[] = [
    { origin: 'http://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site', origin: 'http://localhost:1' },
    { origin: `http://localhost:${portOf()}` },
  ];
  for (const headers of browsers) {
    expect([headers, await ask('/keys/rotate', 'POST', headers)]).toEqual([headers, 403]);
    expect([headers, await ask('/audit', 'GET', headers)]).toEqual([headers, 403]);
  }
});

test('a name that a DNS leads here is no host of it', async () => {
  for (const host of [
    'evil.example',
    `evil.example:${portOf()}`,
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    '10.0.0.1',
    '',
  ]) {
    expect([host, await ask('/audit', 'GET', { host })]).toEqual([host, 421]);
  }
});

test('programs, curl and an address that a person types are answered', async () => {
  const port = portOf();
  const asked: readonly Headers[] = [
    {},
    { host: `localhost:${port}` },
    { host: `[::1]:${port}` },
    { 'sec-fetch-mode': 'cors' },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': 'same-origin', origin: `http://127.0.0.1:${port}` },
  ];
  for (const headers of asked)
    expect([headers, await ask('/subscribers/first/open-app', 'POST', headers)]).toEqual([headers, 200]);
});
