import type { RunOptions } from './run-options.ts';

/** The options of a run in which no case is selected, and nobody is told of anything. */
export const idleRun = (of: Pick<RunOptions, 'interface' | 'suites' | 'target' | 'tool' | 'profile'>): RunOptions => ({
  ...of,
  selected: { cases: [], invariants: [], rules: new Set() },
  selection: { what: [], level: 'informational' },
  journal: '',
  jobs: 16,
  bail: false,
  progress: () => undefined,
  signal: new AbortController().signal,
  flags: [],
});
