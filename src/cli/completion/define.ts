import { defineCommand } from '../shared/command.ts';
import { mandatory, texts } from '../shared/inputs.ts';

/** The shells that have a script. */
export const shells = ['bash', 'zsh', 'fish'] as const;

export const completionDefinition = defineCommand({
  name: 'completion',
  summary: 'print the script that completes commands, flags and names in a shell',
  description:
    'Prints the script for bash, zsh or fish. It completes commands, flags and their values, and the names of rules, cases, areas, faults, report formats and tags. For bash: source <(carrierspec completion bash); for zsh: source <(carrierspec completion zsh), after compinit; for fish: carrierspec completion fish | source.',
  args: { shell: { ...mandatory('<shell>', 'bash, zsh or fish'), of: shells } },
  flags: {},
  examples: ['bash', 'zsh', 'fish'],
});

/** The scripts call it. */
export const completeDefinition = defineCommand({
  name: 'complete',
  summary: 'complete the last word',
  args: { words: texts('[words...]', 'the command line without the name of the program') },
  flags: {},
  examples: ['-- run --fa'],
  hidden: true,
});
