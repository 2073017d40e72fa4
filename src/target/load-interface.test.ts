import { afterAll, describe, expect, test } from 'vitest';
import { createWorkbench } from './testing/load-with.ts';

const { loadWith, loadText, remove } = createWorkbench();
afterAll(remove);

describe('the interface', () => {
  test.each([
    [undefined, { id: 'server-initiated' }],
    ['server-initiated', { id: 'server-initiated' }],
    ['server-initiated@1.0', { id: 'server-initiated', version: '1.0' }],
  ])('%s', (written, expected) => {
    const { target, problems } = loadWith({}, written === undefined ? {} : { interface: written });
    expect(problems).toEqual([]);
    expect(target?.interface).toEqual(expected);
  });

  test('that is not known', () => {
    const { target, problems } = loadText(
      'carrier: A\nmccmnc: "001010"\ndiscovery: https://op.test\ninterface: server-initated@1.0\n' +
        'clients: { a: { client_id: a, redirect_uris: ["app:cb"], notification_uris: [] } }\n' +
        'subscribers: { b: { tags: [consented], subs: {} } }\n',
    );
    expect(target).toBeUndefined();
    expect(problems.map(({ message, position: { line, column } }) => [message, line, column])).toEqual([
      ['there is no interface "server-initated"; did you mean "server-initiated"?', 4, 12],
    ]);
  });

  test('that is no id', () => {
    expect(loadWith({}, { interface: 'Server Initiated' }).problems.map(({ message }) => message)).toEqual([
      '"interface" must be the id of an interface such as server-initiated or server-initiated@1.0, not the string "Server Initiated"',
    ]);
  });
});
