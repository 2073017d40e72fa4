import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readResult } from '../../journal/read-result.ts';
import { runCli } from '../../testing/program/run-cli.ts';
import { makeFolder, writeFolder } from '../../testing/program/target-file.ts';

/** Takes time exponential in the length of an id. */
const slow = '{ properties: { auth_req_id: { pattern: "^ccid-(([A-Za-z0-9_-])+)+!$" } } }';

const own = {
  'own.suite.yaml': `suite: Own patterns
invariants:
  - id: slow-invariant
    title: Every id is of a form
    rule: RSP-003
    on: accepted
    expect:
      - body: ${slow}
    seenIn: [plain-request]
cases:
  - id: slow-case
    title: An id is of a form
    rule: RSP-003
    each:
      one: { claims: {} }
      two: { claims: {} }
      three: { claims: {} }
    steps:
      - authorize: each
        expect: [accepted, { body: ${slow.replace('!$', '#$')} }]
`,
};

test('a slow pattern of an own suite costs its own verdicts once, and those of no other case', async () => {
  const out = makeFolder();
  const { code, stdout, stderr } = await runCli(
    ['run', 'FLOW-*', 'slow-invariant', 'slow-case', '--suites', writeFolder(own), '--out', out],
    { timeLimit: 100_000 },
  );
  expect(code, stderr).toBe(4);
  const { cases, invariants, footer } = readResult(join(out, 'result.json')).result;
  const why = (key: string): RegExp =>
    new RegExp(`${key}: a pattern in it took longer than 1 s on \\d+ characters, so the run does not try it again$`);
  const found = invariants.find(({ id }) => id === 'slow-invariant');
  expect(found).toMatchObject({ verdict: 'inconclusive', judged: 0, violations: 0 });
  expect(found?.unjudged).toBeGreaterThan(10);
  expect(found?.reason).toMatch(
    /^(\d+) of \1 messages could not be judged: \S*own\.suite\.yaml:8:9: the schema of body cannot judge: /,
  );
  expect(found?.reason).toMatch(why('the schema of body cannot judge'));
  const undecided = [...cases].filter(({ verdict }) => verdict === 'inconclusive');
  expect(undecided.map(({ id }) => id)).toEqual(['slow-case/one', 'slow-case/two', 'slow-case/three']);
  for (const { reason } of undecided) expect(reason).toMatch(why('the schema of body cannot judge'));
  expect(stderr).not.toContain('stood still');
  expect(stdout).toContain('own.suite.yaml:8:9');
  // Two patterns take a second each; the messages of the run would take many.
  expect(footer?.wallMilliseconds).toBeLessThan(60_000);
}, 100_000);
