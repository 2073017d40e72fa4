import { withoutFlag } from '../../model/flags.ts';
import type { ResultHeader } from '../../model/result.ts';
import type { RunOptions } from '../run-options.ts';
import { refuse } from './interrupted-run.ts';

/** What has to be as it was in the interrupted run. */
type Fixed = Pick<ResultHeader, 'tool' | 'selection' | 'profile' | 'flags' | 'shard'> & {
  readonly suites: Pick<ResultHeader['suites'], 'rules' | 'suites'>;
  readonly target: Pick<ResultHeader['target'], 'fingerprint'>;
};

const facets: readonly (readonly [name: string, of: (fixed: Fixed) => unknown])[] = [
  ['the version of carrierspec', ({ tool }) => tool.version],
  ['the program', ({ tool }) => tool.digest],
  ['the rules', ({ suites }) => suites.rules],
  ['the suites', ({ suites }) => suites.suites],
  ['the target file', ({ target }) => target.fingerprint],
  ['the selection', ({ selection }) => selection],
  ['--profile', ({ profile }) => profile],
  ['--shard', ({ shard }) => shard ?? null],
  // The target file is known by what it says, wherever it stands.
  ['the flags', ({ flags }) => withoutFlag(flags, '--target')],
];

/** Throws with all that is not as it was: what was found then would not be about the same run. */
export function requireSame(before: ResultHeader, options: RunOptions): void {
  const { suites, selection, ...rest } = options;
  const now: Fixed = { ...rest, suites: suites.digests, selection: selection.what };
  const differing = facets.flatMap(([name, of]) => {
    const [then, today] = [JSON.stringify(of(before)), JSON.stringify(of(now))];
    return then === today ? [] : [`${name} (${then} then, ${today} now)`];
  });
  if (differing.length === 0) return;
  throw refuse('resume-differs', `--resume: not as in the run that was cut off: ${differing.join('; ')}`);
}
