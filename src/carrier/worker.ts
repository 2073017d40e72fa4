import { parentPort, workerData } from 'node:worker_threads';
import { UnknownFaultError } from '../lab/catalogue.ts';
import { createCarrier } from './create-carrier.ts';
import { parseOptions } from './options.ts';

const parent = parentPort;
if (parent === null) throw new Error('src/carrier/worker.ts runs in a worker thread only');

try {
  const carrier = await createCarrier(parseOptions(workerData));
  parent.on('message', (message: unknown) => {
    if (message === 'close') void carrier.close().then(() => parent.close());
  });
  parent.postMessage({ origin: carrier.origin, adminOrigin: carrier.adminOrigin });
} catch (error) {
  // An unknown name is the caller's mistake; any other error is ours and ends the thread.
  if (!(error instanceof UnknownFaultError)) throw error;
  parent.postMessage({ refused: error.message });
}
