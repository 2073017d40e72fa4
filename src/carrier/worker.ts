import { parentPort, workerData } from 'node:worker_threads';
import { UnknownFaultError } from './catalogue.ts';
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
  // An error that leaves the thread is a fault of ours; a name that does not exist is the caller's mistake.
  if (!(error instanceof UnknownFaultError)) throw error;
  parent.postMessage({ refused: error.message });
}
