import { defined } from '../../lib/json.ts';
import { createGate } from '../../report/shared/gate.ts';
import type { Invocation, Stream } from './command.ts';

/** The same stream, but what is written to it is text: no line of it is a command in the log of a CI. */
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

type Changes = Partial<Pick<Invocation, 'stdout' | 'stderr' | 'env'>>;

/** The same invocation but for `changes`. Opening stdin is left to what reads it. */
function withChanges(invocation: Invocation, changes: Changes): Invocation {
  const { argv, stdout, stderr, env, onSignal, keeps, exitNow } = invocation;
  return {
    argv,
    stdout,
    stderr,
    env,
    onSignal,
    ...defined({ keeps }),
    exitNow,
    ...changes,
    get stdin() {
      return invocation.stdin;
    },
  };
}

/** Puts the gate before both streams: everything that a command writes goes through it. */
export const withGate = (invocation: Invocation): Invocation =>
  withChanges(invocation, { stdout: gatedStream(invocation.stdout), stderr: gatedStream(invocation.stderr) });

/** With `--color` or `--no-color` the environment says the same, to what the command starts as well: the flag wins. */
export function withColourFlag(invocation: Invocation, colour: unknown): Invocation {
  if (typeof colour !== 'boolean') return invocation;
  const env = colour
    ? { ...invocation.env, FORCE_COLOR: '1', NO_COLOR: undefined }
    : { ...invocation.env, FORCE_COLOR: undefined, NO_COLOR: '1' };
  return withChanges(invocation, { env });
}
