import { CarrierspecError } from '../model/problem.ts';

/**
 * Awaits the work of `entry`, a function of the library. Its errors get the stack of the caller: node prints the source line of the
 * first frame of an error that nothing catches, and a line of the bundle has 40 kB. `entry` has to await the promise itself.
 */
export async function throwAtCaller<Value>(entry: CallableFunction, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error) {
      const { stack } = error;
      Error.captureStackTrace(error, entry);
      // A fault of our own keeps its place in the bundle.
      if (!(error instanceof CarrierspecError) && stack !== undefined) error.stack = stack;
    }
    throw error;
  }
}
