import { beforeAll, describe, expect, test } from 'vitest';
import { namedChecks } from '../../judge/checks/table.ts';
import type { Suites } from '../../model/suite.ts';
import { loadSuites } from '../../suite/load.ts';
import { tamperNames } from '../../wire/tamper.ts';

/** Every family of the catalogue, and the highest number in it. */
const families: Readonly<Record<string, number>> = {
  FLOW: 15,
  TRN: 17,
  HDR: 8,
  REQ: 93,
  RSP: 6,
  ERR: 6,
  CB: 27,
  TOK: 2,
  CXL: 2,
  LHT: 9,
  UT: 23,
  DSC: 12,
  EVT: 32,
  CRV: 5,
  UI: 37,
  CFG: 3,
  SEC: 46,
};

const idsOf = ([family, count]: readonly [string, number]): string[] =>
  Array.from({ length: count }, (_, at) => {
    const width = family === 'SEC' ? 2 : 3;
    return `${family}-${String(at + 1).padStart(width, '0')}`;
  });

describe('the ledger of the rules', () => {
  let suites: Suites;
  beforeAll(async () => {
    const loaded = await loadSuites({
      dirs: ['suites'],
      faults: undefined,
      checks: new Set(Object.keys(namedChecks)),
      tampers: tamperNames,
    });
    expect(loaded.problems).toEqual([]);
    suites = loaded.suites;
  });

  test('has every id of the catalogue, and no other', () => {
    const wanted = Object.entries(families).flatMap(idsOf);
    expect(wanted).toHaveLength(343);
    expect(suites.rules.map(({ id }) => id).toSorted()).toEqual(wanted.toSorted());
  });

  test('has at least 300 rules that cases or invariants judge, and a reason for each other one', () => {
    const judged = suites.rules.filter((rule) => rule.judged === 'cases' || rule.judged === 'invariant');
    expect(judged.length).toBeGreaterThanOrEqual(300);
    const others = suites.rules.filter((rule) => !judged.includes(rule));
    expect(others.filter(({ rationale = '' }) => rationale.length < 20)).toEqual([]);
  });
});
