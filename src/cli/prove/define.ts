import { defineCommand } from '../shared/command.ts';
import { outOf, suites } from '../shared/flags.ts';
import { texts, toggle, whole } from '../shared/inputs.ts';

export const proveDefinition = defineCommand({
  name: 'prove',
  summary: 'show that the rules can fail: every fault of the reference carrier must turn its rules, and no others',
  args: { names: texts('[fault...]', 'names or globs of faults and variants; without any, all') },
  flags: {
    suites,
    out: outOf('folder of the matrix and of the remembered clean run', 'carrierspec-prove'),
    whole: toggle('--whole', 'run every case for every fault, also those it cannot make a difference to'),
    workers: whole('--workers <n>', 'threads; default: as many as there are cores', { from: 1, to: 64 }),
  },
  examples: ['', 'jti-never-kept', '"jti-*" --whole'],
});
