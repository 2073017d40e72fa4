import { fileURLToPath } from 'node:url';
import { readResult } from '../../journal/read-result.ts';

/** reports/sample.result.json: a real run against the reference carrier with three faults; src/cli/samples.test.ts makes it. */
export const { result: shippedSample } = readResult(
  fileURLToPath(new URL('../../../reports/sample.result.json', import.meta.url)),
);
