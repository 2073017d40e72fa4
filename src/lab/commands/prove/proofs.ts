import process from 'node:process';
import { main } from '../../../cli/main.ts';
import { createCommandEntry } from '../../../cli/shared/command.ts';
import { deepDefinition, drawnDefinition, exploredSpaceDefinition } from './definitions.ts';

/** Proofs that take hours and that only this project runs, by `npm run prove:drawn`, `prove:deep` and `space:explore`. */
const proofs = [
  createCommandEntry(drawnDefinition, async () => {
    const { proveFaults } = await import('./prove.ts');
    return (flags, invocation) => proveFaults({ ...flags, suites: [], whole: false }, invocation, true);
  }),
  createCommandEntry(deepDefinition, async () => (await import('./deep.ts')).proveDeepCommand),
  createCommandEntry(exploredSpaceDefinition, async () => (await import('./explored-space.ts')).exploreSpaceCommand),
];

const { argv, stdout, stderr, env } = process;
process.exitCode = await main(
  {
    argv: argv.slice(2),
    stdout,
    stderr,
    env,
    onSignal: (listener) => void process.on('SIGINT', listener),
    exitNow: (code) => process.exit(code),
  },
  proofs,
);
