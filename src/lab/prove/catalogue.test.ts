import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { faultCatalogue } from '../catalogue.ts';
import { readSuites } from '../../setup/read-files.ts';
import { faultSubjects, isRedVerdict } from './catalogue.ts';
import { superfluousFaults } from './cover.ts';
import { parseProofMatrix } from './matrix.ts';
import { findUnproved } from './proof-gaps.ts';
import { readFreedoms } from '../space/freedoms.ts';
import { choiceName } from '../space/freedoms-grammar.ts';

const freedoms = readFreedoms();
const names = new Set(
  freedoms.flatMap(({ id, choices }) => [id, ...choices.slice(1).map(({ name }) => choiceName(id, name))]),
);
const excepts = faultSubjects.flatMap(({ name, except = {} }) =>
  Object.entries(except).map(([choice, reason]) => ({ name, choice, reason })),
);

test('a fault is excepted from freedoms, or from choices of them, that there are', () => {
  expect(excepts.filter(({ choice }) => !names.has(choice))).toEqual([]);
});

test('each exception has a reason in words', () => {
  expect(excepts.filter(({ reason }) => !/^[a-z\d].* .*[^.]$/u.test(reason))).toEqual([]);
});

describe('the golden matrix', () => {
  const rows = parseProofMatrix(readFileSync('fixtures/prove/matrix.json', 'utf8'));

  test('has a row for each fault, and no others', () => {
    expect([...rows.keys()].toSorted()).toEqual(faultSubjects.map(({ name }) => name).toSorted());
  });

  test.each(faultSubjects)('$name turns exactly the rules that it breaks', ({ name, breaks }) => {
    const { turned = {} } = rows.get(name) ?? {};
    expect(Object.keys(turned).filter((id) => isRedVerdict(turned[id]))).toEqual(breaks.toSorted());
  });

  test('needs every fault, except those that say why they stay', () => {
    const keeping = faultCatalogue.filter(({ keeps }) => keeps !== undefined).map(({ name }) => name);
    expect(superfluousFaults(rows).filter((name) => !keeping.includes(name))).toEqual([]);
  });

  test('has every row and rule that a fault can turn, except those of unturned.txt', async () => {
    const unturned = readFileSync('fixtures/prove/unturned.txt', 'utf8')
      .split('\n')
      .filter((line) => line !== '');
    expect(findUnproved(await readSuites([]), rows).map(({ name }) => name)).toEqual(unturned);
  });

  const warning = faultSubjects.flatMap(({ name, undecided }) => {
    const turned = rows.get(name)?.turned ?? {};
    return Object.values(turned).includes('fail') ? [] : [{ name, undecided, turned }];
  });

  test('has no required rule without a verdict beside faults that only warn, except those that say why (P10, C7.13)', async () => {
    const { rules } = await readSuites([]);
    const required = new Set(rules.flatMap(({ id, level }) => (level === 'required' ? [id] : [])));
    const isOpen = ([id, verdict]: readonly [string, string]): boolean =>
      verdict === 'inconclusive' && required.has(id);
    const taking = warning.filter(({ turned }) => Object.entries(turned).some(isOpen));
    const excused = warning.filter(({ undecided }) => undecided !== undefined);
    expect(taking.map(({ name }) => name)).toEqual(excused.map(({ name }) => name));
  });

  /** Recommended rules that nothing breaks alone. */
  const neverAlone = [
    // A URI that is not denied is not registered either (REQ-032).
    'SEC-26',
  ];

  test('has a fault that breaks nothing required, for each recommended rule (P10)', async () => {
    const { rules } = await readSuites([]);
    const judged = rules.filter(({ level, judged: by }) => level === 'recommended' && by !== 'attested');
    const alone = new Set(warning.flatMap(({ turned }) => Object.keys(turned).filter((id) => turned[id] === 'warn')));
    expect(judged.map(({ id }) => id).filter((id) => !alone.has(id))).toEqual(neverAlone);
  });
});
