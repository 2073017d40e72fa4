import { describe, it } from 'vitest';
import { notRun } from './not-run-reporter.ts';

/** Tests that need something `npm ci` does not install: if `missing` names it, one skipped test reports that instead. */
export function describeUnless(missing: string | undefined, title: string, tests: () => void): void {
  if (missing === undefined) describe(title, tests);
  else it(`${notRun}${title}: ${missing}`, ({ skip }) => skip());
}
