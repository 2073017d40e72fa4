import process from 'node:process';
import { testedInterface } from '../testing/parts/tested-interface.ts';
import { describe, expect, test } from 'vitest';
import { acceptedStep, suiteHead, loadText, oneCase, standingInvariant } from '../testing/parts/load-text.ts';
import { loadSuiteFolders } from './load.ts';

describe('suites', () => {
  test('rules as they are written, and invariants seen in every row of a matrix', async () => {
    const { suites, problems } = await loadText({
      'area/a.suite.yaml': `suite: A suite
cases:
  - { id: one, title: One, rule: REQ-001, each: { a: { drop: [sub] }, b: { drop: [jti] } }, steps: [{ authorize: each, expect: accepted }] }
${standingInvariant}`,
    });
    expect(problems).toEqual([]);
    expect(suites.rules).toMatchObject([
      { id: 'REQ-001', area: 'area', aspects: [{ id: 'near', level: 'recommended', description: 'It nearly holds.' }] },
      {
        id: 'REQ-002',
        level: 'informational',
        interpretation: 'A1.',
        judged: 'invariant',
        position: { line: 10, column: 11 },
      },
    ]);
    expect(suites.invariants).toMatchObject([{ id: 'standing', on: 'response', seenIn: ['one/a', 'one/b'] }]);
    expect(suites.files).toEqual(['area/a.suite.yaml', 'area/rules.yaml']);
  });

  test('what is attested is judged by cases that require what the rule names, and by no others', async () => {
    const attested =
      '{ id: REQ-001, clause: "1", level: required, description: It holds., judged: attested, rationale: r }';
    const loadOne = async (rule: string, needs: string): Promise<readonly string[]> => {
      const { problems } = await loadText({
        'area/rules.yaml': `area: area\ntitle: An area\nrules:\n  - ${rule}\n`,
        'area/a.suite.yaml': suiteHead + oneCase(`requires: [${needs}], ${acceptedStep}`),
      });
      return problems.map(({ message }) => message);
    };
    const shown = attested.replace('rationale: r', 'rationale: r, requires: wrong-receiver');
    expect(await loadOne(shown, 'wrong-receiver')).toEqual([]);
    expect(await loadOne(shown, '')).toEqual([
      'REQ-001 is judged by cases that require wrong-receiver, and this one does not',
    ]);
    expect(await loadOne(attested, 'wrong-receiver')).toEqual([
      'REQ-001 is said to be attested, yet this case judges it',
    ]);
  });

  test('the digests change with the bytes, not with the place', async () => {
    const files = { 'area/a.suite.yaml': suiteHead + oneCase(acceptedStep) + standingInvariant };
    const { digests } = (await loadText(files)).suites;
    expect(digests.rules).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect((await loadText(files)).suites.digests).toEqual(digests);
    const other = (await loadText({ 'area/a.suite.yaml': `${files['area/a.suite.yaml']}# ` })).suites.digests;
    expect(other.rules).toBe(digests.rules);
    expect(other.suites).not.toBe(digests.suites);
  });

  test('a suite that is no YAML does not make other files look wrong', async () => {
    const { problems } = await loadText({
      'area/a.suite.yaml': 'suite: "',
      'area/b.suite.yaml': `suite: B${standingInvariant}`,
    });
    expect(problems.map(({ code }) => code)).toEqual(['yaml-syntax']);
  });

  test('neither do rules', async () => {
    const { problems } = await loadText({
      'area/rules.yaml': 'area: [',
      'area/a.suite.yaml': suiteHead + oneCase(acceptedStep) + standingInvariant,
    });
    expect(new Set(problems.map(({ position }) => position.file.split('/').at(-1)))).toEqual(new Set(['rules.yaml']));
  });

  test('a folder that is not there is a problem', async () => {
    const { problems } = await loadSuiteFolders({
      dirs: ['fixtures/broken/00-sound', 'fixtures/none'],
      interface: testedInterface,
      tampers: new Set(),
    });
    const unread = problems.filter(({ code }) => code === 'file-unreadable').map(({ position }) => position.file);
    expect(unread).toEqual(['fixtures/broken/00-sound/base-request.yaml', 'fixtures/none']);
  });
});

test('2,500 cases take time in proportion', { timeout: 120_000 }, async () => {
  const many = (cases: number) =>
    suiteHead +
    Array.from(
      { length: cases },
      (_, index) => `  - id: case-${index}
    title: A repeated jti is denied
    rule: REQ-001
    steps:
      - { as: first, authorize: {}, expect: accepted, control: true }
      - { at: first + 4m30s, authorize: { claims: { jti: "{{ first.claims.jti }}" } }, expect: denied }
`,
    ).join('') +
    standingInvariant.replace('seenIn: [one]', 'seenIn: [case-0]');
  const time = async (cases: number) => {
    const text = many(cases);
    const before = process.cpuUsage();
    const { suites, problems } = await loadText({ 'area/a.suite.yaml': text });
    const { user, system } = process.cpuUsage(before);
    expect(problems).toEqual([]);
    expect(suites.cases).toHaveLength(cases);
    return user + system;
  };
  await time(250);
  const small = await time(500);
  expect(await time(2_500)).toBeLessThan(small * 5 * 3);
});

test('a case of more steps than one can need is reported at the first of them that is too many', async () => {
  const steps = '      - { authorize: {}, expect: accepted }\n'.repeat(502);
  const text = `${suiteHead}  - id: one\n    title: One\n    rule: REQ-001\n    steps:\n${steps}${standingInvariant}`;
  const { problems } = await loadText({ 'area/a.suite.yaml': text });
  expect(problems.map(({ message, position }) => [message, position.line])).toEqual([
    ['a case has at most 500 steps, not 502', 507],
  ]);
});
