import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serverInitiated } from '../interfaces/server-initiated/interface.ts';
import { writePacked } from '../lib/package-file.ts';
import { openPrepared, packFacts, type PreparedFiles, recordParsed } from '../suite/prepared-files.ts';
import { loadSuiteFolders } from '../suite/load.ts';
import { caseRuleIds, type Suites } from '../suite/suites.ts';
import { tamperNames } from '../wire/build/tamper.ts';

const folder = mkdtempSync(join(tmpdir(), 'carrierspec-facts-'));
const copy = join(folder, 'suites');
const kept = join(folder, 'prepared.json');

let whole: Suites;
let prepared: PreparedFiles;

const load = (given: { readonly prepared?: PreparedFiles }) =>
  loadSuiteFolders({ dirs: [copy], interface: serverInitiated, tampers: tamperNames, ...given });

const isLater = (one: Suites['cases'][number]): boolean =>
  Object.getOwnPropertyDescriptor(one, 'steps')?.get !== undefined;

const ownSuite = `suite: Own
cases:
  - id: own-case
    title: A request is accepted.
    rule: REQ-001
    steps:
      - { authorize: {}, expect: accepted }
`;

// Some acts keep their document, and a prepared document has no tree.
const plain = (one: Suites['cases'][number]): unknown =>
  JSON.parse(JSON.stringify(one, (key, value: unknown) => (key === 'document' ? 'a file' : value)));

beforeAll(async () => {
  cpSync('suites', copy, { recursive: true });
  const { parse, packed } = recordParsed();
  ({ suites: whole } = await load({ prepared: { parse, facts: undefined } }));
  writePacked(kept, packed(packFacts(whole)));
  prepared = openPrepared(kept);
});

afterAll(() => rmSync(folder, { recursive: true }));

describe('cases of which a build keeps the facts', () => {
  test('are what compiling all of them at once makes', async () => {
    const { suites, problems } = await load({ prepared });
    expect(problems).toEqual([]);
    expect(suites.cases.filter(isLater)).toHaveLength(whole.cases.length);
    expect(suites.cases.map((one) => [one.id, [...caseRuleIds(one)]])).toEqual(
      whole.cases.map((one) => [one.id, [...caseRuleIds(one)]]),
    );
    const others = new Map(whole.cases.map((one) => [one.id, plain(one)]));
    expect(
      suites.cases.filter((one) => !isDeepStrictEqual(plain(one), others.get(one.id))).map(({ id }) => id),
    ).toEqual([]);
    // A copy does not inherit the remembered rules of its original.
    const [first] = suites.cases;
    expect(first && [...caseRuleIds({ ...first, rules: [{ rule: 'OTHER' }], steps: [] })]).toEqual(['OTHER']);
  });

  test('are compiled at once where any file of the folder was edited, and every mistake is found', async () => {
    const path = join(copy, 'request-object', 'rules.yaml');
    const before = readFileSync(path, 'utf8');
    writeFileSync(path, before.replace('id: REQ-001\n', 'id: REQ-0999\n'));
    const { suites, problems } = await load({ prepared });
    writeFileSync(path, before);
    expect(suites.cases.some(isLater)).toBe(false);
    const found = problems.map(({ message }) => message);
    expect(found).toContain('REQ-0999 is said to be judged by cases, yet no case judges it');
    expect(found).toContain('there is no rule REQ-001');
  });

  test('are not those of a folder beside them', async () => {
    const beside = join(folder, 'beside');
    mkdirSync(beside);
    writeFileSync(join(beside, 'own.suite.yaml'), ownSuite);
    const { suites } = await loadSuiteFolders({
      dirs: [copy, beside],
      interface: serverInitiated,
      tampers: tamperNames,
      prepared,
    });
    const [own, others] = [suites.cases.filter(isLater), suites.cases.filter((one) => !isLater(one))];
    expect(own).toHaveLength(whole.cases.length);
    expect(others.map(({ id }) => id)).toEqual(['own-case']);
  });
});
