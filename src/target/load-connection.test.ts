import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createWorkbench } from './testing/load-with.ts';

const { loadWith, remove } = createWorkbench();
afterAll(remove);

describe('how a cancellation is sent', () => {
  test('by default: POST of a form', () => {
    expect(loadWith({}, { cancel: {} }, { A: '1' }).target?.cancel).toEqual({
      method: 'POST',
      as: 'form',
      member: 'auth_req_id',
      env: { A: '1' },
    });
    expect(loadWith({}).target).not.toHaveProperty('cancel');
  });

  test('with every key', () => {
    const endpoints = {
      server_initiated: 'https://op.carrier.test/si',
      cancel: 'https://op.carrier.test/requests/{auth_req_id}',
    };
    const cancel = {
      method: 'DELETE',
      as: 'json',
      member: 'id',
      parameters: { reason: 'changed', client_assertion: null },
      headers: { authorization: 'Bearer {{ env.TOKEN }}' },
    };
    const { target, problems } = loadWith({}, { endpoints, cancel }, { TOKEN: 'hush' });
    expect(problems).toEqual([]);
    expect(target?.endpoints['cancel']).toBe('https://op.carrier.test/requests/{auth_req_id}');
    expect(target?.cancel).toMatchObject({ method: 'DELETE', as: 'json', member: 'id' });
    expect(target?.cancel?.parameters?.map(([name]) => name)).toEqual(['reason', 'client_assertion']);
    expect(target?.cancel?.headers?.map(([name]) => name)).toEqual(['authorization']);
  });
});

test('a proxy: with a "%" that begins no escape is a mistake of the file, and shows no password', () => {
  const env = { PROXY: 'http://user:hush%zz-hush@proxy.test:3128' };
  const { problems } = loadWith({}, { proxy: { env: 'PROXY' } }, env);
  expect(problems.map(({ message }) => message)).toEqual([
    'the user name or password has a "%" that begins no escape: write it as %25',
  ]);
  expect(JSON.stringify(problems)).not.toContain('hush%zz');
  expect(loadWith({}, { proxy: { env: 'PROXY' } }, { PROXY: 'http://u:50%25@proxy.test' }).problems).toEqual([]);
});

describe('a receiver with a wrong certificate', () => {
  const withWrong = (wrong: object, env = {}) => loadWith({}, { receiver: { wrong_certificate: wrong } }, env);

  test('listens on the port of its URI unless said', () => {
    const wrongOf = (wrong: object, env = {}) => withWrong(wrong, env).target?.receiver.wrongCertificate;
    const uri = 'https://sp.test:8444/notify';
    expect(wrongOf({ uri })).toEqual({ host: '127.0.0.1', port: 8444, uri });
    expect(wrongOf({ uri: 'https://sp.test/notify' })?.port).toBe(443);
    expect(wrongOf({ uri: { env: 'URI' }, host: '0.0.0.0', port: 9000 }, { URI: uri })).toEqual({
      host: '0.0.0.0',
      port: 9000,
      uri,
    });
    expect(loadWith({}).target?.receiver).not.toHaveProperty('wrongCertificate');
  });

  test('must have an https URI', () => {
    expect(withWrong({ uri: 'http://sp.test/notify' }).problems).toMatchObject([
      { code: 'bad-value', message: 'a receiver without TLS shows no certificate: write an https URI' },
    ]);
  });
});

test.each([
  ['5/s', 5],
  ['90/m', 1.5],
  ['7200/h', 2],
])('a rate of %s is %d requests a second', (rate, perSecond) => {
  expect(loadWith({}, { rate_limit: rate }).target?.rateLimit).toBeCloseTo(perSecond, 9);
});

describe('hours', () => {
  const problemOf = (extra: Readonly<Record<string, unknown>>) =>
    loadWith({}, extra).problems.map(({ code, message }) => [code, message]);

  test('are read in seconds of the day', () => {
    const { target, problems } = loadWith({}, { hours: '09:00-17:30' });
    expect(problems).toEqual([]);
    expect(target?.hours).toEqual({ from: 32_400, to: 63_000, text: '09:00-17:30' });
  });

  test('that are none, have no length, or stand beside a virtual clock are mistakes of the file', () => {
    expect(problemOf({ hours: '9-17' })).toEqual([
      ['bad-value', expect.stringContaining('hours such as 09:00-17:00') as unknown],
    ]);
    expect(problemOf({ hours: '09:00-09:00' })).toEqual([
      [
        'bad-value',
        'the hours begin and end at the same time, so no case could begin: write two different times, such as 09:00-17:00',
      ],
    ]);
    const clock = {
      read: { http: { url: 'http://op.carrier.test/clock' } },
      advance: { http: { url: 'http://op.carrier.test/clock' } },
    };
    expect(problemOf({ hours: '09:00-17:00', clock })).toEqual([
      ['bad-value', 'on a virtual clock no day passes, so hours mean nothing: leave them out'],
    ]);
  });
});

describe('authentication of deliveries', () => {
  const pem = (name: string) => ({ file: join(process.cwd(), `fixtures/broken-targets/00-valid/tls/${name}.pem`) });
  const tls = { cert: pem('server'), key: pem('server-key') };
  const withReceiver = (receiver: object) => loadWith({}, { receiver });

  test.each([
    '192.0.2.7',
    '192.0.2.0/24',
    '192.0.2.7/32',
    '2001:db8::7',
    '2001:db8::/32',
    '::1/128',
    '::ffff:192.0.2.7',
  ])('an address or a range: %s', (source) => {
    const { target, problems } = withReceiver({ sources: [source] });
    expect(problems).toEqual([]);
    expect(target?.receiver.sources).toEqual([source]);
  });

  test.each(['0.0.0.0/0', '::/0', '192.0.2.7/0'])('a range of all addresses is refused: %s', (source) => {
    expect(withReceiver({ sources: [source] }).problems).toMatchObject([
      { code: 'bad-value', message: `"${source}" is every address: it keeps no sender out` },
    ]);
  });

  test.each(['192.0.2.7/33', '2001:db8::/129', '192.0.2.7/24/24'])('what is no range is refused: %s', (source) => {
    expect(withReceiver({ sources: [source] }).problems).toMatchObject([
      {
        code: 'bad-value',
        message: `${JSON.stringify(source)} is no address and no CIDR range, as 192.0.2.0/24 is one`,
      },
    ]);
  });

  test('an empty list is refused', () =>
    expect(withReceiver({ sources: [] }).problems).toMatchObject([
      { code: 'bad-value', message: '"sources" must not be empty' },
    ]));

  test('client certificate authorities, and the default', () => {
    const { target, problems } = withReceiver({ tls, clients: { ca: pem('ca') } });
    expect(problems).toEqual([]);
    expect(target?.receiver.clientAuthorities).toContain('BEGIN CERTIFICATE');
    expect(withReceiver({}).target?.receiver).toEqual({ host: '127.0.0.1', port: 0 });
  });

  test.each<[string, object, string]>([
    ['a private key', { tls, clients: { ca: pem('server-key') } }, 'key-unusable'],
    ['no authority', { tls, clients: {} }, 'missing-key'],
  ])('%s', (_, receiver, code) =>
    expect(withReceiver(receiver).problems.map((problem) => problem.code)).toEqual([code]),
  );
});
