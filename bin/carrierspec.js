#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { setFlagsFromString } from 'node:v8';

/** Exit code of an error of carrierspec itself or of its environment, as in src/cli/exit-codes.ts. Node would exit with 1. */
const internal = 5;
/** Exit code if a given flag, file or device cannot be used. */
const usage = 2;
/** Exit code of Node if the event loop is empty before the program has ended. */
const unsettled = 13;

const fullDevice = { ENOSPC: 'no space is left on the device', EDQUOT: 'the quota of this user is used up' };

/** Files that a command has written, for the message after a failed write to stdout. */
const writtenFiles = [];
let outputLost = false;
let ended = false;

const describeError = (error) => (error instanceof Error ? `${error.name}: ${error.message}` : String(error));

/** Escapes a text for a CI log. Before the program is loaded no text comes from a carrier. */
let forLog = (text) => text;

function say(text) {
  try {
    process.stderr.write(forLog(`carrierspec: ${text}\n`));
  } catch {
    // stderr cannot be written: only the exit code is left.
  }
}

function endInternal(error) {
  const shown = error instanceof Error && process.env.CARRIERSPEC_DEBUG ? error.stack : describeError(error);
  say(`this is a fault of carrierspec itself: ${shown}`);
  process.exit(internal);
}

// Stack traces are shown only with CARRIERSPEC_DEBUG, and a hostile header of thousands of lines makes thousands of errors.
if (!process.env.CARRIERSPEC_DEBUG) Error.stackTraceLimit = 0;

// Messages are short-lived: with a small young generation the process needs a fifth less memory and no more time.
setFlagsFromString('--semi-space-growth-factor=1');

process.on('uncaughtException', endInternal);
process.on('unhandledRejection', endInternal);

// EPIPE is not an error: `head` closes the pipe after its lines.
process.stdout.on('error', (error) => {
  if (error.code === 'EPIPE' || outputLost) return;
  outputLost = true;
  const why = fullDevice[error.code] ?? error.code ?? describeError(error);
  say([`stdout cannot be written: ${why}`, ...writtenFiles].join('; '));
  process.exitCode = usage;
});
// The verdict is also in the files, on stdout and in the exit code: a failed write to stderr changes nothing.
process.stderr.on('error', () => undefined);

process.on('exit', (code) => {
  // Node sets its own exit code during this event, in some releases after it.
  if (ended || (code !== 0 && code !== unsettled)) return;
  say('this is a fault of carrierspec itself: it stopped before its end');
  process.exitCode = internal;
});

async function start() {
  const [flag, ...others] = process.argv.slice(2);
  if (flag === '--version' && others.length === 0) {
    // Loads nothing, so that it takes as long as Node itself.
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
    process.stdout.write(`${version}\n`);
    return 0;
  }
  const program = await import('../dist/bundle/main.js');
  forLog = program.forLog;
  return program.main({
    argv: process.argv.slice(2),
    // Opened only if the run asks the operator.
    get stdin() {
      return process.stdin;
    },
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    // The signals of containers, CI systems and terminals have the effect of Ctrl-C.
    onSignal: (listener) => {
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, listener);
    },
    keeps: (text) => writtenFiles.push(text),
    exitNow: (code) => process.exit(code),
  });
}

try {
  const code = await start();
  ended = true;
  process.exitCode = outputLost ? usage : code;
} catch (error) {
  endInternal(error);
}
