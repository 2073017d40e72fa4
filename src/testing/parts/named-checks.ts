import { describe, expect, test } from 'vitest';
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

/** A check with conforming observations, and with violating ones and their findings. */
export interface CheckRow {
  readonly name: string;
  readonly conforms?: readonly (readonly [what: string, observation: Judgeable])[];
  readonly violates?: readonly (readonly [what: string, observation: Judgeable, found: Partial<CheckMismatch>])[];
}

/** Tests each check with each of its observations. */
export function testChecks(table: readonly CheckRow[]): void {
  describe.each(table)('$name', ({ name, conforms = [], violates = [] }) => {
    test.each(conforms)('conforms: %s', (_, observation) => {
      expect(checkMessage(name, observation)).toEqual([]);
    });

    test.each(violates)('violates: %s', (_, observation, found) => {
      const mismatches = checkMessage(name, observation);
      expect(mismatches).toHaveLength(1);
      expect(mismatches[0]).toMatchObject(found);
      expect(mismatches[0]?.aspect).toBe(found.aspect);
    });
  });
}
