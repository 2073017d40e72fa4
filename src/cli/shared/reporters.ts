import { loadDefault, describeThrown, withTimeout } from '../../files/load-module.ts';
import { CarrierspecError } from '../../model/problem.ts';
import type { ProgressEvent, Reporter, ReporterContext, ReporterModule } from '../../model/progress.ts';
import type { Result } from '../../model/result.ts';
import { usageError } from './inputs.ts';

/** Longest time for a reporter to start, and to handle the result, in seconds. */
const maxSeconds = { beginning: 10, result: 60 };

/** A reporter or its factory, and its name in messages. */
export interface ReporterSource {
  readonly name: string;
  readonly module: ReporterModule;
}

export interface Reporters {
  readonly event: (event: ProgressEvent) => void;
  readonly finish: (result: Result) => Promise<void>;
  /** Throws if a reporter failed. Call it after all output is written. */
  readonly requireSound: () => void;
}

const isReporter = (value: unknown): value is Reporter =>
  typeof value === 'object' &&
  value !== null &&
  ['event', 'result'].some((name) => name in value) &&
  (!('event' in value) || typeof value.event === 'function') &&
  (!('result' in value) || typeof value.result === 'function');

const isReporterFactory = (value: unknown): value is Extract<ReporterModule, (...given: never) => unknown> =>
  typeof value === 'function';

const notReporterText = 'is no reporter: an object with a function "event", a function "result", or both';

/** Loads the `--reporter` modules; throws for one that is not a reporter. Nothing else has started yet. */
export async function loadReporters(files: readonly string[]): Promise<readonly ReporterSource[]> {
  const loaded: ReporterSource[] = [];
  for (const name of files) {
    const found = await loadDefault(name);
    if ('why' in found) throw usageError(`--reporter: ${name}: ${found.why}`);
    const { given } = found;
    if (!isReporterFactory(given) && !isReporter(given))
      throw usageError(`--reporter: ${name}: its default export ${notReporterText}`);
    loaded.push({ name, module: given });
  }
  return loaded;
}

async function beginReporter({ name, module }: ReporterSource, context: ReporterContext): Promise<Reporter> {
  if (!isReporterFactory(module)) return module;
  let made: unknown;
  try {
    made = await withTimeout(module(context), maxSeconds.beginning);
  } catch (error) {
    throw usageError(`--reporter: ${name}: it failed at its start: ${describeThrown(error)}`, error);
  }
  if (!isReporter(made)) throw usageError(`--reporter: ${name}: what its function gives ${notReporterText}`);
  return made;
}

interface RunningReporter {
  readonly name: string;
  readonly reporter: Reporter;
  failed: string | undefined;
}

/** Starts reporters. One that throws is noted and receives nothing more; the others and the run continue. */
export async function beginReporters(
  given: readonly ReporterSource[],
  context: ReporterContext,
  note: (line: string) => void,
): Promise<Reporters> {
  const all: RunningReporter[] = [];
  for (const one of given) all.push({ name: one.name, reporter: await beginReporter(one, context), failed: undefined });
  const fail = (one: RunningReporter, when: string, error: unknown): void => {
    if (one.failed !== undefined) return;
    one.failed = `the reporter ${one.name} failed ${when}: ${describeThrown(error)}`;
    note(`${one.failed}; it receives no further events, and the run goes on`);
  };
  const sound = (): readonly RunningReporter[] => all.filter(({ failed }) => failed === undefined);
  return {
    event: (event) => {
      for (const one of sound()) sendEvent(one, event, (error) => fail(one, `at "${event.kind}"`, error));
    },
    finish: async (result) => {
      for (const one of sound()) {
        try {
          await withTimeout(one.reporter.result?.(result), maxSeconds.result);
        } catch (error) {
          fail(one, 'with the result', error);
        }
      }
    },
    requireSound: () => {
      const failed = all.flatMap((one) => one.failed ?? []);
      if (failed.length > 0) throw new CarrierspecError(failed.join('; '), { code: 'reporter-failed' });
    },
  };
}

/** Sends an event to one reporter. If it returns a promise, only a rejection is handled. */
function sendEvent({ reporter }: RunningReporter, event: ProgressEvent, fail: (error: unknown) => void): void {
  try {
    const given: unknown = reporter.event?.(event);
    if (given instanceof Promise) given.catch(fail);
  } catch (error) {
    fail(error);
  }
}
