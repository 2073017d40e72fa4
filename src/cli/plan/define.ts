import { defineCommand } from '../shared/command.ts';
import * as flags from '../shared/flags.ts';

export const planDefinition = defineCommand({
  name: 'plan',
  summary: 'say what would run, how long it takes, and what a person must do',
  description: 'Says how a run would go, and sends nothing; without --target, against the embedded reference carrier.',
  args: { what: flags.what },
  flags: {
    target: flags.target,
    suites: flags.suites,
    without: flags.without,
    level: flags.level,
    budget: flags.budget,
    json: flags.json,
  },
  examples: ['--target carrier.yaml', 'events --target carrier.yaml --budget 2h'],
});
