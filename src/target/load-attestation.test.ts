import { createHash } from 'node:crypto';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { createWorkbench } from './testing/load-with.ts';

const { write, loadWith, remove } = createWorkbench();
afterAll(remove);

const valid = {
  by: 'test lab',
  on: '2026-11-01',
  description: 'The entry is there.',
  evidence: { text: 'ticket 4711' },
};
const load = (parts: Readonly<Record<string, unknown>>) =>
  loadWith({}, { attestations: { 'REQ-060': { ...valid, ...parts } } });
const said = (parts: Readonly<Record<string, unknown>>) =>
  load(parts).problems.map(({ code, message }) => [code, message]);

describe('attestations', () => {
  test('a text as evidence, and the place of the rule', () => {
    const { target, problems } = load({});
    expect(problems).toEqual([]);
    const [first] = target?.attestations ?? [];
    expect(first).toMatchObject({ rule: 'REQ-060', ...valid, evidence: 'ticket 4711' });
    expect(first).not.toHaveProperty('sha256');
    expect(first?.place.sourceLine).toBe('    "REQ-060": {');
    expect(first?.place.position).toMatchObject({ line: 27, column: 5 });
  });

  test('a file as evidence, by its digest', () => {
    write('log.pdf', 'what the log says');
    const sha256 = `sha256:${createHash('sha256').update('what the log says').digest('hex')}`;
    expect(load({ evidence: 'log.pdf' }).target?.attestations).toMatchObject([{ evidence: 'log.pdf', sha256 }]);
  });

  test('without attestations the list is empty', () => expect(loadWith({}).target?.attestations).toEqual([]));

  test.each([
    ['2026-03-01T09:59:59Z', ['bad-value']],
    ['2026-03-01T10:00:00Z', []],
  ])('at %s the second of March has begun in the first time zone: %j', (now, codes) => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(now) });
    try {
      expect(said({ on: '2026-03-02' }).map(([code]) => code)).toEqual(codes);
    } finally {
      vi.useRealTimers();
    }
  });

  test.each([['/dev/zero', '/dev/zero cannot be read: it is a device, and no regular file']])(
    'not by %s',
    (evidence, message) => expect(said({ evidence })).toEqual([['file-unreadable', message]]),
  );
});
