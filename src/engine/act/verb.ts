import type { Observation } from '../../judge/observation.ts';
import type { Step } from '../../suite/suites.ts';
import type { AnyAct, VerbDefinition } from '../../suite/verbs/verb.ts';
import type { CaseContext, StepVerb } from '../context/case-context.ts';
import type { Walk } from '../context/walk.ts';

interface VerbExecution<Act extends AnyAct> {
  readonly run: (act: Act, step: Step, ctx: CaseContext) => Promise<Observation>;
  readonly plan?: (act: Act, step: Step, walk: Walk) => void;
  readonly only?: (act: Act, whats: ReadonlySet<string>) => Act;
}

/** Joins a verb of the suite language with its execution; a verb without a plan takes no time. */
export function defineStepVerb<Act extends AnyAct>(
  definition: VerbDefinition<Act>,
  { run, plan, only }: VerbExecution<Act>,
): StepVerb {
  const own = (act: AnyAct): Act => {
    if (definition.is(act)) return act;
    throw new TypeError(`${act.verb} is not ${definition.verb}`);
  };
  return {
    ...definition,
    run: (act, step, ctx) => run(own(act), step, ctx),
    plan: (act, step, walk) => plan?.(own(act), step, walk),
    ...(only === undefined ? {} : { only: (act, whats) => only(own(act), whats) }),
  };
}

export function performAct(step: Step, ctx: CaseContext): Promise<Observation> {
  const { act } = step;
  const verb = findVerb(act, ctx.services.interface.verbs);
  if (verb.makes.includes('request')) ctx.state.lastRequest = step.name;
  return verb.run(act, step, ctx);
}

/** Returns the verb of an act. Every act has one, because a suite is loaded with the verbs of its run. */
export function findVerb(act: AnyAct, verbs: readonly StepVerb[]): StepVerb {
  const verb = verbs.find((one) => one.verb === act.verb);
  if (verb === undefined) throw new TypeError(`the interface has no verb ${act.verb}`);
  return verb;
}
