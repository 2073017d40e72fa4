import { expect, test } from 'vitest';
import type { JsonObject } from '../../lib/json.ts';
import type { Finding } from '../../model/finding.ts';
import type { KeptParts, Probe } from './exploration.ts';
import { explore, type ReachedPoint } from './explore.ts';
import type { TryResult } from './try-cases.ts';

const probe = (base: string, parts: readonly string[]): Probe => ({
  kind: 'values',
  title: (kept: KeptParts) => `${base} ${parts.filter((_, at) => kept[at] === true).join(' ')}`.trim(),
  setting: {},
  parts,
  steps: (kept) => [{ as: 'request', parts: parts.filter((_, at) => kept[at] === true) }],
  requests: 1,
});

const finding = (step: string): Finding => ({
  rule: 'REQ-001',
  level: 'required',
  code: 'outcome',
  expected: 'denied',
  actual: 'accepted 200',
  step,
  position: { file: 'explore', line: 1, column: 1 },
});

const stepsIn = (json: JsonObject): readonly JsonObject[] => json['steps'] as readonly JsonObject[];
const textOf = (json: JsonObject, name: string): string => {
  const value = json[name];
  return typeof value === 'string' ? value : '';
};

/** Carrier that is wrong if a step has all of these parts. */
const wrongWith =
  (...needed: readonly string[]) =>
  (cases: readonly JsonObject[]): Promise<TryResult> =>
    Promise.resolve({
      invariants: [],
      cases: cases.map((json) => ({
        id: textOf(json, 'id'),
        findings: stepsIn(json)
          .filter(({ parts = [] }) => needed.every((part) => (parts as readonly string[]).includes(part)))
          .map((step) => finding(textOf(step, 'as'))),
      })),
    } as unknown as TryResult);

const exploring = (probes: readonly Probe[], attempt: (cases: readonly JsonObject[]) => Promise<TryResult>) =>
  explore({ probes, attempt, ...always });

/** Options that never end an exploration. */
const always = { goOn: () => true, onProgress: () => undefined, signal: new AbortController().signal };

test('what turns red is shrunk to the parts that it takes, and ten reds of one cause are one finding', async () => {
  const probes = Array.from({ length: 10 }, (_, at) => probe(`base ${at}`, [`x${at}`, 'a', 'y', 'b', `z${at}`]));
  const { found, requests, unconfirmed } = await exploring(probes, wrongWith('a', 'b'));
  expect(found).toMatchObject([{ rule: 'REQ-001', parts: ['a', 'b'], after: 1, folded: 9 }]);
  expect(found[0]?.title).toBe('base 0 a b');
  expect({ requests, unconfirmed }).toEqual({ requests: { values: 10 }, unconfirmed: [] });
});

test('what does not show again is no finding, and is told', async () => {
  let tries = 0;
  const once = (cases: readonly JsonObject[]): Promise<TryResult> => {
    tries += 1;
    return tries === 1 ? wrongWith()(cases) : wrongWith('never')(cases);
  };
  const { found, unconfirmed } = await exploring([probe('base', ['a'])], once);
  expect(found).toEqual([]);
  expect(unconfirmed).toMatchObject([{ rule: 'REQ-001', title: 'base a', after: 1 }]);
});

test('several attempts run at once, and what they find is told in the order of the probes', async () => {
  let running = 0;
  let most = 0;
  const slowFirst = async (cases: readonly JsonObject[]): Promise<TryResult> => {
    running += 1;
    most = Math.max(most, running);
    const isFirst = JSON.stringify(cases).includes('x0');
    await new Promise((resolve) => setTimeout(resolve, isFirst ? 60 : 5));
    running -= 1;
    return wrongWith('b')(cases);
  };
  const probes = Array.from({ length: 3 }, (_, at) => ({
    ...probe(`base ${at}`, [`x${at}`, at === 0 ? 'a' : 'b']),
    requests: 300,
  }));
  const { found, requests } = await explore({
    probes,
    attempt: slowFirst,
    width: 3,
    ...always,
  });
  expect(most).toBe(3);
  expect(found).toMatchObject([{ title: 'base 1 b', after: 600, folded: 1 }]);
  expect(requests).toEqual({ values: 900 });
});

/** Three stretches, each of a base of its own. */
const threeStretches = [0, 1, 2].map((at) => ({ ...probe(`base ${at}`, [`x${at}`, `a${at}`, 'b']), requests: 300 }));

test('one attempt at a time where there is one carrier, also while what was found is shrunk', async () => {
  let running = 0;
  let most = 0;
  const attempt = async (cases: readonly JsonObject[]): Promise<TryResult> => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setTimeout(resolve, 2));
    running -= 1;
    return wrongWith('b')(cases);
  };
  const { found } = await exploring(threeStretches, attempt);
  expect(found).toHaveLength(1);
  expect(most).toBe(1);
});

test('keeps each finding as it comes, before its stretch is done with', async () => {
  const kept: (readonly [found: number, done: number])[] = [];
  const onKept = ({ explored: { found }, done }: ReachedPoint): void => void kept.push([found.length, done]);
  await explore({ probes: threeStretches, attempt: wrongWith('b', 'a1'), onKept, ...always });
  expect(kept).toEqual([
    [0, 1],
    [1, 1],
    [1, 2],
    [1, 3],
  ]);
});

test('what is interrupted before it was tried again is told, and its stretch is not done with', async () => {
  const ending = new AbortController();
  let tries = 0;
  const attempt = (cases: readonly JsonObject[]): Promise<TryResult> => {
    tries += 1;
    if (tries < 3) return wrongWith('b', 'a1')(cases);
    ending.abort();
    return Promise.resolve({ cases: [], invariants: [] });
  };
  const goOn = (): boolean => !ending.signal.aborted;
  let reached = 0;
  const { found, unconfirmed } = await explore({
    probes: threeStretches,
    attempt,
    ...always,
    goOn,
    signal: ending.signal,
    onKept: ({ done }) => {
      reached = done;
    },
  });
  expect({ found, reached }).toEqual({ found: [], reached: 1 });
  expect(unconfirmed).toMatchObject([{ title: 'base 1 x1 a1 b', untried: true }]);
});
