import { omitUndefined } from '../../lib/json.ts';
import { createGate } from '../../report/shared/gate.ts';
import type { Invocation, Stream } from './command.ts';

/** Wraps a stream so that no text written to it acts as a command in a CI log. */
function gatedStream(stream: Stream): Stream {
  const gate = createGate({ plain: stream.isTTY !== true });
  const writeAsIs = stream.write.bind(stream);
  const write = (piece: unknown, ...rest: readonly unknown[]): unknown =>
    Reflect.apply(writeAsIs, undefined, [gate(String(piece)), ...rest]);
  return new Proxy(stream, {
    get(of, name) {
      if (name === 'write') return write;
      if (name === 'forCommands') return of;
      const member: unknown = Reflect.get(of, name, of);
      const bound: unknown = typeof member === 'function' ? member.bind(of) : member;
      return bound;
    },
  });
}

type InvocationChanges = Partial<Pick<Invocation, 'stdout' | 'stderr' | 'env'>>;

/** Copies an invocation with `changes`. stdin stays lazy: reading the property opens it. */
function withChanges(invocation: Invocation, changes: InvocationChanges): Invocation {
  const { argv, stdout, stderr, env, onSignal, keeps, exitNow } = invocation;
  return {
    argv,
    stdout,
    stderr,
    env,
    onSignal,
    ...omitUndefined({ keeps }),
    exitNow,
    ...changes,
    get stdin() {
      return invocation.stdin;
    },
  };
}

/** Gates both output streams. */
export const withGate = (invocation: Invocation): Invocation =>
  withChanges(invocation, { stdout: gatedStream(invocation.stdout), stderr: gatedStream(invocation.stderr) });

/** Applies `--color` or `--no-color` to the environment, so child processes inherit it; the flag wins. */
export function withColourFlag(invocation: Invocation, colour: unknown): Invocation {
  if (typeof colour !== 'boolean') return invocation;
  const env = colour
    ? { ...invocation.env, FORCE_COLOR: '1', NO_COLOR: undefined }
    : { ...invocation.env, FORCE_COLOR: undefined, NO_COLOR: '1' };
  return withChanges(invocation, { env });
}
