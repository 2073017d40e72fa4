import { describe, expect, test } from 'vitest';
import { isJsonObject } from '../../lib/json.ts';
import { readSuites } from '../../setup/read-files.ts';
import { runCli } from '../../testing/program/run-cli.ts';
import { searchSelected } from './list.ts';

const lines = (text: string): string[] => text.trimEnd().split('\n');

async function list(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string[]> {
  const { code, stdout, stderr } = await runCli(['list', ...args], { env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return lines(stdout);
}

describe('list', () => {
  test('a rule stands on one line with all that it is', async () => {
    expect(await list(['REQ-014'])).toEqual([
      'rule     level     clause    judged by  description',
      expect.stringMatching(/^REQ-014 {2}required {2}§2\.3 jti {2}cases {6}\S.*$/),
    ]);
  });

  test('everything is listed without a selector, in the order of the interface', async () => {
    const ids = (await list([])).slice(1).map((line) => line.split(' ')[0] ?? '');
    expect(new Set(ids).size).toBe(ids.length);
    const ours = ids.filter((id) => id.startsWith('REQ-'));
    expect(ours).toEqual(ours.toSorted());
    expect(ids.indexOf('FLOW-001')).toBeLessThan(ids.indexOf('REQ-001'));
  });

  test('globs, areas and lower case select', async () => {
    expect((await list(['req-01?'])).slice(1).every((line) => line.startsWith('REQ-01'))).toBe(true);
    expect((await list(['callback'])).slice(1).map((line) => line.slice(0, 3))).toContain('CB-');
  });

  test('--kind case lists what a run of the selection runs', async () => {
    const title =
      'A request with a conflicting value beside its request object is accepted, or refused as an invalid request';
    expect(await list(['TRN-006', '--kind', 'case'])).toEqual([
      'case                                     rules    title',
      `conflicting-outside-value/client-id      TRN-006  ${title}`,
      `conflicting-outside-value/response-type  TRN-006  ${title}`,
      `conflicting-outside-value/state          TRN-006  ${title}`,
    ]);
  });

  test('where a width is known, nothing is wider', async () => {
    const narrow = await list(['REQ-*', '--kind', 'case'], { COLUMNS: '60' });
    expect(Math.max(...narrow.map((line) => line.length))).toBeLessThanOrEqual(60);
    const wide = await list(['REQ-*'], { COLUMNS: '100' });
    expect(Math.max(...wide.map((line) => line.length))).toBeLessThanOrEqual(100);
    expect(wide.length).toBeGreaterThan((await list(['REQ-*'])).length);
  });

  test('--kind coverage adds up, and no rule is left unjudged', async () => {
    const [head, ...rows] = await list(['--kind', 'coverage']);
    expect(head).toMatch(/^family +level +rules +cases +invariants +both +attested +untestable +unjudged$/);
    const counts = rows.map((row) => (row.match(/\b\d+\b/g) ?? []).map(Number));
    for (const [rules, ...ways] of counts) expect(ways.reduce((sum, way) => sum + way, 0)).toBe(rules);
    const total = counts.at(-1) ?? [];
    expect(total[0]).toBe((await list([])).length - 1);
    expect(total.at(-1)).toBe(0);
    const families = counts.slice(
      0,
      rows.findIndex((row) => row.startsWith('all ')),
    );
    expect(families.reduce((sum, [rules = 0]) => sum + rules, 0)).toBe(total[0]);
  });

  test('--kind fault has what each does and must turn; --json has the same rows', async () => {
    expect(await list(['--kind', 'fault', 'minutes', 'jti-kept-*-minutes'])).toEqual([
      'fault               breaks   description',
      'jti-kept-2-minutes  REQ-015  A jti is forgotten after 2 minutes.',
      'jti-kept-4-minutes  REQ-015  A jti is forgotten after 4 minutes.',
    ]);
    const [line = ''] = await list(['--kind', 'fault', 'minutes', 'jti-kept-*-minutes', '--json']);
    expect(JSON.parse(line)).toEqual({
      kind: 'fault',
      rows: [2, 4].map((minutes) => ({
        name: `jti-kept-${minutes}-minutes`,
        breaks: 'REQ-015',
        description: `A jti is forgotten after ${minutes} minutes.`,
      })),
    });
  });

  test.each([
    ['case', 2],
    ['fault', 30],
    ['freedom', 30],
  ])('a pipe gets no long list of names in a line of --kind %s', async (kind, least) => {
    const rows = (await list(['--kind', kind])).slice(1);
    const shortened = rows.filter((row) => / and \d+ more {2,}/.test(row));
    expect(shortened.length).toBeGreaterThan(least);
    const names = rows.map((row) => row.split(/ {2,}/)[1] ?? '');
    expect(Math.max(...names.map((text) => text.length))).toBeLessThan(70);
  });

  test('a fault is one short line in a pipe, and --json has all rules that it breaks', async () => {
    const rows = await list(['--kind', 'fault']);
    expect(Math.max(...rows.map((row) => row.length))).toBeLessThan(210);
    const [line = ''] = await list(['--kind', 'fault', 'error-500', '--json']);
    expect(line).not.toMatch(/and \d+ more/);
  });

  test.each([
    ['rule', ['REQ-014', '--json']],
    ['case', ['jti-absent', '--kind', 'case', '--json']],
    ['coverage', ['--kind', 'coverage', '--json']],
    ['family', ['--kind', 'family', '--json']],
    ['limit', ['--kind', 'limit', '--json']],
  ])('--json of %s is one document', async (kind, args) => {
    const document: unknown = JSON.parse((await list(args)).join('\n'));
    expect(document).toMatchObject({ kind });
    expect(isJsonObject(document) && Array.isArray(document['rows']) && document['rows'].length > 0).toBe(true);
  });

  test('a word that is nowhere has near names', async () => {
    const { code, stderr } = await runCli(['list', 'jti', 'replys']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^carrierspec: nothing has all of jti, replys; did you mean /);
  });
});

test('searchSelected: a word that is no name is searched; a name beside it selects, or is searched as well', async () => {
  const suites = await readSuites([]);
  const ids = (...what: string[]) => searchSelected(suites, { what, level: 'informational' }).rules.map(({ id }) => id);
  expect(ids('jti', 'used', 'within')).toEqual(['REQ-015']);
  expect(ids('REQ-*', 'jti')).toEqual(['REQ-014', 'REQ-015', 'REQ-016']);
  expect(ids('replay', 'jti')).toContain('SEC-42');
  expect(ids('REQ-014', 'REQ-015')).toEqual(['REQ-014', 'REQ-015']);
});
