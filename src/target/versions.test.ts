import { afterAll, describe, expect, test } from 'vitest';
import { renderProblem } from '../suite/yaml/problems.ts';
import { createWorkbench } from './testing/load-with.ts';

const { loadWith, loadText, remove } = createWorkbench();
afterAll(remove);

const attestation = { by: 'test lab', on: '2026-11-01', evidence: { text: 'ticket 4711' } };
const subs = { main: '001010-a' };

const version1 = {
  deadline: '20s',
  patience: '1m',
  subscribers: { first: { traits: ['consented'], subs } },
  attestations: { 'REQ-060': { ...attestation, says: 'It is so.' } },
};
const version2 = {
  request_timeout: '20s',
  delivery_timeout: '1m',
  subscribers: { first: { tags: ['consented'], subs } },
  attestations: { 'REQ-060': { ...attestation, description: 'It is so.' } },
};

describe('a target file of version 1', () => {
  test('is read as the same file of version 2', () => {
    const [old, now] = [loadWith({}, version1), loadWith({}, version2)];
    expect([old.problems, now.problems]).toEqual([[], []]);
    const comparable = ({ target }: typeof now) => ({ ...target, attestations: undefined });
    expect(comparable(old)).toEqual(comparable(now));
    const attested = ({ target }: typeof now) => target?.attestations?.map((one) => ({ ...one, place: undefined }));
    expect(attested(old)).toEqual(attested(now));
    expect(now.renamed).toEqual([]);
  });

  test('gives the names it uses, with their places', () => {
    const { renamed } = loadWith({}, version1);
    expect(renamed.map(({ from, to, position: { line, column } }) => [from, to, line, column])).toEqual([
      ['traits', 'tags', 18, 7],
      ['deadline', 'request_timeout', 26, 3],
      ['patience', 'delivery_timeout', 27, 3],
      ['says', 'description', 35, 7],
    ]);
  });

  test('shows its own names beside a mistake', () => {
    const { problems } = loadText('carrier: A\ndeadline: 10\n');
    expect(problems.map((problem) => renderProblem(problem)).join('\n')).toContain('2 | deadline: 10\n');
  });
});

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
