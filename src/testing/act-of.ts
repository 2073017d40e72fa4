import type { Act } from '../suite/verbs/table.ts';
import type { Step } from '../suite/suites.ts';

/** The act of a step that must have this verb. */
export function actOf<Verb extends Act['verb']>(step: Step | undefined, verb: Verb): Extract<Act, { verb: Verb }> {
  const act = step?.act;
  if (act === undefined || !isVerb(act, verb)) throw new Error(`no ${verb}`);
  return act;
}

function isVerb<Verb extends Act['verb']>(act: Act, verb: Verb): act is Extract<Act, { verb: Verb }> {
  return act.verb === verb;
}
