import { defineCommand } from '../shared/command.ts';
import { text, texts, toggle } from '../shared/inputs.ts';

export const checkDefinition = defineCommand({
  name: 'check',
  summary: 'check suites, and a target file, without sending anything',
  args: { dirs: texts('[dir...]', 'further folders of suites') },
  flags: {
    target: text('--target <file>', 'a target file to check as well'),
    fix: toggle('--fix', 'rewrite the names of version 1 in these folders and the target file'),
  },
  examples: ['', 'my-suites --target carrier.yaml', 'my-suites --target carrier.yaml --fix'],
});
