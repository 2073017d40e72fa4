import { describe, expect, test } from 'vitest';
import type { ExecDriver } from '../../model/target.ts';
import { MissingValue } from '../../model/template.ts';
import { scopeOf, template, templates } from '../../testing/templates.ts';
import { commandOf, LooksLikeOption } from './driver-call.ts';

const roots = ['request', 'with', 'env'];
const driver = (argv: readonly string[], parts: Partial<ExecDriver> = {}): ExecDriver => {
  const [program = '', ...args] = argv;
  return {
    kind: 'exec',
    argv: [template(program, roots), ...args.map((one) => template(one, roots))],
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
  scopeOf({ request: { body: { auth_req_id: id } }, with: { scopes: ['a', 'b'] }, env: { FLAG: '-v' } });

describe('the program of a driver', () => {
  test('arguments with their values, and no more of our environment than a program needs', () => {
    const variables = templates({ ID: '{{ request.body.auth_req_id }}', KID: '{{ with.kid }}', N: 5 }, roots);
    const argv = ['./x.sh', '--id={{ request.body.auth_req_id }}', '{{ with.scopes }}', '{{ env.FLAG }}', '-q'];
    expect(commandOf(driver(argv, { variables }), scope('ccid-1; rm -rf /'))).toEqual({
      argv: ['./x.sh', '--id=ccid-1; rm -rf /', '["a","b"]', '-v', '-q'],
      env: { PATH: '/bin', HOME: '/root', ID: 'ccid-1; rm -rf /', N: '5' },
      folder: '/lab',
      timeout: 2000,
    });
  });

  test('a value of the carrier does not become an option', () => {
    const argv = ['./x.sh', 'a', '{{ request.body.auth_req_id }}'];
    expect(() => commandOf(driver(argv), scope('--upload=/etc'))).toThrow(new LooksLikeOption(2));
    expect(commandOf(driver(argv), scope('ccid-1')).argv).toEqual(['./x.sh', 'a', 'ccid-1']);
  });

  test('an argument whose value is not there cannot be given', () => {
    expect(() => commandOf(driver(['./x.sh', '{{ with.kid }}']), scope('1'))).toThrow(new MissingValue('with.kid'));
  });
});
