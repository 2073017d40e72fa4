import process from 'node:process';
import type { Reporter, TestModule } from 'vitest/node';

/** Begins the name of the skipped test that stands for tests which could not run. */
export const notRun = 'DID NOT RUN: ';

function reasonsIn(modules: readonly TestModule[]): readonly string[] {
  const skipped = modules.flatMap(({ children }) => [...children.allTests('skipped')].map(({ name }) => name));
  return [...new Set(skipped.filter((name) => name.startsWith(notRun)))];
}

/** Prints which tests did not run, and what they need, as the last lines of all. */
export const notRunReporter: Reporter = {
  onTestRunEnd: (modules) => {
    const lines = reasonsIn(modules).map((reason) => `*** ${reason} ***\n`);
    // The summary of the default reporter comes at the same event.
    if (lines.length > 0) process.once('exit', () => process.stderr.write(`\n${lines.join('')}`));
  },
};
