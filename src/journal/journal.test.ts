import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isJsonObject, parseJson } from '../lib/json.ts';
import {
  buildCase,
  buildDelivery,
  buildExchange,
  buildFooter,
  buildHeader,
  buildInvariant,
  buildRule,
} from '../testing/results/result.ts';
import type { JournalEntry } from './entries.ts';
import { createJournal } from './journal.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'carrierspec-journal-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Lines of a journal as any JSON lines reader sees them, without seals; undefined for a line that is not JSON. */
const linesOf = (bytes: Buffer): readonly unknown[] =>
  bytes
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const value = parseJson(line);
      if (!isJsonObject(value)) return value;
      const { chain: _, seal: __, ...rest } = value;
      return rest;
    });

const concluded = { rules: [buildRule()], invariants: [buildInvariant()], unsolicited: [buildDelivery()] };

const cases = ['é😀', 'b', 'c', 'd'].map((title, index) =>
  buildCase({
    id: `case-${index}`,
    title,
    messages: [buildExchange({ id: `case-${index}#x1` })],
    recorded: { n: index },
  }),
);

const caseEntry = (index: number): JournalEntry => ({ kind: 'case', case: cases[index] ?? buildCase() });
const endOf = (...indexes: readonly number[]): JournalEntry => ({
  kind: 'end',
  end: { cases: indexes.map((index) => `case-${index}`), ...concluded },
});
const footer: JournalEntry = { kind: 'footer', footer: buildFooter() };

describe('the journal of a run', () => {
  test('gives the cases back in the order of the suites, whatever order they ended in, again and again', () => {
    const journal = createJournal(join(folder, 'order.jsonl'), buildHeader());
    for (const index of [2, 0, 3]) journal.append(caseEntry(index));
    const ended = [cases[2], cases[0], cases[3]];
    expect([...journal.result().cases]).toEqual(ended);
    expect([...journal.result().cases]).toEqual(ended);
    journal.append(caseEntry(1));
    journal.append(endOf(0, 1, 2, 3));
    const result = journal.result();
    expect([...result.cases]).toEqual(cases);
    expect([...result.cases]).toEqual(cases);
    const [first] = result.cases;
    expect(first).toEqual(cases[0]);
    journal.close();
  });

  test('gives back the case alone, without what it contributed', () => {
    const journal = createJournal(join(folder, 'contributed.jsonl'), buildHeader());
    const contributed = { judged: { one: 1 }, violations: {}, messages: [] };
    journal.append({ kind: 'case', case: buildCase(), contributed });
    expect([...journal.result().cases]).toEqual([buildCase()]);
    expect('contributions' in journal.result()).toBe(false);
    journal.close();
    const shard = createJournal(join(folder, 'shard.jsonl'), buildHeader({ shard: { index: 1, of: 2 } }));
    shard.append({ kind: 'case', case: buildCase(), contributed });
    expect(shard.result().contributions).toEqual({ [buildCase().id]: contributed });
    shard.close();
  });

  test('two walks at once do not disturb each other', () => {
    const journal = createJournal(join(folder, 'walks.jsonl'), buildHeader());
    for (const index of cases.keys()) journal.append(caseEntry(index));
    const pairs: string[] = [];
    const { cases: read } = journal.result();
    for (const left of read) for (const right of read) pairs.push(`${left.id} ${right.id}`);
    expect(pairs).toHaveLength(16);
    expect(new Set(pairs).size).toBe(16);
    journal.close();
  });

  test('a line for the header, one for each case, one for what was concluded, one for the footer', () => {
    const path = join(folder, 'deep', 'er', 'lines.jsonl');
    const journal = createJournal(path, buildHeader());
    journal.append(caseEntry(3), caseEntry(1));
    journal.append(endOf(1, 3), footer);
    journal.close();
    expect(linesOf(readFileSync(path))).toEqual([
      { kind: 'header', ...buildHeader() },
      { kind: 'case', ...cases[3] },
      { kind: 'case', ...cases[1] },
      { kind: 'end', cases: ['case-1', 'case-3'], ...concluded },
      { kind: 'footer', ...buildFooter() },
    ]);
  });

  test('each line is in the file when it was added: a kill loses nothing that was finished', () => {
    const path = join(folder, 'kill.jsonl');
    const journal = createJournal(path, buildHeader());
    let before = readFileSync(path);
    expect(linesOf(before)).toEqual([{ kind: 'header', ...buildHeader() }]);
    for (const [index, one] of cases.entries()) {
      journal.append(caseEntry(index));
      const after = readFileSync(path);
      expect(after.subarray(0, before.length).equals(before)).toBe(true);
      expect(after.at(-1)).toBe(0x0a);
      expect(linesOf(after)).toHaveLength(index + 2);
      expect(linesOf(after).at(-1)).toEqual({ kind: 'case', ...one });
      before = after;
    }
    journal.close();
  });

  test('cut at any byte, all lines but the last are whole, and there is no footer', () => {
    const path = join(folder, 'cut.jsonl');
    const journal = createJournal(path, buildHeader());
    for (const index of cases.keys()) journal.append(caseEntry(index));
    const whole = readFileSync(path);
    journal.append(endOf(0, 1, 2, 3), footer);
    journal.close();
    const kinds = (lines: readonly unknown[]) =>
      lines.map((line) => (typeof line === 'object' && line !== null && 'kind' in line ? line.kind : undefined));
    const lineEnds = [...whole.entries()].filter(([, byte]) => byte === 0x0a).map(([at]) => at);
    for (let length = 1; length < whole.length; length += 37) {
      const finished = lineEnds.filter((end) => end < length).length;
      const read = kinds(linesOf(whole.subarray(0, length)));
      expect(read.slice(0, finished)).toEqual(['header', 'case', 'case', 'case', 'case'].slice(0, finished));
      expect(read.length - finished).toBeLessThanOrEqual(1);
      expect(read).not.toContain('footer');
    }
  });

  test('an older journal of the same name is gone', () => {
    const path = join(folder, 'old.jsonl');
    writeFileSync(path, 'x'.repeat(100_000));
    createJournal(path, buildHeader()).close();
    expect(linesOf(readFileSync(path))).toEqual([{ kind: 'header', ...buildHeader() }]);
  });
});

test('a journal that is a link is refused, and what it leads to stays', () => {
  const [victim, path] = [join(folder, 'victim'), join(folder, 'linked.jsonl')];
  writeFileSync(victim, 'of the user');
  symlinkSync(victim, path);
  symlinkSync(victim, `${join(folder, 'resumed.jsonl')}.tmp`);
  expect(() => createJournal(path, buildHeader())).toThrow('it is a link, and must be a regular file: remove it');
  expect(() => createJournal(join(folder, 'resumed.jsonl'), buildHeader(), [])).toThrow('it is a link');
  expect(readFileSync(victim, 'utf8')).toBe('of the user');
});
