import { defineCommand } from '../shared/command.ts';
import * as flags from '../shared/flags.ts';
import { toggle } from '../shared/inputs.ts';

export const listDefinition = defineCommand({
  name: 'list',
  summary: 'list rules, cases, or the families of ids',
  args: { what: flags.what },
  flags: {
    suites: flags.suites,
    cases: toggle('--cases', 'list cases instead of rules'),
    coverage: toggle('--coverage', 'how many rules each family has, and how they are judged'),
    families: toggle('--families', 'which area each family of rule ids is in'),
  },
  examples: ['', '"REQ-*" --cases', '--coverage', '--families'],
});
