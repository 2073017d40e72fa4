import type { Difference } from '../../model/suite.ts';
import type { Step } from '../../suite/suites.ts';
import type { Await } from '../../suite/verbs/await.ts';
import type { AnyAct } from '../../suite/verbs/verb.ts';
import type { Http } from '../../suite/verbs/http.ts';
import type { Trigger } from '../../suite/verbs/trigger.ts';

interface Acts {
  readonly authorize: AnyAct & { readonly difference: Difference };
  readonly look: AnyAct & { readonly what: string; readonly of?: string };
  readonly trigger: AnyAct & Trigger;
  readonly await: AnyAct & Await;
  readonly http: AnyAct & Http;
}

/** Returns the act of a step; throws if its verb is another one. */
export function requireAct<Verb extends keyof Acts>(step: Step | undefined, verb: Verb): Acts[Verb] {
  const act = step?.act;
  if (act === undefined || !isVerb(act, verb)) throw new Error(`no ${verb}`);
  return act;
}

function isVerb<Verb extends keyof Acts>(act: AnyAct, verb: Verb): act is Acts[Verb] {
  return act.verb === verb;
}
