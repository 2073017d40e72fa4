import { describe, expect, test } from 'vitest';
import type { ExecDriver, HttpDriver } from '../../model/target.ts';
import { MissingValue } from '../../model/suite.ts';
import { buildScope, buildTemplate, buildTemplates } from '../../testing/parts/templates.ts';
import { driverCommand, driverRequest, OptionLikeArgument } from './driver-call.ts';

const roots = ['request', 'with', 'env'];
const driver = (argv: readonly string[], parts: Partial<ExecDriver> = {}): ExecDriver => {
  const [program = '', ...args] = argv;
  return {
    kind: 'exec',
    argv: [buildTemplate(program, roots), ...args.map((one) => buildTemplate(one, roots))],
    variables: [],
    folder: '/lab',
    timeout: 2,
    done: [0],
    impossible: [],
    env: { PATH: '/bin', HOME: '/root', TOKEN: 'hush', FLAG: '-v' },
    ...parts,
  };
};
const scope = (id: string) =>
  buildScope({ request: { body: { auth_req_id: id } }, with: { scopes: ['a', 'b'] }, env: { FLAG: '-v' } });

describe('the program of a driver', () => {
  test('arguments with their values, and no more of our environment than a program needs', () => {
    const variables = buildTemplates({ ID: '{{ request.body.auth_req_id }}', KID: '{{ with.kid }}', N: 5 }, roots);
    const argv = ['./x.sh', '--id={{ request.body.auth_req_id }}', '{{ with.scopes }}', '{{ env.FLAG }}', '-q'];
    expect(driverCommand(driver(argv, { variables }), scope('ccid-1; rm -rf /'))).toEqual({
      argv: ['./x.sh', '--id=ccid-1; rm -rf /', '["a","b"]', '-v', '-q'],
      env: { PATH: '/bin', HOME: '/root', ID: 'ccid-1; rm -rf /', N: '5' },
      folder: '/lab',
      timeout: 2000,
    });
  });

  test('a value of the carrier does not become an option', () => {
    const argv = ['./x.sh', 'a', '{{ request.body.auth_req_id }}'];
    expect(() => driverCommand(driver(argv), scope('--upload=/etc'))).toThrow(new OptionLikeArgument(2));
    expect(driverCommand(driver(argv), scope('ccid-1')).argv).toEqual(['./x.sh', 'a', 'ccid-1']);
  });

  test('an argument whose value is not there cannot be given', () => {
    expect(() => driverCommand(driver(['./x.sh', '{{ with.kid }}']), scope('1'))).toThrow(new MissingValue('with.kid'));
  });
});

describe('the URL of a driver', () => {
  const urlOf = (url: string, id: unknown, env = 'https://lab.test/a/../admin/'): string => {
    const call: HttpDriver = {
      kind: 'http',
      method: 'GET',
      url: buildTemplate(url, [...roots, 'subscriber']),
      done: [200],
      impossible: [],
      env: {},
    };
    const values = { request: { id }, with: { one: 'a' }, subscriber: { name: 'first' }, env: { LAB: env } };
    return driverRequest(call, buildScope(values)).url;
  };
  const approve = 'https://lab.test/requests/{{ request.id }}/approve';

  test.each([
    ['r1', 'https://lab.test/requests/r1/approve'],
    ['a/../b', 'https://lab.test/requests/a%2F..%2Fb/approve'],
    ['%2e%2e', 'https://lab.test/requests/%252e%252e/approve'],
    ['...', 'https://lab.test/requests/.../approve'],
    ['..;x', 'https://lab.test/requests/..%3Bx/approve'],
    ['?x#y\\z', 'https://lab.test/requests/%3Fx%23y%5Cz/approve'],
    [7, 'https://lab.test/requests/7/approve'],
  ])('%s is one segment', (id, url) => {
    expect(urlOf(approve, id)).toBe(url);
    expect(new URL(url).pathname.split('/')).toHaveLength(4);
  });

  test.each<[string, string, string]>([
    ['.', approve, 'another path'],
    ['..', approve, 'another path'],
    ['', approve, 'another path'],
    ['.', 'https://lab.test/requests/.{{ request.id }}', 'another path'],
    ['.', 'https://lab.test/requests/%2E{{ request.id }}?a=b', 'another path'],
    ['.', 'https://lab.test/{{ request.id }}{{ request.id }}/x', 'another path'],
    ['..', '{{ env.LAB }}{{ request.id }}', 'another path'],
    ['evil.test', 'https://{{ request.id }}/x', 'in the host'],
    ['1', 'https://lab.test:80{{ request.id }}/x', 'would be none'],
    ['a', '{{ request.id }}/x', 'would be none'],
  ])('%j in %s is not called', (id, url, why) => expect(() => urlOf(url, id)).toThrow(why));

  test("the operator's own values may be anything, and what is in no path too", () => {
    expect(urlOf('{{ env.LAB }}/{{ request.id }}', 'r1')).toBe('https://lab.test/a/../admin//r1');
    expect(urlOf('https://{{ subscriber.name }}.lab.test/?of={{ request.id }}', '..')).toBe(
      'https://first.lab.test/?of=..',
    );
    expect(urlOf('https://lab.test/x#{{ request.id }}', '.')).toBe('https://lab.test/x#.');
  });
});
