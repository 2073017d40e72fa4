import { defineCommand } from '../shared/command.ts';
import { suites } from '../shared/flags.ts';
import { mandatory } from '../shared/inputs.ts';

export const explainDefinition = defineCommand({
  name: 'explain',
  summary: 'say what a rule or a case means, how it is judged, and which faults prove it',
  args: { name: mandatory('<name>', 'id of a rule, a case or an invariant; or the letters a rule id begins with') },
  flags: { suites },
  examples: ['REQ-015', 'jti-again-after-4m30s', 'CXL'],
});
