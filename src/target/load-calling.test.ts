import { afterAll, describe, expect, test } from 'vitest';
import { createWorkbench } from './testing/load-with.ts';

const { loadWith, remove } = createWorkbench();
afterAll(remove);

describe('how a cancellation is sent', () => {
  test('nothing said: a form that is POSTed', () => {
    expect(loadWith({}, { cancel: {} }, { A: '1' }).target?.cancel).toEqual({
      method: 'POST',
      as: 'form',
      member: 'auth_req_id',
      env: { A: '1' },
    });
    expect(loadWith({}).target).not.toHaveProperty('cancel');
  });

  test('everything said', () => {
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

  test('is of https', () => {
    expect(withWrong({ uri: 'http://sp.test/notify' }).problems).toMatchObject([
      { code: 'bad-value', message: 'a receiver without TLS shows no certificate: write an https URI' },
    ]);
  });
});
