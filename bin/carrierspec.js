#!/usr/bin/env node
import process from 'node:process';
import { main } from '../dist/cli/main.js';

// A reader that takes only the head of a report closes the pipe: that is no error.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

process.exitCode = await main({
  argv: process.argv.slice(2),
  // Opened only where the run asks the operator.
  get stdin() {
    return process.stdin;
  },
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  // What ends a container or a job of a CI is no worse than Ctrl-C.
  onSignal: (listener) => {
    process.on('SIGINT', listener);
    process.on('SIGTERM', listener);
  },
  exitNow: (code) => process.exit(code),
});
