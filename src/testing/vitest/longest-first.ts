import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Slowest test files, in the order in which they start. If one of them started last, it would run alone with one core idle. */
const longest = [
  'lab/commands/prove/whole.prove',
  'cli/certify/certification-whole.prove',
  'cli/shipped/same-result.prove',
  'testing/carriers/foreign-carrier.nightly',
  'cli/run/live-whole.nightly',
  'lab/prove/order.nightly',
  'cli/run/real-time.nightly',
  'cli/run/real-time',
  'cli/run/clock-jump.nightly',
  'cli/run/people',
  'cli/run/resume',
  'cli/run/first-contact',
  'report/html/guard.browser',
  'cli/shipped/ci',
  'cli/process',
  'api/package',
  'engine/measure/measure',
].map((name) => join(import.meta.dirname, '../..', `${name}.test.ts`));
const gone = longest.filter((file) => !existsSync(file));
if (gone.length > 0) throw new Error(`files to begin with are not there: ${gone.join(', ')}`);

/** Starts the slowest files first. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const placeOf = ({ moduleId }: TestSpecification): number => {
      const found = longest.indexOf(moduleId);
      return found < 0 ? longest.length : found;
    };
    return sorted.toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}
