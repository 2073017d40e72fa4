import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { requireAct } from '../../testing/parts/require-act.ts';
import { suiteHead, loadText, oneCase, testScope, standingInvariant } from '../../testing/parts/load-text.ts';

const misses = `
characters: { ends: { line-feed: "\\n", quote: "'" } }
places: { before: "concat(odd, right)", after: "concat(right, odd)" }
values: { parts: { shorter: "unlisted(among, cut(right, 1), cut(right, 2))", beginning: "head(right, 2)" } }
`;

const loadNear = (yaml: string, table = misses) =>
  loadText({ 'near-misses.yaml': table, 'area/a.suite.yaml': suiteHead + yaml + standingInvariant });

async function sentBy(rest: string): Promise<Readonly<Record<string, unknown>>> {
  const { suites, problems } = await loadNear(oneCase(rest));
  expect(problems).toEqual([]);
  const steps = suites.cases.flatMap((one) => one.steps);
  const claimsOf = (step: (typeof steps)[number]) => requireAct(step, 'authorize').difference.claims ?? [];
  return Object.fromEntries(
    steps.map((step) => [step.name, claimsOf(step).map(([name, value]) => [name, value.evaluate(testScope)])]),
  );
}

describe('near', () => {
  test('a step is done once for each near miss of its groups and names, under its own name and that of the near miss', async () => {
    const step = `{ as: hint, near: { of: "'abc'", by: [ends, beginning] }, authorize: { claims: { login_hint: "x{{ near }}" } }, expect: accepted }`;
    expect(await sentBy(`steps: [${step}]`)).toEqual({
      'hint-line-feed-before': [['login_hint', 'x\nabc']],
      'hint-line-feed-after': [['login_hint', 'xabc\n']],
      'hint-quote-before': [['login_hint', "x'abc"]],
      'hint-quote-after': [['login_hint', "xabc'"]],
      'hint-beginning': [['login_hint', 'xab']],
    });
  });

  test('characters of one place are a group, and a step without a name is called by its number', async () => {
    const step = `{ near: { of: "'abc'", by: [ends-after] }, authorize: { claims: { state: "{{ concat(near, near) }}" } }, expect: accepted }`;
    expect(await sentBy(`steps: [{ authorize: {} }, ${step}]`)).toEqual({
      step1: [],
      'step2-line-feed-after': [['state', 'abc\nabc\n']],
      'step2-quote-after': [['state', "abc'abc'"]],
    });
  });

  test('a near miss is none of the right values', async () => {
    const step = (among: string) =>
      `{ near: { of: "'abc'", among: "${among}", by: [shorter] }, authorize: { claims: { state: "{{ near }}" } }, expect: accepted }`;
    expect(await sentBy(`steps: [${step("'abc'")}]`)).toEqual({ 'step1-shorter': [['state', 'ab']] });
    expect(await sentBy(`steps: [${step("'ab'")}]`)).toEqual({ 'step1-shorter': [['state', 'a']] });
  });

  test('a row reads the near miss, and gives the right value', async () => {
    const each = `each: { state: { claims: { state: "{{ near }}" }, with: { right: abc } } }`;
    const step = `{ near: { of: each.right, by: [beginning] }, authorize: each, expect: accepted }`;
    const { suites, problems } = await loadNear(oneCase(`${each}, steps: [${step}]`));
    expect(problems).toEqual([]);
    const [first] = suites.cases[0]?.steps ?? [];
    const [[name, value] = []] = requireAct(first, 'authorize').difference.claims ?? [];
    const scope = { ...testScope, root: (root: string) => (root === 'each' ? { right: 'abc' } : testScope.root(root)) };
    expect([name, value?.evaluate(scope)]).toEqual(['state', 'ab']);
  });

  test.each([
    ['by: [shorted]', misses, 'there is no near miss "shorted"'],
    ['by: [beginning]', misses.replace('head(right, 2)', 'head(right, é)'), '"é" means nothing here'],
    ['by: [beginning]', misses.replace('head(right, 2)', 'head(wrong, 2)'), 'there is no "wrong" here'],
  ])('%s is a mistake of the suite', async (by, table, message) => {
    const step = `{ near: { of: "'abc'", ${by} }, authorize: { claims: { state: "{{ near }}" } } }`;
    const { problems } = await loadNear(oneCase(`steps: [${step}]`), table);
    expect(problems.map((problem) => problem.message)).toContain(message);
  });
});

test('no near miss that ships is the right value, whatever that is', async () => {
  const by = '[another, control, blank, invisible, rewritten]';
  const table = readFileSync('suites/near-misses.yaml', 'utf8');
  for (const right of ['a', 'ab', '123456789012', '001010-AbC', 'https://sp.test/cb/']) {
    const step = `{ as: x, near: { of: "'${right}'", by: ${by} }, authorize: { claims: { state: "{{ near }}" } }, expect: accepted }`;
    const { suites, problems } = await loadNear(oneCase(`steps: [${step}]`), table);
    expect(problems).toEqual([]);
    const sent = (suites.cases[0]?.steps ?? []).map((one) =>
      requireAct(one, 'authorize').difference.claims?.[0]?.[1].evaluate(testScope),
    );
    expect(sent).toHaveLength(41);
    expect(sent).not.toContain(right);
  }
});
