import { join } from 'node:path';
import { attestationProblems, clientProblems, supportsProblems } from '../../engine/plan/check-target.ts';
import { createIdleOptions as idle, type RunOptions } from '../../engine/run-options.ts';
import { serverInitiated } from '../../interfaces/server-initiated/interface.ts';
import { makeTemporaryFolder, removeFolder } from '../../files/folder.ts';
import { omitUndefined } from '../../lib/json.ts';
import type { Problem } from '../../model/problem.ts';
import type { Target } from '../../model/target.ts';
import { describeTool } from '../../setup/paths.ts';
import { readSuites, readTarget } from '../../setup/read-files.ts';
import { type CarrierChoice, referenceTarget, requireOneCarrier, startChosenCarrier } from '../../setup/reference.ts';
import type { Suites } from '../../suite/suites.ts';
import { type Invocation, listenForSignal } from './command.ts';
import { findOperator } from './operator.ts';

interface SetupChoice extends CarrierChoice {
  readonly suites: readonly string[];
}

export interface CommandSetup {
  readonly suites: Suites;
  readonly target: Target;
  /** Options of an idle run in a temporary folder, removed when the command ends. */
  readonly options: RunOptions;
}

/** Run options with no case selected. */
export const idleProgramRun = (of: Pick<RunOptions, 'suites' | 'target'>): RunOptions =>
  idle({ ...of, interface: serverInitiated, profile: 'interface', tool: describeTool() });

/** Reads a target file; its attestations and `supports` must name existing rules and requirements. */
export function readMatchingTarget(file: string, suites: Suites, env: Invocation['env']): Target {
  return readTarget(file, env, (target): readonly Problem[] => [
    ...attestationProblems(suites.rules, target),
    ...supportsProblems(suites.cases, target, serverInitiated),
    ...clientProblems(suites.cases, target, serverInitiated),
  ]);
}

/** Runs `work` with the chosen suites and carrier, then closes what it started. */
export async function withChosenCarrier<T>(
  choice: SetupChoice,
  invocation: Invocation,
  work: (setup: CommandSetup) => Promise<T>,
): Promise<T> {
  requireOneCarrier(choice);
  const [suites, reference] = await Promise.all([readSuites(choice.suites), startChosenCarrier(choice)]);
  const folder = makeTemporaryFolder('carrierspec-');
  try {
    const env = { ...invocation.env, ...reference?.env };
    const target = readTarget(choice.target ?? referenceTarget, env);
    const options: RunOptions = {
      ...idleProgramRun({ suites, target }),
      journal: join(folder, 'journal.jsonl'),
      outlives: reference === undefined,
      signal: listenForSignal(invocation),
      ...omitUndefined({ operator: findOperator(invocation) }),
    };
    return await work({ suites, target, options });
  } finally {
    removeFolder(folder);
    await reference?.close();
  }
}
