import { defineCommand } from '../shared/command.ts';
import { texts, toggle } from '../shared/inputs.ts';

export const compareDefinition = defineCommand({
  name: 'compare',
  summary: 'rules by results: how each carrier treats what the interface leaves open',
  description:
    'Sets results side by side, of several carriers or of one over time: verdicts and informational values of every rule, then limits and profile of runs that measured, differences first. Refuses results of different rules or suites. Exit code 0 says that the comparison was made, whatever it shows.',
  args: { files: texts('<result...>', 'two or more result.json') },
  flags: {
    shared: toggle('--shared', 'join results of different rules or suites nevertheless, and show only what they share'),
    report: texts('--report <format=path>', 'terminal, html, markdown or json; - is stdout'),
  },
  examples: [
    'one/result.json other/result.json',
    'one/result.json other/result.json --report html=compare.html --report json=-',
    'march/result.json june/result.json --shared',
  ],
});
