import { writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import process from 'node:process';
import { isMainThread } from 'node:worker_threads';

/** Preloaded into a measured process: writes to FIRST_FILE after how many milliseconds it first connected to the carrier. */
const connect = Socket.prototype.connect;
if (isMainThread) {
  Socket.prototype.connect = function first(...given) {
    Socket.prototype.connect = connect;
    writeFileSync(process.env.FIRST_FILE, String(performance.now()));
    return connect.apply(this, given);
  };
}
