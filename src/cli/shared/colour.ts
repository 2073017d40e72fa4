import { withChanges } from './gated-streams.ts';
import type { Invocation } from './invocation.ts';

/** With `--color` or `--no-color` the environment says the same, to what the command starts as well: the flag wins. */
export function withColourFlag(invocation: Invocation, colour: unknown): Invocation {
  if (typeof colour !== 'boolean') return invocation;
  const env = colour
    ? { ...invocation.env, FORCE_COLOR: '1', NO_COLOR: undefined }
    : { ...invocation.env, FORCE_COLOR: undefined, NO_COLOR: '1' };
  return withChanges(invocation, { env });
}
