#!/usr/bin/env node
import process from 'node:process';
import { main } from '../dist/cli/main.js';

process.exitCode = await main({
  argv: process.argv.slice(2),
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  onSignal: (listener) => process.on('SIGINT', listener),
});
