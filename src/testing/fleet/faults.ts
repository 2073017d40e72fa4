import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { faults } from '../../carrier/catalogue.ts';
import type { Fault } from '../../carrier/faults/edit/define.ts';
import { isJsonObject, parseJson } from '../../lib/json.ts';
import { randomOf } from '../../lib/covering/random.ts';
import { matrixName } from '../../prove/catalogue.ts';
import type { Suites } from '../../suite/suites.ts';
import { root } from '../spawn-cli.ts';

/** A fault that breaks one required rule, and cases that show it. */
export interface FleetFault {
  readonly subject: Fault;
  readonly rule: string;
  readonly cases: readonly string[];
}

/** A fault that more cases may show is not drawn: all of them run, because the matrix does not say in which rows it shows. */
const mostCases = 4;

interface Row {
  readonly status: unknown;
  readonly turned: Readonly<Record<string, unknown>>;
  readonly red: readonly unknown[];
}

function goldenRows(): ReadonlyMap<string, Row> {
  const matrix = parseJson(readFileSync(join(root, 'fixtures/prove/matrix.json'), 'utf8'));
  const rows = isJsonObject(matrix) && isJsonObject(matrix['rows']) ? Object.entries(matrix['rows']) : [];
  return new Map(
    rows.map(([name, row]) => {
      const { status, turned, red } = isJsonObject(row) ? row : {};
      return [name, { status, turned: isJsonObject(turned) ? turned : {}, red: Array.isArray(red) ? red : [] }];
    }),
  );
}

/** The one rule that a fault fails, on the plain carrier and on both drawn ones of the golden matrix; undefined where there are more. */
function ruleOf(name: string, rows: ReadonlyMap<string, Row>): string | undefined {
  const proved = [name, `${name}@a`, `${name}@b`].map((one) => rows.get(one));
  if (!proved.every((row) => row?.status === 'killed')) return undefined;
  const [[rule, verdict] = [], ...others] = Object.entries(proved[0]?.turned ?? {});
  return verdict === 'fail' && others.length === 0 ? rule : undefined;
}

/** Faults, drawn by the seed, of which no two break one rule. */
export function drawFaults(suites: Suites, seed: string, count: number): readonly FleetFault[] {
  const rows = goldenRows();
  const found = new Map<string, FleetFault>();
  for (const subject of randomOf(`${seed} faults`).shuffled(faults)) {
    const rule = ruleOf(subject.name, rows);
    const shows = new Set(rows.get(subject.name)?.red);
    const cases = suites.cases.map(({ id }) => id).filter((id) => shows.has(matrixName(id)));
    const fits = cases.length > 0 && cases.length <= mostCases && !subject.stateful && subject.declares === undefined;
    if (rule !== undefined && fits && !found.has(rule)) found.set(rule, { subject, rule, cases });
    if (found.size === count) break;
  }
  return [...found.values()];
}
