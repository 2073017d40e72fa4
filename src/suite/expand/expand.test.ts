import { describe, expect, test } from 'vitest';
import { loadText, oneCase, standingInvariant, suiteHead, testScope } from '../../testing/parts/load-text.ts';
import { requireAct } from '../../testing/parts/require-act.ts';

const load = async (rest: string, files: Readonly<Record<string, string>> = {}) => {
  const { suites, problems } = await loadText({ ...files, 'area/a.suite.yaml': suiteHead + rest + standingInvariant });
  expect(problems).toEqual([]);
  return suites.cases;
};

/** Claims that the steps of a text send, by the name of the case and of the step. */
async function claimsOf(rest: string, files?: Readonly<Record<string, string>>) {
  const cases = await load(oneCase(rest), files);
  return cases.flatMap(({ id, steps }) =>
    steps.map((step) => {
      const claims = requireAct(step, 'authorize').difference.claims ?? [];
      return [
        `${id} ${step.name}`,
        Object.fromEntries(claims.map(([name, value]) => [name, value.evaluate(testScope)])),
      ];
    }),
  );
}

const sends = (claims: string): string => `authorize: { claims: ${claims} }, expect: accepted`;

describe('axes of a case', () => {
  test('all combinations are rows, called by the names of their values', async () => {
    const axes = 'each: { word: [Say so, no], more: { values: { none: {}, all: { acr_values: a1 } } } }';
    expect(await claimsOf(`${axes}, steps: [{ as: r, ${sends('"{{ each.more }}"')} }]`)).toEqual([
      ['one/say-so-none r', {}],
      ['one/say-so-all r', { acr_values: 'a1' }],
      ['one/no-none r', {}],
      ['one/no-all r', { acr_values: 'a1' }],
    ]);
  });

  test('with pairs, every two values of two axes stand in one row, and the rows are always the same', async () => {
    const axes = 'each: { pairs: true, a: [1, 2, 3], b: [1, 2, 3], c: [1, 2, 3] }';
    const text = oneCase(`${axes}, steps: [{ authorize: {}, expect: accepted }]`);
    const ids = (await load(text)).map(({ id }) => id.slice('one/'.length).split('-'));
    expect(ids.length).toBeLessThan(15);
    const pairs = new Set(ids.flatMap(([a, b, c]) => [`ab${a}${b}`, `bc${b}${c}`, `ac${a}${c}`]));
    expect(pairs.size).toBe(27);
    expect((await load(text)).map(({ id }) => id.slice('one/'.length).split('-'))).toEqual(ids);
  });

  test('a reference stands for a value of any type, and within a text for its text', async () => {
    const axes = 'each: { n: [1, 2], who: [consented], rule: [REQ-001] }';
    const steps = `steps: [{ as: a, authorize: {}, expect: accepted }, { at: "a + {{ each.n }}m", authorize: {}, times: "{{ each.n }}", expect: accepted }]`;
    const head =
      'id: one, title: "{{ each.n }} of {{ each.who }}", rule: "{{ each.rule }}", subscriber: "{{ each.who }}"';
    const [one, two] = await load(`  - { ${head}, ${axes}, ${steps} }`);
    expect([one?.title, two?.title]).toEqual(['1 of consented', '2 of consented']);
    expect([one?.steps[1]?.times, two?.steps[1]?.times]).toEqual([1, 2]);
    expect(two?.steps[1]?.at?.source).toBe('a + 2m');
    expect([two?.rules, two?.subscriber]).toEqual([[{ rule: 'REQ-001' }], 'consented']);
  });
});

describe('rows of steps', () => {
  test('a step is done once for each row, and takes the row', async () => {
    const step = `{ as: s, each: { a: { claims: { state: x } }, b: { claims: { state: y } } }, authorize: each, expect: accepted }`;
    expect(await claimsOf(`steps: [${step}]`)).toEqual([
      ['one s-a', { state: 'x' }],
      ['one s-b', { state: 'y' }],
    ]);
  });

  test('a block is done once for each row, inside one another, and its expressions read the values', async () => {
    const inner = `{ each: { n: [1, 2] }, as: "{{ each.who }}-{{ each.n }}", ${sends(`{ state: "{{ concat(each.who, '!') }}", nonce: "{{ each.n }}" }`)} }`;
    expect(await claimsOf(`steps: [{ each: { who: [a, b] }, steps: [${inner}] }]`)).toEqual([
      ['one a-1', { state: 'a!', nonce: 1 }],
      ['one a-2', { state: 'a!', nonce: 2 }],
      ['one b-1', { state: 'b!', nonce: 1 }],
      ['one b-2', { state: 'b!', nonce: 2 }],
    ]);
  });

  test('differences of a list are joined', async () => {
    const step = `{ as: r, authorize: [{ claims: { state: x } }, { claims: { nonce: y } }], expect: accepted }`;
    expect(await claimsOf(`steps: [${step}]`)).toEqual([['one r', { state: 'x', nonce: 'y' }]]);
  });
});

describe('named steps', () => {
  const steps = `
again:
  description: Sends a request once more.
  parameters: { of: a step }
  optional: { state: z }
  steps:
    - { as: "{{ do.of }}-b", authorize: { claims: { state: "{{ do.of.claims.state }}" } }, expect: accepted }
    - { as: "{{ do.of }}-c", authorize: { claims: { state: "{{ do.state }}", nonce: "{{ do.of-b.claims.state }}" } } }
`;
  test('stand in the place of the step, with their parameters', async () => {
    const used = `{ as: r, authorize: {}, expect: accepted }, { do: again, with: { of: r }, at: r + 1m, expect: accepted }`;
    const [one] = await load(oneCase(`steps: [${used}]`), { 'steps.yaml': steps });
    expect(one?.steps.map(({ name, at }) => [name, at?.source])).toEqual([
      ['r', undefined],
      ['r-b', 'r + 1m'],
      ['r-c', undefined],
    ]);
    const sources = one?.steps.flatMap((step) =>
      (requireAct(step, 'authorize').difference.claims ?? []).map(([, { source }]) => source),
    );
    expect(sources).toEqual(
      ['{{ r.claims.state }}', 'z', '{{r-b.claims.state }}'].map((one) => one.replace('{{r', '{{ r')),
    );
  });
});

describe('a row that lacks what the steps take from it', () => {
  const mistakesOf = (rest: string): Promise<readonly string[]> => mistakesIn(oneCase(rest));
  const mistakesIn = async (cases: string): Promise<readonly string[]> => {
    const { problems } = await loadText({ 'area/a.suite.yaml': suiteHead + cases + standingInvariant });
    return problems.map(({ code, message, hint }) => `${code}: ${message}${hint === undefined ? '' : `; ${hint}`}`);
  };
  const rows = 'one: { with: { state: a, nonce: b } }, two: { with: { state: c } }, three: { with: { state: d } }';
  const step = sends('{ state: "{{ each.state }}", nonce: "{{ concat(each.nonce, \'x\') }}" }');
  const lacking = ['unknown-name: the row "two" has no "nonce"; known: state, name'];

  test('is named once, with what it lacks: a row of the case and one of a step', async () => {
    expect(await mistakesOf(`each: { ${rows} }, steps: [{ ${step} }]`)).toEqual(lacking);
    expect(await mistakesOf(`steps: [{ each: { ${rows} }, ${step} }]`)).toEqual(lacking);
    expect(await mistakesOf(`each: { a: { with: { nonce: b } } }, steps: [{ each: { ${rows} }, ${step} }]`)).toEqual(
      [],
    );
  });

  test('is told for the title, and for a member of a value', async () => {
    const head = '  - { id: one, rule: REQ-001, title: "All of {{ each.words }}"';
    const text = `${head}, each: { one: { with: { words: a } }, two: {} }, steps: [{ authorize: each, expect: accepted }] }`;
    expect(await mistakesIn(text)).toEqual([
      'bad-template: the row "two" has no plain value for "each.words", which this title names',
    ]);
    const values = 'each: { one: { with: { of: { claim: a } } }, two: { with: { of: { clam: b } } } }';
    expect(await mistakesOf(`${values}, steps: [{ ${sends('{ state: "{{ each.of.claim }}" }')} }]`)).toEqual([
      'unknown-name: of has no "claim"; did you mean "clam"?',
    ]);
  });
});
