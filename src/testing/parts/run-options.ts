import { serverInitiated } from '../../interfaces/server-initiated/interface.ts';
import type { RunOptions } from '../../engine/run-options.ts';

type NeededOptions = Pick<RunOptions, 'suites' | 'target' | 'journal'>;

/** A run of all cases and rules of the suites, without progress or stop. */
export const buildRunOptions = (parts: NeededOptions & Partial<RunOptions>): RunOptions => ({
  interface: serverInitiated,
  selected: { ...parts.suites, rules: new Set(parts.suites.rules.map(({ id }) => id)) },
  selection: { what: [], level: 'informational' },
  jobs: 8,
  bail: false,
  confirm: false,
  progress: () => undefined,
  signal: new AbortController().signal,
  tool: { name: 'carrierspec', version: '0.0.0', node: 'v20', digest: 'sha256:0' },
  flags: [],
  profile: 'interface',
  ...parts,
});
