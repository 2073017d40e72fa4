import { workerData } from 'node:worker_threads';
import { createCarrier } from './create-carrier.ts';
import { parseOptions } from './options.ts';
import { serveThread } from './serve-thread.ts';

await serveThread(() => createCarrier(parseOptions(workerData)));
