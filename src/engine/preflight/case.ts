import type { Position } from '../../model/position.ts';
import type { Client } from '../../model/target.ts';
import type { Case } from '../../suite/suites.ts';

export const position: Position = { file: 'preflight', line: 1, column: 1 };

/** What is asked for no rule: nothing is judged in it. */
export const caseOf = (id: string, client: Client, given: Partial<Case> = {}): Case => ({
  id,
  title: 'What the target file says is tried',
  suite: 'preflight',
  area: 'preflight',
  position,
  rules: [],
  client: client.name,
  subscriber: 'consented',
  exclusive: false,
  requires: [],
  receiver: [],
  eventReceiver: [],
  detects: [],
  each: [],
  steps: [],
  ...given,
});
