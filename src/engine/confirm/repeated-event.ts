import { defined } from '../../lib/optional.ts';
import type { Finding } from '../../model/finding.ts';
import type { Message } from '../../model/exchange.ts';
import type { Subscriber } from '../../model/target.ts';
import type { Case } from '../../suite/suites.ts';
import type { World } from '../context/case-context.ts';
import { planTime } from '../plan/planned-time.ts';
import { firstEvent, missedEvent } from '../act/raising-step.ts';
import type { Need } from './builds-on.ts';
import { type For, runPlain, type Shown } from './plain-case.ts';

/** Result of two plain events about one subscriber without history in the run. */
export interface Repeated {
  /**
   * `dropped`: the first event comes and the second does not, though the time for duplicates is over. `missing`: no first event
   * comes. `unknown`: nothing shows either.
   */
  readonly status: 'dropped' | 'comes' | 'missing' | 'unknown';
  /** Why it is unknown. */
  readonly reason?: string;
  readonly messages: readonly Message[];
}

/** Subscribers who are tried: one that the plain case is not about may rightly have no events. */
const mostTried = 4;

/** Subscribers without history in the run who are known to the client; those with the tag of the plain case first. */
function withoutHistory(given: Case, { assignment: { client } }: For, { target, state }: World): readonly Subscriber[] {
  const fresh = target.subscribers.filter(
    ({ name, subs }) => subs[client.name] !== undefined && !state.eventsRaised.has(name),
  );
  const isTagged = ({ tags }: Subscriber): boolean => tags.includes(given.subscriber);
  return [...fresh.filter(isTagged), ...fresh.filter((one) => !isTagged(one))].slice(0, mostTried);
}

/** Why no subscriber without history shows anything. */
const reasons = {
  budget: 'the budget leaves no time to see whether events about a subscriber without history come',
  person: 'a person would have to cause an event about a subscriber without history',
  none: 'no subscriber without history in this run is left to tell whether only later events about one are dropped',
} as const;

/** Runs the plain case of an event twice about a subscriber without history: between the two, the time for duplicates passes. */
export async function repeatPlain(given: Case, asked: For, world: World): Promise<Repeated> {
  const { assignment, left } = asked;
  const messages: Message[] = [];
  let { time = 1 } = asked;
  // If the run has seen no first event of this kind either, history is not the reason.
  const unseen = (why: keyof typeof reasons): Repeated =>
    world.state.firstEvents.has(firstEvent(assignment.client, given))
      ? { status: 'unknown', reason: reasons[why], messages }
      : { status: 'missing', messages };
  if (2 * planTime(given, world).held > left) return unseen('budget');
  for (const subscriber of withoutHistory(given, asked, world)) {
    const run = async (): Promise<Shown['status']> => {
      // The first was about the subscriber of the case.
      time += 1;
      const shown = await runPlain(given, { ...asked, time, assignment: { ...assignment, subscriber } }, world);
      messages.push(...shown.messages);
      return shown.status;
    };
    const first = await run();
    if (first === 'unknown') return unseen('person');
    if (first === 'holds') return { status: (await run()) === 'fails' ? 'dropped' : 'comes', messages };
    if (subscriber.tags.includes(given.subscriber)) return { status: 'missing', messages };
  }
  return unseen('none');
}

/** The other cases that have raised events of a subscriber, the first before the others. */
const othersWith = ({ name }: Subscriber, given: Case, { eventsRaised }: World['state']): readonly string[] =>
  [...(eventsRaised.get(name) ?? [])].filter((id) => id !== given.id);

/** Cases with which a finding is seen again: each of them raises events of the same subscriber. */
const mostNamed = 3;

/**
 * No event came where a case awaited one, and earlier ones may be why: another case has raised events of the subscriber before,
 * or the plain event, which comes after those of the case, does not come either.
 */
export function maybeDropped(
  { step, whose }: Need,
  { given, shown }: { readonly given: Case; readonly shown: Shown | undefined },
  { state }: World,
): boolean {
  const hadHistory = shown?.status === 'fails' || othersWith(whose.subscriber, given, state).length > 0;
  return state.eventsMissed.has(missedEvent(given, step)) && hadHistory;
}

/** A second event about one subscriber is dropped though the time for duplicates is over: of the rule that says when it is. */
export function droppedEvent({ step: name, word, whose }: Need, given: Case, world: World): readonly Finding[] {
  const { rules, state } = world;
  const rule = rules.accepting({ change: 'set', what: 'event.after', value: word });
  const step = given.steps.find((one) => one.name === name);
  if (rule === undefined || step === undefined) return [];
  const others = othersWith(whose.subscriber, given, state).slice(0, mostNamed);
  return [
    {
      rule: rule.id,
      ...rules.bindingOf({ rule: rule.id }),
      code: 'dropped',
      path: 'event.after',
      expected: word,
      actual: `no ${word}`,
      step: name,
      ...defined({ comparedWith: others.length > 0 ? others : undefined }),
      position: step.position,
    },
  ];
}
