import { join } from 'node:path';
import type { RunOptions } from '../../engine/run-options.ts';
import { run } from '../../engine/run.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { CaseResult, Result } from '../../model/result.ts';
import type { Target } from '../../model/target.ts';
import { type Conduct, openHandCarrier } from '../carriers/hand-carrier.ts';
import { loadText } from './load-text.ts';
import { makeFolder } from '../program/target-file.ts';
import { buildRunOptions } from './run-options.ts';

const someRules = `area: area
title: An area
rules:
  - { id: REQ-001, clause: "2.3", level: required, description: It holds., judged: cases }
`;

interface CasesRun {
  readonly result: Result;
  readonly cases: Readonly<Record<string, CaseResult>>;
  /** Request targets that the carrier received. */
  readonly targets: readonly string[];
  readonly journal: string;
}

interface CasesSetting
  extends Partial<
    Pick<
      RunOptions,
      'signal' | 'operator' | 'jobs' | 'outlives' | 'confirm' | 'budget' | 'bail' | 'keepGoing' | 'interface' | 'order'
    >
  > {
  readonly rules?: string;
  /** Behaviour of the carrier on a request object; by default it accepts each and never sends a callback. */
  readonly conduct?: (claims: JsonObject, index: number) => Conduct;
  readonly change?: (target: Target, origin: string) => Target;
}

const granted = (_: JsonObject, index: number): Conduct => ({
  body: { auth_req_id: `ccid-0000000000${index}`, expires_in: 300 },
});

/** Runs the cases of this YAML against a hand-made carrier on a virtual clock. */
export async function runYamlCases(yaml: string, setting: CasesSetting = {}): Promise<CasesRun> {
  const { rules = someRules, conduct = granted, change = (target) => target, ...options } = setting;
  const { suites, problems } = await loadText({
    'area/rules.yaml': rules,
    'area/a.suite.yaml': `suite: A suite\ncases:\n${yaml}`,
  });
  if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join('; '));
  const carrier = await openHandCarrier(conduct);
  const journal = join(makeFolder(), 'journal.jsonl');
  try {
    const origin = new URL(carrier.target.endpoints['server_initiated'] ?? '').origin;
    const { result, close } = await run(
      buildRunOptions({ suites, target: change(carrier.target, origin), journal, outlives: true, ...options }),
    );
    const cases = Object.fromEntries([...result.cases].map((one) => [one.id, one]));
    close();
    return { result, cases, targets: carrier.targets, journal };
  } finally {
    await carrier.close();
  }
}
