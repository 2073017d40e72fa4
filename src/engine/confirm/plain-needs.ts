import { groupBy } from '../../lib/lists.ts';
import type { Target } from '../../model/target.ts';
import type { Case, Step } from '../../suite/suites.ts';
import { type Await, isAwait } from '../../suite/verbs/await.ts';
import { isHttp } from '../../suite/verbs/http.ts';
import { isTrigger } from '../../suite/verbs/trigger.ts';
import type { Assignment, RunnableInterface, CarrierServices } from '../context/case-context.ts';
import { otherSubscriber } from '../context/scope.ts';
import type { AssignedCase } from '../plan/assign.ts';
import { findVerb } from '../act/verb.ts';

/** Word of the plain request, on which every request builds: it is accepted. */
export const plainRequestWord = 'accepted';

type Verbs = RunnableInterface['verbs'];

const isRequest = ({ act }: Step, verbs: Verbs): boolean => findVerb(act, verbs).makes.includes('request');

/** Request that a step refers to: the one named, or the last before it. */
const referredRequest = (of: string | undefined, before: readonly Step[], verbs: Verbs): string | undefined =>
  of ?? before.findLast((step) => isRequest(step, verbs))?.name;

/** Result that a callback builds on: of the last action on its request, or a timeout without one. */
function awaitedResult({ of }: Await, before: readonly Step[], verbs: Verbs): string {
  const request = referredRequest(of, before, verbs);
  let result = 'timed-out';
  for (const [at, { act }] of before.entries()) {
    if (!isTrigger(act) || referredRequest(act.of, before.slice(0, at), verbs) !== request) continue;
    result = act.definition?.establishes ?? result;
  }
  return result;
}

/** Word of the cases that establish what a step builds on; `plainRequestWord` stands for a request. */
function establishedWord(name: string, { steps }: Pick<Case, 'steps'>, { verbs, requestEndpoint }: RunnableInterface) {
  const index = steps.findIndex((step) => step.name === name);
  const step = steps[index];
  if (step === undefined) return undefined;
  const { act } = step;
  if (isAwait(act)) {
    if (act.what === 'callback') return awaitedResult(act, steps.slice(0, index), verbs);
    return act.what === 'events' ? act.event : plainRequestWord;
  }
  if (isHttp(act)) return act.request.to === requestEndpoint ? plainRequestWord : act.request.to;
  return isRequest(step, verbs) ? plainRequestWord : act.verb;
}

/** Word of the plain case that a step builds on, with its client and subscriber. */
export interface PlainNeed {
  readonly step: string;
  readonly word: string;
  readonly whose: Assignment;
}

/** Client and subscriber of a step; an event may name others than its case. */
function needAssignment({ act }: Step, assignment: Assignment, target: Target): Assignment {
  if (!isAwait(act) || act.what !== 'events') return assignment;
  const { client: usual, subscriber: own } = assignment;
  const client = target.clients.find(({ name }) => name === act.client) ?? usual;
  const subscriber = act.subscriber === undefined ? own : (otherSubscriber(target, act.subscriber, own) ?? own);
  return { ...assignment, client, subscriber };
}

export function plainNeeds(
  names: readonly string[],
  { case: given, assignment }: AssignedCase,
  { interface: certified, target }: CarrierServices,
): readonly PlainNeed[] {
  const needs = names.flatMap((name): PlainNeed[] => {
    const step = given.steps.find((one) => one.name === name);
    const word = establishedWord(name, given, certified);
    if (step === undefined || word === undefined) return [];
    return [{ step: name, word, whose: needAssignment(step, assignment, target) }];
  });
  const byWhat = groupBy(needs, ({ word, whose }) => JSON.stringify([word, whose.client.name, whose.subscriber.name]));
  return [...byWhat.values()].flatMap(([first]) => first ?? []);
}
