import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { selectSuites } from '../../engine/plan/select.ts';
import { readSuites } from '../../setup/read-files.ts';
import {
  type ForeignCarrier,
  foreignCarriers,
  missingPython,
  startForeign,
  type StartedForeignCarrier,
  stopForeign,
} from './foreign-carrier.ts';
import { describeUnless } from '../vitest/not-run.ts';
import { runCli } from '../program/run-cli.ts';
import { makeFolder } from '../program/target-file.ts';

/** A row of a defects.json. A defect without `run` is not tried. */
interface Defect {
  readonly name: string;
  /** A sentence of the interface, verbatim. */
  readonly breaks: string;
  /** Exactly the rules whose verdict changes. Empty: no rule covers this defect. */
  readonly rules?: readonly string[];
  /** Smallest selection that shows it. */
  readonly run?: readonly string[];
}

interface Verdict {
  readonly id: string;
  readonly verdict: string;
}

interface Fixture extends ForeignCarrier {
  /** Rules that fail or warn without a defect, each with the reason. */
  readonly disagreements: Readonly<Record<string, string>>;
  /** Whether a running process can change its defects. */
  readonly changes: boolean;
}

const fixtureOf = (carrier: ForeignCarrier, changes: boolean): Fixture => ({
  ...carrier,
  changes,
  disagreements: JSON.parse(readFileSync(join(carrier.folder, 'disagreements.json'), 'utf8')) as Record<string, string>,
});

afterAll(stopForeign);

const defectsOf = (fixture: Fixture): readonly Defect[] =>
  JSON.parse(readFileSync(join(fixture.folder, 'defects.json'), 'utf8')) as readonly Defect[];

interface Turned {
  readonly code: number | null;
  /** Rules that fail or warn. */
  readonly verdicts: Readonly<Record<string, string>>;
}

async function turned(selection: readonly string[], target: string): Promise<Turned> {
  const out = makeFolder();
  const file = join(out, 'result.json');
  const { code } = await runCli(['run', ...selection, '--target', target, '--out', out], { timeLimit: 240_000 });
  const { rules } = JSON.parse(readFileSync(file, 'utf8')) as { rules: readonly Verdict[] };
  rmSync(out, { recursive: true });
  const found = rules.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn');
  return { code, verdicts: Object.fromEntries(found.map(({ id, verdict }) => [id, verdict])) };
}

/** A carrier that can change its defects while it runs. */
let changing: StartedForeignCarrier | undefined;

async function withDefect<T>(fixture: Fixture, name: string, job: (target: string) => Promise<T>): Promise<T> {
  if (!fixture.changes) {
    const carrier = await startForeign(fixture, [name]);
    return job(carrier.target).finally(carrier.stop);
  }
  changing ??= await startForeign(fixture, []);
  const headers = { 'content-type': 'application/json' };
  const told = await fetch(`${changing.operator}/defects`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ defects: [name] }),
  });
  expect(told.status).toBe(200);
  return job(changing.target);
}

function tests(fixture: Fixture): void {
  const known = fixture.disagreements;

  it('has no defect but what it disagrees about', async () => {
    const carrier = await startForeign(fixture, []);
    const { verdicts, code } = await turned([], carrier.target);
    carrier.stop();
    expect(code).toBe(Object.values(verdicts).includes('fail') ? 1 : 0);
    expect(Object.keys(verdicts).sort()).toEqual(Object.keys(known).sort());
  }, 600_000);

  it('names only cases that exist in its defects', async () => {
    const selected = [...new Set(defectsOf(fixture).flatMap(({ run = [] }) => run))];
    expect(selectSuites(await readSuites([]), { what: selected }, () => []).cases.length).toBeGreaterThanOrEqual(40);
  });

  const all = defectsOf(fixture).filter(({ run }) => run !== undefined);
  it.each(all.map((defect) => [defect.name, defect] as const))(
    '%s turns exactly its rules',
    async (name, { rules = [], run = [] }) => {
      const { code, verdicts } = await withDefect(fixture, name, (target) => turned(run, target));
      const ids = Object.keys(verdicts).filter((id) => rules.includes(id) || !(id in known));
      expect(ids.sort()).toEqual([...rules].sort());
      if (ids.some((id) => verdicts[id] === 'fail')) expect(code).toBe(1);
    },
    300_000,
  );
}

describe('a carrier in JavaScript that was written from the interface alone', () =>
  tests(fixtureOf(foreignCarriers.node, true)));

describeUnless(missingPython(), 'a carrier in Python that was written from the interface alone', () =>
  tests(fixtureOf(foreignCarriers.python, false)),
);
