import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import type { Operator } from '../engine/operator.ts';
import type { RunOptions } from '../engine/run-options.ts';
import { CarrierspecError } from '../model/problem.ts';
import type { Suites } from '../model/suite.ts';
import type { Target } from '../model/target.ts';
import { toolVersion } from '../rig/paths.ts';
import { readSuites, readTarget } from '../rig/read.ts';
import { referenceTarget, startReference } from '../rig/reference.ts';
import { exitCodes } from './exit-codes.ts';
import { createOperator } from './operator.ts';
import type { Invocation } from './terminal.ts';

/** Which carrier a command speaks to; without a target, the embedded reference carrier. */
export interface CarrierChoice {
  readonly target?: string;
  readonly suites: readonly string[];
  readonly fault: readonly string[];
}

/** What a command that speaks to a carrier has at hand. */
export interface Rig {
  readonly suites: Suites;
  readonly target: Target;
  /** A run of nothing yet, into a folder that goes when the command ends. */
  readonly options: RunOptions;
}

/** Somebody at a terminal; nobody where either end is none. */
function findOperator({ stdin, stderr, env }: Invocation): Operator | undefined {
  if (stdin?.isTTY !== true || stderr.isTTY !== true) return undefined;
  return createOperator({
    input: stdin,
    output: stderr,
    terminal: env['TERM'] !== 'dumb',
    folder: process.cwd(),
    now: Date.now,
    onOpen: () => undefined,
    onClose: () => undefined,
    interrupt: () => process.kill(process.pid, 'SIGINT'),
  });
}

/** First Ctrl-C ends cleanly, the second at once. */
export function listenForSignal({ onSignal, exitNow }: Invocation): AbortSignal {
  const controller = new AbortController();
  onSignal(() => {
    if (controller.signal.aborted) exitNow(exitCodes.interrupted);
    else controller.abort();
  });
  return controller.signal;
}

function optionsFor(suites: Suites, target: Target, { folder, invocation }: Place): RunOptions {
  const operator = findOperator(invocation);
  return {
    suites,
    selected: { cases: [], invariants: [], rules: new Set() },
    selection: { what: [], level: 'observed' },
    target,
    journal: join(folder, 'journal.jsonl'),
    jobs: 16,
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
  readonly invocation: Invocation;
}

/** Runs `work` with the suites and the carrier that the flags name, and ends what was started for it. */
export async function withCarrier<T>(
  choice: CarrierChoice,
  invocation: Invocation,
  work: (rig: Rig) => Promise<T>,
): Promise<T> {
  if (choice.target !== undefined && choice.fault.length > 0) {
    const message = '--fault is for the embedded reference carrier; it does not go with --target';
    throw new CarrierspecError(message, { kind: 'usage', code: 'bad-flag' });
  }
  const [suites, reference] = await Promise.all([
    readSuites(choice.suites),
    choice.target === undefined ? startReference(choice.fault) : undefined,
  ]);
  const folder = mkdtempSync(join(tmpdir(), 'carrierspec-'));
  try {
    const target = readTarget(choice.target ?? referenceTarget, { ...invocation.env, ...reference?.env });
    return await work({ suites, target, options: optionsFor(suites, target, { folder, invocation }) });
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await reference?.close();
  }
}
