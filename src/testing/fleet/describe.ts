import { appendFileSync, cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { beforeAll, describe, expect, test } from 'vitest';
import { isJsonObject, type Json, parseJson, plainText } from '../../lib/json.ts';
import { isRed } from '../../prove/catalogue.ts';
import { warnedBy } from '../../prove/space/freedoms.ts';
import { readSuites } from '../../setup/read.ts';
import { runCli } from '../run-cli.ts';
import { makeFolder } from '../target-file.ts';
import { resultIn, sharedIds, strangersIn, strangersInText } from './apart.ts';
import { drawFleet, type Fleet, type FleetSize } from './draw.ts';
import { figuresOf } from './figures.ts';
import { runMixed } from './mixed.ts';
import { dayOf, type Night, runNight, startOf } from './night.ts';

type GivenFleet = Omit<FleetSize, 'suites'> & {
  readonly processes: number;
  readonly timeLimit: number;
};

/** Rules that are red at a carrier, without those that warn of a choice of it by a decision. */
function redOf({ out, member }: Night): readonly string[] {
  const warned = warnedBy(member.choices);
  const red = resultIn(out).rules.filter(({ verdict }) => isRed(verdict));
  return red.flatMap(({ id, verdict }) => (verdict === 'warn' && warned.has(id) ? [] : [id]));
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const memberOf = (value: unknown, name: string): Json | undefined => (isJsonObject(value) ? value[name] : undefined);
const valuesOf = (value: unknown): ReadonlySet<Json> => new Set(isJsonObject(value) ? Object.values(value) : []);

/** The rules of which compare says that the two results have other verdicts. */
async function comparedRules(one: string, other: string): Promise<readonly string[]> {
  const { stdout } = await runCli([
    'compare',
    join(one, 'result.json'),
    join(other, 'result.json'),
    '--report',
    'json=-',
  ]);
  const rows = listOf(memberOf(parseJson(stdout), 'rows'));
  expect(rows.length).toBeGreaterThan(0);
  return rows
    .filter((row) => valuesOf(memberOf(row, 'verdicts')).size > 1)
    .map((row) => plainText(memberOf(row, 'id')))
    .toSorted();
}

/** Two nights of a fleet, and what has to be so of them. */
export function describeFleet({ processes, timeLimit, ...size }: GivenFleet): void {
  describe(`${size.carriers} drawn carriers, ${size.faulty} of them with a fault`, () => {
    const folder = makeFolder();
    const results = join(folder, 'results');
    let fleet: Fleet;
    let nights: readonly [readonly Night[], readonly Night[]] = [[], []];

    beforeAll(async () => {
      fleet = await drawFleet({ ...size, suites: await readSuites([]) });
      const run = (night: 0 | 1) => runNight({ fleet, night, results, processes });
      const [begun, first] = [performance.now(), await run(0)];
      const between = performance.now();
      nights = [first, await run(1)];
      const seconds = [between - begun, performance.now() - between].map((one) => one / 1000);
      process.stdout.write(figuresOf({ fleet, nights, seconds, processes }));
    }, timeLimit);

    test('each healthy carrier is conformant, and each other one breaks the rule of its fault and no other', () => {
      for (const [at, night] of nights.entries()) {
        const seen = night.map((one) => ({ carrier: one.member.name, code: one.code, red: redOf(one) }));
        const expected = fleet.members.map(({ name, faults }) => {
          const fault = faults[at];
          return { carrier: name, code: fault === undefined ? 0 : 1, red: fault === undefined ? [] : [fault.rule] };
        });
        expect(seen).toEqual(expected);
      }
    });

    test('no file of a carrier has the name, the address, a subscriber or a client of another', () => {
      for (const { out, member } of nights.flat()) {
        expect(resultIn(out).header.target.name).toBe(member.name);
        expect([member.name, strangersIn(out, member, fleet)]).toEqual([member.name, []]);
      }
    });

    test('no two runs share an id of a request, and nothing came that nobody asked for', () => {
      expect(sharedIds(nights.flat().map(({ out }) => out))).toEqual([]);
      for (const { out, member } of nights.flat()) {
        expect([member.name, resultIn(out).footer?.strangers ?? 0]).toEqual([member.name, 0]);
      }
    });

    test('what another carrier left in a folder would have been seen', () => {
      const [one, other] = nights[0];
      const mixed = join(folder, 'mixed');
      cpSync(one?.out ?? '', mixed, { recursive: true });
      appendFileSync(join(mixed, 'journal.jsonl'), readFileSync(join(other?.out ?? '', 'journal.jsonl')));
      const found = strangersIn(mixed, one?.member ?? fleet.changed, fleet).join('\n');
      for (const mark of [other?.member.name, '9990', 'fleet', '127.0.0.1']) {
        expect(found).toContain(`journal.jsonl: ${mark}`);
      }
      expect(sharedIds([one?.out ?? '', mixed])).not.toEqual([]);
    });

    test(
      'what the proxy of one carrier delivers to the receiver of another breaks no rule there, and is in none of its cases',
      async () => {
        const [sender, other] = fleet.members.filter(({ faults }) => faults.every((fault) => fault === undefined));
        if (sender === undefined || other === undefined) throw new Error('no two carriers are healthy');
        const mixed = await runMixed({ sender, other, cases: fleet.cases, folder: join(folder, 'misled') });
        expect(mixed.map((one) => [one.member.name, one.code, redOf(one)])).toEqual([
          [sender.name, 0, []],
          [other.name, 0, []],
        ]);
        const { cases, footer } = resultIn(mixed[1].out);
        expect(footer?.strangers).toBeGreaterThan(0);
        expect(strangersInText(JSON.stringify([...cases]), other, fleet)).toEqual([]);
      },
      timeLimit,
    );

    test(
      'history says which rules turned, of the one carrier that changed',
      async () => {
        const since = new Date(startOf(1)).toISOString().slice(0, 16);
        const args = ['--turned-since', `${since}Z`, '--out', join(folder, 'site'), '--reports', 'none'];
        const { code, stdout } = await runCli(['history', results, ...args], { timeLimit });
        const { name, faults } = fleet.changed;
        const line = /^(.*?) \(.*: ([A-Z]+-\d+), .* from (\w+) .* to (\w+)/;
        const said = stdout
          .trimEnd()
          .split('\n')
          .map((one) => line.exec(one)?.slice(1).join(' '));
        expect(new Set(said)).toEqual(
          new Set([`${name} ${faults[0]?.rule} fail pass`, `${name} ${faults[1]?.rule} pass fail`]),
        );
        expect(said).toHaveLength(2);
        expect(code).toBe(1);
      },
      timeLimit,
    );

    test(
      'compare says the same, carrier by carrier',
      async () => {
        const { changed } = fleet;
        for (const { member } of nights[0]) {
          const [one, other] = ([0, 1] as const).map((night) => join(results, member.folder, dayOf(night)));
          const turned = member === changed ? changed.faults.map((fault) => fault?.rule ?? '').toSorted() : [];
          expect([member.name, await comparedRules(one ?? '', other ?? '')]).toEqual([member.name, turned]);
        }
      },
      timeLimit,
    );
  });
}
