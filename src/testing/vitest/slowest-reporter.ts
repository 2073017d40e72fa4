import process from 'node:process';
import type { Reporter, TestModule } from 'vitest/node';

const shown = 20;

/** Milliseconds of a file: loading it, its hooks and its tests. */
function timeOf(module: TestModule): number {
  const { collectDuration, setupDuration, duration } = module.diagnostic();
  return collectDuration + setupDuration + duration;
}

/** Prints the slowest files, when more than these ran. */
export const slowestReporter: Reporter = {
  onTestRunEnd: (modules) => {
    if (modules.length <= shown) return;
    const slowest = modules
      .map((module) => ({ file: module.relativeModuleId, time: timeOf(module) }))
      .toSorted((one, other) => other.time - one.time)
      .slice(0, shown);
    const lines = slowest.map(({ file, time }) => `${(time / 1000).toFixed(1).padStart(7)} s  ${file}\n`);
    // The default reporter prints its summary at the same event.
    process.once('exit', () => process.stdout.write(`\nThe slowest ${shown} files:\n${lines.join('')}`));
  },
};
