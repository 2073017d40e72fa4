import { defined } from '../../lib/optional.ts';
import type { Invocation } from './invocation.ts';

/** With `--color` or `--no-color` the environment says the same, to what the command starts as well: the flag wins. */
export function withColourFlag(invocation: Invocation, colour: unknown): Invocation {
  if (typeof colour !== 'boolean') return invocation;
  const { argv, stdout, stderr, onSignal, keeps, exitNow } = invocation;
  const env = colour
    ? { ...invocation.env, FORCE_COLOR: '1', NO_COLOR: undefined }
    : { ...invocation.env, FORCE_COLOR: undefined, NO_COLOR: '1' };
  return {
    argv,
    stdout,
    stderr,
    env,
    onSignal,
    ...defined({ keeps }),
    exitNow,
    // Opening stdin is left to who reads it.
    get stdin() {
      return invocation.stdin;
    },
  };
}
