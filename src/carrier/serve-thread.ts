import { parentPort } from 'node:worker_threads';
import type { RunningCarrier } from './create-carrier.ts';

/** Why a carrier was not started, if that is the caller's mistake. */
interface Refused {
  readonly refused: string;
}

/** Runs a carrier in this worker thread until the parent says `close`. The parent gets its addresses, or the refusal. */
export async function serveThread(start: () => Promise<RunningCarrier | Refused>): Promise<void> {
  const parent = parentPort;
  if (parent === null) throw new Error('the file of a worker thread was started as a program');
  const started = await start();
  if ('refused' in started) {
    parent.postMessage(started);
    return;
  }
  parent.on('message', (message: unknown) => {
    if (message === 'close') void started.close().then(() => parent.close());
  });
  parent.postMessage({ origin: started.origin, adminOrigin: started.adminOrigin });
}
