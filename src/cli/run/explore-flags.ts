import type { runDefinition } from '../definitions/certify.ts';
import type { Given } from '../shared/command.ts';
import { usageError } from '../shared/inputs.ts';

type RunFlags = Given<typeof runDefinition>;

/** The seed names a folder. */
const fitSeed = /^[A-Za-z0-9][A-Za-z0-9.-]{0,39}$/;

/** Flags of an exploration that is not asked for. Throws a usage error. */
export function requireExplore(given: Pick<RunFlags, 'explore' | 'seed' | 'requests' | 'pushes'>): void {
  const idle = (['seed', 'requests', 'pushes'] as const).find((flag) => given[flag] !== undefined);
  if (!given.explore && idle !== undefined) {
    throw usageError(`--${idle} says how --explore goes, which is missing`);
  }
}

/** Flags that mean nothing with `--explore`, or without it. Throws a usage error. */
export function requireExplorable(given: RunFlags): void {
  const { explore, seed, resume, shard, lastFailed } = given;
  requireExplore(given);
  if (!explore) return;
  const beside = [
    ['--resume', resume],
    ['--shard', shard !== undefined],
    ['--last-failed', lastFailed],
  ] as const;
  const wrong = beside.find(([, isGiven]) => isGiven);
  if (wrong !== undefined) {
    throw usageError(
      `--explore does not go with ${wrong[0]}: explore with carrierspec explore, and add its findings with --suites`,
    );
  }
  if (seed !== undefined && !fitSeed.test(seed)) {
    throw usageError('--seed: with --explore it names a folder, so it is at most 40 letters, digits, dots and hyphens');
  }
}
