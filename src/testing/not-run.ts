import { describe, it } from 'vitest';
import { notRun } from './not-run-reporter.ts';

/** Tests that need something which `npm ci` does not install: if `missing` names it, one skipped test says so instead. */
export function describeUnless(missing: string | undefined, title: string, tests: () => void): void {
  if (missing === undefined) describe(title, tests);
  else it(`${notRun}${title}: ${missing}`, ({ skip }) => skip());
}
