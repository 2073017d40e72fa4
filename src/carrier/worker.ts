import { parentPort, workerData } from 'node:worker_threads';
import { createCarrier } from './create-carrier.ts';
import { parseOptions } from './options.ts';

const parent = parentPort;
if (parent === null) throw new Error('src/carrier/worker.ts runs in a worker thread only');

const carrier = await createCarrier(parseOptions(workerData));
parent.on('message', (message: unknown) => {
  if (message === 'close') void carrier.close().then(() => parent.close());
});
parent.postMessage({ origin: carrier.origin, adminOrigin: carrier.adminOrigin });
