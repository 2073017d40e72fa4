import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, it } from 'vitest';
import { select } from '../engine/plan/select.ts';
import { readSuites } from '../setup/read.ts';
import { describeUnless } from './not-run.ts';
import { runCli } from './run-cli.ts';
import { root } from './spawn-cli.ts';

/** A row of a defects.json. One without `run` is not tried. */
interface Defect {
  readonly name: string;
  /** A sentence of the interface, word for word. */
  readonly breaks: string;
  /** The rules that turn, and no other. Empty: no rule says anything of this defect. */
  readonly rules?: readonly string[];
  /** The smallest selection that shows it. */
  readonly run?: readonly string[];
}

interface Verdict {
  readonly id: string;
  readonly verdict: string;
}

interface Fixture {
  readonly folder: string;
  readonly command: readonly [string, ...string[]];
  /** Rules that are red or a warning without a defect, each with the reason. */
  readonly disagreements: Readonly<Record<string, string>>;
  /** Whether one process can be told of other defects. */
  readonly changes: boolean;
}

/** The line that a carrier prints when it is ready. */
interface Ready {
  readonly operator: string;
  readonly target: string;
}

const python = 'python3';
const foreign = join(root, 'fixtures/foreign');
const fixtures = {
  node: {
    folder: join(foreign, 'node'),
    command: [process.execPath, join(foreign, 'node/carrier.js')],
    changes: true,
    disagreements: JSON.parse(readFileSync(join(foreign, 'node/disagreements.json'), 'utf8')) as Record<string, string>,
  },
  python: {
    folder: join(foreign, 'python'),
    command: [python, join(foreign, 'python/carrier.py')],
    changes: false,
    disagreements: JSON.parse(readFileSync(join(foreign, 'python/disagreements.json'), 'utf8')) as Record<
      string,
      string
    >,
  },
} as const satisfies Record<string, Fixture>;

const folder = mkdtempSync(join(tmpdir(), 'foreign-'));
const started = new Set<ChildProcess>();
afterAll(() => {
  for (const child of started) child.kill();
  rmSync(folder, { recursive: true });
});

let count = 0;
function newFolder(): string {
  count += 1;
  return join(folder, String(count));
}

/** A carrier as a process of its own. */
async function startCarrier(
  { command: [program, ...args] }: Fixture,
  defects: readonly string[],
): Promise<Ready & { stop: () => void }> {
  const flags = ['--out', newFolder(), ...defects.flatMap((name) => ['--defect', name])];
  const child = spawn(program, [...args, ...flags], { stdio: ['ignore', 'pipe', 'ignore'] });
  started.add(child);
  const stop = (): void => {
    started.delete(child);
    child.kill();
  };
  for await (const line of createInterface({ input: child.stdout })) return { ...(JSON.parse(line) as Ready), stop };
  throw new Error(`${program} ended before it was ready`);
}

/** FOREIGN_ALL tries every defect; otherwise so many of each carrier at least, spread over all of them. */
const isWhole = process.env['FOREIGN_ALL'] !== undefined;
const atLeast = 40;

const defectsOf = (fixture: Fixture): readonly Defect[] =>
  JSON.parse(readFileSync(join(fixture.folder, 'defects.json'), 'utf8')) as readonly Defect[];

interface Turned {
  readonly code: number | null;
  /** Rules that are red or a warning. */
  readonly verdicts: Readonly<Record<string, string>>;
}

async function turned(selection: readonly string[], target: string): Promise<Turned> {
  const out = newFolder();
  const file = join(out, 'result.json');
  const { code } = await runCli(['run', ...selection, '--target', target, '--out', out], { timeLimit: 240_000 });
  const { rules } = JSON.parse(readFileSync(file, 'utf8')) as { rules: readonly Verdict[] };
  rmSync(out, { recursive: true });
  const found = rules.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn');
  return { code, verdicts: Object.fromEntries(found.map(({ id, verdict }) => [id, verdict])) };
}

/** A carrier that can be told of other defects. */
let changing: (Ready & { stop: () => void }) | undefined;

async function withDefect<T>(fixture: Fixture, name: string, job: (target: string) => Promise<T>): Promise<T> {
  if (!fixture.changes) {
    const carrier = await startCarrier(fixture, [name]);
    return job(carrier.target).finally(carrier.stop);
  }
  changing ??= await startCarrier(fixture, []);
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
    const carrier = await startCarrier(fixture, []);
    const { verdicts, code } = await turned([], carrier.target);
    carrier.stop();
    expect(code).toBe(Object.values(verdicts).includes('fail') ? 1 : 0);
    expect(Object.keys(verdicts).sort()).toEqual(Object.keys(known).sort());
  }, 600_000);

  it('has defects that select cases which there are', async () => {
    const selected = [...new Set(defectsOf(fixture).flatMap(({ run = [] }) => run))];
    expect(select(await readSuites([]), { what: selected }, () => []).cases.length).toBeGreaterThanOrEqual(atLeast);
  });

  const all = defectsOf(fixture).filter(({ run }) => run !== undefined);
  const every = isWhole ? 1 : Math.floor(all.length / atLeast);
  const tried = all.filter((_, at) => at % every === 0);
  it.each(tried.map((defect) => [defect.name, defect] as const))(
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

function missingPython(): string | undefined {
  try {
    execFileSync(python, ['-c', 'import sys; assert sys.version_info >= (3, 9)'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'there is no Python 3.9 or later';
  }
}

describe('a carrier in JavaScript that was written from the interface alone', () => tests(fixtures.node));

describeUnless(missingPython(), 'a carrier in Python that was written from the interface alone', () =>
  tests(fixtures.python),
);
