import process from 'node:process';
import type { Reporter, TestModule } from 'vitest/node';

/** Prefix of the skipped test that stands for tests that could not run. */
export const notRun = 'DID NOT RUN: ';

function reasonsIn(modules: readonly TestModule[]): readonly string[] {
  const skipped = modules.flatMap(({ children }) => [...children.allTests('skipped')].map(({ name }) => name));
  return [...new Set(skipped.filter((name) => name.startsWith(notRun)))];
}

/** Prints which tests did not run, and what they need, after all other output. */
export const notRunReporter: Reporter = {
  onTestRunEnd: (modules) => {
    const lines = reasonsIn(modules).map((reason) => `*** ${reason} ***\n`);
    // The default reporter prints its summary at the same event.
    if (lines.length > 0) process.once('exit', () => process.stderr.write(`\n${lines.join('')}`));
  },
};
