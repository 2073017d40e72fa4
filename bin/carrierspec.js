#!/usr/bin/env node
import process from 'node:process';
import { setFlagsFromString } from 'node:v8';

/** As src/cli/exit-codes.ts has it: our own fault, or that of what the process stands in. Node itself would end with 1. */
const internal = 5;
/** What a flag, a file or a device that is given cannot do. */
const usage = 2;
/** What Node gives where nothing is left to do before the program has come to its end. */
const unsettled = 13;

const full = { ENOSPC: 'no space is left on the device', EDQUOT: 'the quota of this user is used up' };

/** What of a command is there without its stdout. */
const kept = [];
let outputLost = false;
let ended = false;

const brief = (error) => (error instanceof Error ? `${error.name}: ${error.message}` : String(error));

/** Makes a text inert for the log of a CI; before the program is loaded there is no text of a carrier. */
let forLog = (text) => text;

function say(text) {
  try {
    process.stderr.write(forLog(`carrierspec: ${text}\n`));
  } catch {
    // There is nowhere left to say it; the exit code does.
  }
}

function endInternal(error) {
  const shown = error instanceof Error && process.env.CARRIERSPEC_DEBUG ? error.stack : brief(error);
  say(`this is a fault of carrierspec itself: ${shown}`);
  process.exit(internal);
}

// Where an error was made is shown to nobody else; a hostile header of thousands of lines makes thousands of errors.
if (!process.env.CARRIERSPEC_DEBUG) Error.stackTraceLimit = 0;

// A message is gone as soon as it is judged: a young generation that stays small takes a fifth of the memory less, and no longer.
setFlagsFromString('--semi-space-growth-factor=1');

process.on('uncaughtException', endInternal);
process.on('unhandledRejection', endInternal);

// A reader that takes only the head of a report closes the pipe: that is no error.
process.stdout.on('error', (error) => {
  if (error.code === 'EPIPE' || outputLost) return;
  outputLost = true;
  const why = full[error.code] ?? error.code ?? brief(error);
  say([`stdout cannot be written: ${why}`, ...kept].join('; '));
  process.exitCode = usage;
});
// The verdict stands in the files, on stdout and in the exit code: a log that is full changes none of them.
process.stderr.on('error', () => undefined);

process.on('exit', (code) => {
  // Node sets its own code beside this event, in some releases after it.
  if (ended || (code !== 0 && code !== unsettled)) return;
  say('this is a fault of carrierspec itself: it stopped before its end');
  process.exitCode = internal;
});

async function start() {
  const program = await import('../dist/bundle/main.js');
  forLog = program.forLog;
  return program.main({
    argv: process.argv.slice(2),
    // Opened only where the run asks the operator.
    get stdin() {
      return process.stdin;
    },
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    // What ends a container, a job of a CI or a terminal is no worse than Ctrl-C.
    onSignal: (listener) => {
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, listener);
    },
    keeps: (text) => kept.push(text),
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
