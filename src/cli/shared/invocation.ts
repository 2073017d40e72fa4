import type { Readable, Writable } from 'node:stream';
import { createPage, type Page } from '../../report/shared/layout.ts';
import { exitCodes } from '../exit-codes.ts';

/** A stream of the process: a terminal or not. */
export type Stream = Writable & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  /** The stream without its gate, for lines that are meant as commands of a CI; absent where the stream has none. */
  readonly forCommands?: Writable;
};

export interface Invocation {
  readonly argv: readonly string[];
  /** Where the operator answers; absent: there is no operator. */
  readonly stdin?: (Readable & { readonly isTTY?: boolean }) | undefined;
  readonly stdout: Stream;
  readonly stderr: Stream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Registers what Ctrl-C does, SIGTERM and SIGHUP. */
  readonly onSignal: (listener: () => void) => void;
  /** What is kept where stdout cannot be written, in words; absent: nobody tells. */
  readonly keeps?: (text: string) => void;
  /** Ends the process at once: the second Ctrl-C. */
  readonly exitNow: (code: number) => void;
}

type Env = Invocation['env'];

const isSet = (value: string | undefined): boolean => value !== undefined && value !== '';

/** FORCE_COLOR wins, then NO_COLOR, then whether the stream is a terminal (https://no-color.org). */
export function wantsColour(stream: Stream, env: Env): boolean {
  if (isSet(env['FORCE_COLOR'])) return env['FORCE_COLOR'] !== '0';
  if (isSet(env['NO_COLOR']) || env['TERM'] === 'dumb') return false;
  return stream.isTTY === true;
}

/** Columns for the report: those of the terminal, within what can be read well. */
function widthOf(stream: Stream, env: Env): number {
  const columns = stream.columns ?? Number(env['COLUMNS']);
  return Number.isInteger(columns) && columns >= 40 ? Math.min(columns, 120) : 100;
}

/** Progress is redrawn in place only on a terminal that no CI records. */
export function isLive(stream: Stream, env: Env): boolean {
  return stream.isTTY === true && !isSet(env['CI']) && env['TERM'] !== 'dumb';
}

/** The first Ctrl-C aborts the signal, after `onFirst`; the second ends the process at once. */
export function listenForSignal({ onSignal, exitNow }: Invocation, onFirst: () => void = () => undefined): AbortSignal {
  const controller = new AbortController();
  onSignal(() => {
    if (controller.signal.aborted) {
      exitNow(exitCodes.interrupted);
      return;
    }
    onFirst();
    controller.abort();
  });
  return controller.signal;
}

export const settingOf = (stream: Stream, env: Env): Parameters<typeof createPage>[0] => ({
  colour: wantsColour(stream, env),
  width: widthOf(stream, env),
});

export const pageOf = ({ stdout, env }: Pick<Invocation, 'stdout' | 'env'>): Page => createPage(settingOf(stdout, env));

/** Without a terminal and without COLUMNS, rows stay whole, so that grep and cut can work on them. */
export function wantsWholeRows({ stdout, env }: Pick<Invocation, 'stdout' | 'env'>): boolean {
  return stdout.isTTY !== true && (env['COLUMNS'] ?? '') === '';
}
