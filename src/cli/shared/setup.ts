import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import type { RunOptions } from '../../engine/run-options.ts';
import type { Suites } from '../../model/suite.ts';
import type { Target } from '../../model/target.ts';
import { toolVersion } from '../../setup/paths.ts';
import { readSuites, readTarget } from '../../setup/read.ts';
import { type CarrierChoice, referenceTarget, requireOneCarrier, startChosen } from '../../setup/reference.ts';
import { findOperator } from './operator.ts';
import { type Invocation, listenForSignal } from './invocation.ts';

/** Which carrier a command speaks to, and with which suites. */
export interface SetupChoice extends CarrierChoice {
  readonly suites: readonly string[];
}

/** What a command that speaks to a carrier has at hand. */
export interface Setup {
  readonly suites: Suites;
  readonly target: Target;
  /** A run of nothing yet, into a folder that goes when the command ends. */
  readonly options: RunOptions;
}

function optionsFor(suites: Suites, target: Target, { folder, outlives, invocation }: Place): RunOptions {
  const operator = findOperator(invocation);
  return {
    suites,
    selected: { cases: [], invariants: [], rules: new Set() },
    selection: { what: [], level: 'informational' },
    target,
    journal: join(folder, 'journal.jsonl'),
    jobs: 16,
    outlives,
    bail: false,
    progress: () => undefined,
    signal: listenForSignal(invocation),
    ...(operator === undefined ? {} : { operator }),
    flags: [],
    tool: { name: 'carrierspec', version: toolVersion(), node: process.version },
  };
}

interface Place {
  readonly folder: string;
  readonly outlives: boolean;
  readonly invocation: Invocation;
}

/** Runs `work` with the suites and the carrier that the flags name, and ends what was started for it. */
export async function withCarrier<T>(
  choice: SetupChoice,
  invocation: Invocation,
  work: (setup: Setup) => Promise<T>,
): Promise<T> {
  requireOneCarrier(choice);
  const [suites, reference] = await Promise.all([readSuites(choice.suites), startChosen(choice)]);
  const folder = mkdtempSync(join(tmpdir(), 'carrierspec-'));
  try {
    const target = readTarget(choice.target ?? referenceTarget, { ...invocation.env, ...reference?.env });
    return await work({
      suites,
      target,
      options: optionsFor(suites, target, { folder, outlives: reference === undefined, invocation }),
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await reference?.close();
  }
}
