import { describe, expect, test } from 'vitest';
import { isHttp } from '../../suite/verbs/http.ts';
import { loadShipped } from '../../testing/parts/shipped-suites.ts';
import { impliedFeatures } from './endpoints.ts';
import { serverInitiated } from './interface.ts';

const { suites } = await loadShipped();

test('times that the interface states: §2.3 expires_in, §4.1 and §4.8', () => {
  const { longestLife, slowestResponse, retriesAfter, coolDown } = serverInitiated.timing;
  expect({ longestLife, slowestResponse, retriesAfter }).toEqual({
    longestLife: 48 * 60 * 60,
    slowestResponse: 30,
    retriesAfter: 60,
  });
  // §6: a carrier may drop an event within 60 minutes of the one before.
  expect(coolDown).toBeGreaterThan(60 * 60);
});

test('what a person does with a request is marked, each in its own word, button and tone', () => {
  const ofRequest = serverInitiated.actions.filter(
    ({ ofRequest: is, prompt }) => is === true && /request/.test(prompt),
  );
  const marks = ofRequest.flatMap(({ mark }) => mark ?? []);
  expect(ofRequest.map(({ name }) => name)).toEqual(['approve', 'deny', 'ignore']);
  for (const member of ['word', 'done', 'tone'] as const)
    expect(new Set(marks.map((mark) => mark[member])).size).toBe(ofRequest.length);
});

test.each([
  [undefined, {}],
  [3600, { 'sim-swap-lag': false }],
  [3601, { 'sim-swap-within-an-hour': false }],
])('§2.11: a SIM swap that shows after %j s implies %j', (seconds, implied) => {
  expect(impliedFeatures(seconds === undefined ? {} : { sim_swap: seconds })).toEqual(implied);
});

describe('the interface and the shipped suites agree on', () => {
  test('areas and the families of ids', () => {
    const found = new Map<string, Set<string>>();
    for (const { id, area } of suites.rules) {
      found.set(area, (found.get(area) ?? new Set()).add(id.replace(/-.*/, '')));
    }
    expect([...found].map(([name, families]) => ({ name, families: [...families].toSorted() }))).toEqual(
      serverInitiated.areas.map(({ name, families }) => ({ name, families: families.toSorted() })),
    );
  });

  test('clauses: a rule of the interface stands in one of them', () => {
    const numbers = new Set(serverInitiated.clauses.map(([number]) => number));
    const elsewhere = suites.rules.filter(({ clause }) => {
      const [number = '', chapter = ''] = /^(\d+)(?:\.\d+)?(?=[ ,]|$)/.exec(clause) ?? [];
      return number !== '' && !numbers.has(number) && !numbers.has(chapter);
    });
    expect(elsewhere.map(({ id, clause }) => `${id} ${clause}`)).toEqual([]);
  });

  test('C5.5: whether the sense of the tenure is inverted is asked of both rules together', () => {
    const asked = suites.rules.flatMap(({ id, interpretation = '' }) => {
      const other = /Where (\S+) is broken too: is the sense inverted\?/.exec(interpretation)?.[1];
      return other === undefined ? [] : [[id, other]];
    });
    expect(asked).toEqual([
      ['UT-015', 'UT-016'],
      ['UT-016', 'UT-015'],
    ]);
  });

  test('endpoints and checks', () => {
    const acts = suites.cases.flatMap(({ steps }) => steps.map(({ act }) => act));
    const asked = acts.flatMap((act) => (isHttp(act) ? [act.request.to] : []));
    expect(asked.filter((name) => !Object.hasOwn(serverInitiated.endpoints, name))).toEqual([]);
    const expectations = [...suites.cases.flatMap(({ steps }) => steps), ...suites.invariants].flatMap(
      (one) => one.expectations,
    );
    const used = new Set(expectations.flatMap(({ checks = [] }) => checks));
    expect(Object.keys(serverInitiated.checks).filter((name) => !used.has(name))).toEqual([]);
  });
});
