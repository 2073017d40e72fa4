import { defineCommand } from '../shared/command.ts';
import { json, suites } from '../shared/flags.ts';
import { mandatory } from '../shared/inputs.ts';

export const preflightDefinition = defineCommand({
  name: 'preflight',
  summary: 'try a target file out: keys, discovery, endpoints, receiver, one request of each client',
  description:
    'Tries out what a run needs, in order, and says of each problem whose it is and what to change. Judges nothing. Exit code 0: a run can begin; 2: the configuration has to change; 3: the carrier or the receiver is out of reach.',
  args: {},
  flags: { target: mandatory('--target <file>', 'target file of the carrier under test'), suites, json },
  examples: ['--target carrier.yaml', '--target carrier.yaml --json'],
});
