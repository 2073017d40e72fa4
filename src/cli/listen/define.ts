import { defineCommand } from '../shared/command.ts';
import { jwks, suites } from '../shared/flags.ts';
import { text, toggle, whole, wholeOr } from '../shared/inputs.ts';

export const listenDefinition = defineCommand({
  name: 'listen',
  summary: 'host the receiver and print every delivery as it comes',
  description:
    'Hosts the receiver of the target until Ctrl-C, and prints each callback and event as it comes, decoded, with the rules it breaks. Without --target it stands where carrierspec carrier delivers.',
  args: {},
  flags: {
    target: text('--target <file>', 'target file whose receiver this is'),
    port: whole('--port <n>', 'another port; 0 takes any', { from: 0, to: 65_535 }),
    host: text('--host <address>', 'another address'),
    status: wholeOr('--answer <status>', 'HTTP status of every response', { from: 200, to: 599, initial: 200 }),
    jwks,
    suites,
    json: toggle('--json', 'a JSON document a line instead of text'),
  },
  examples: ['', '--answer 503 --port 8443', '--target carrier.yaml --json'],
});
