import { expect, test } from 'vitest';
import { serverInitiated } from '../../interfaces/server-initiated/interface.ts';
import type { CheckMismatch, RunCheck, RunMessage } from '../../judge/check.ts';
import type { Judgeable } from '../../judge/observation.ts';

/** A run check of the certified interface, by the name that suites use. */
export function runCheck(name: string): RunCheck {
  const check = serverInitiated.checks[name];
  if (check?.over !== 'run') throw new TypeError(`${name} is no check over the run`);
  return check;
}

/** Findings of a run check in these messages. */
export function checkRun(name: string, messages: readonly RunMessage[]) {
  const { observe, conclude } = runCheck(name).begin();
  for (const message of messages) observe(message);
  return conclude();
}

/** Findings of a message check. */
export function checkMessage(name: string, observation: Judgeable): readonly CheckMismatch[] {
  const check = serverInitiated.checks[name];
  if (check?.over !== 'message') throw new TypeError(`${name} is no check of a message`);
  return check.check(observation);
}

type CheckRow = readonly [what: string, observation: Judgeable, found?: Partial<CheckMismatch>];

/** Observations by the name of a check, each with its finding if it violates the check. */
export type CheckTable = Readonly<Record<string, readonly CheckRow[]>>;

/** Tests each check with each of its observations. */
export function testChecks(table: CheckTable): void {
  const rows = Object.entries(table).flatMap(([name, all]) =>
    all.map(([what, observation, found]) => [name, what, { observation, found }] as const),
  );
  test.each(rows)('%s: %s', (name, _, { observation, found }) => {
    const mismatches = checkMessage(name, observation);
    expect(mismatches).toHaveLength(found === undefined ? 0 : 1);
    expect(mismatches[0] ?? {}).toMatchObject(found ?? {});
    expect(mismatches[0]?.aspect).toBe(found?.aspect);
  });
}
