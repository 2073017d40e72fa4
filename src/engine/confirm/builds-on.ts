import type { Case, Step } from '../../suite/suites.ts';
import { type Await, isAwait } from '../../suite/verbs/await.ts';
import { isHttp } from '../../suite/verbs/http.ts';
import { isTrigger } from '../../suite/verbs/trigger.ts';
import type { RunnableInterface } from '../context/case-context.ts';
import { verbOf } from '../act/verb.ts';

/** What every request builds on: the plain one is accepted. */
export const accepted = 'accepted';

type Verbs = RunnableInterface['verbs'];

const isRequest = ({ act }: Step, verbs: Verbs): boolean => verbOf(act, verbs).makes.includes('request');

/** The request that a step is about: the one named, or the last before it. */
function requestOf(of: string | undefined, before: readonly Step[], verbs: Verbs): string | undefined {
  return of ?? before.findLast((step) => isRequest(step, verbs))?.name;
}

/** A callback builds on what was done with its request last; where nothing was, it says that the time is over. */
function resultOf({ of }: Await, before: readonly Step[], verbs: Verbs): string {
  const request = requestOf(of, before, verbs);
  let result = 'timed-out';
  for (const [at, { act }] of before.entries()) {
    if (!isTrigger(act) || requestOf(act.of, before.slice(0, at), verbs) !== request) continue;
    result = act.definition?.establishes ?? result;
  }
  return result;
}

/** The word of the cases that establish what a step builds on; those of `accepted` stand for a request. */
export function buildsOn(name: string, { steps }: Pick<Case, 'steps'>, { verbs, requestEndpoint }: RunnableInterface) {
  const index = steps.findIndex((step) => step.name === name);
  const step = steps[index];
  if (step === undefined) return undefined;
  const { act } = step;
  if (isAwait(act)) {
    if (act.what === 'callback') return resultOf(act, steps.slice(0, index), verbs);
    return act.what === 'events' ? 'events' : accepted;
  }
  if (isHttp(act)) return act.request.to === requestEndpoint ? accepted : act.request.to;
  return isRequest(step, verbs) ? accepted : act.verb;
}
