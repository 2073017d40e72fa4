import { omitUndefined, readMember, parseBody } from '../../lib/json.ts';
import type { Finding } from '../../model/finding.ts';
import type { Message, Attempt } from '../../model/exchange.ts';
import type { Subscriber } from '../../model/target.ts';
import type { Case } from '../../suite/suites.ts';
import type { AskedAgain, Assignment, CarrierServices, RunServices } from '../context/case-context.ts';
import { planTime } from '../plan/planned-time.ts';
import { eventKindKey, missedEventKey, raisingAction } from '../act/await.ts';
import type { PlainNeed } from './plain-needs.ts';
import { countedVerdict } from '../../verdict/standing.ts';
import type { CaseResult } from '../../model/result.ts';
import { createInvariantJudge, type InvariantJudge } from '../../judge/invariants.ts';
import { caseLocks } from '../case/locks.ts';
import { describeOurFault, runCase } from '../case/run-case.ts';
import { Quarantined } from '../clock/scheduler.ts';
import { Interrupted } from '../clock/timeline.ts';
import { isAttendedDriver } from '../drive/drive.ts';

/** Separate attempt that belongs to a case. */
export interface AttemptOrder {
  readonly case: Case;
  readonly assignment: Assignment;
  /** Id of the case that records its messages. */
  readonly of: string;
  readonly name: Attempt;
  /** Number among the attempts of this name, from 1. */
  readonly time?: number;
  readonly order: number;
  /** Acts of the first try, if the person is asked again. */
  readonly asksAgain?: AskedAgain | undefined;
  /** Judge of its messages; without one no invariant sees them, because a message counts once. */
  readonly invariants?: InvariantJudge;
}

interface ImpossibleTry {
  readonly impossible: string;
}

function explainImpossible(error: unknown): ImpossibleTry {
  if (error instanceof Quarantined || error instanceof Interrupted) return { impossible: error.message };
  return { impossible: describeOurFault(error) };
}

/** Returns the case without the observation after its steps. It stays observed if no unattended driver can deny what is pending. */
export function withoutWatch(given: Case, { target }: CarrierServices): Case {
  const { deny } = target.drivers;
  return deny === undefined || isAttendedDriver(deny) ? given : { ...given, watched: false };
}

const createNoJudge = ({ rules, interface: { checks } }: Pick<RunServices, 'interface' | 'rules'>): InvariantJudge =>
  createInvariantJudge({ invariants: [], checks, rules });

/** Runs a case to its verdict, with locks of its own. */
export async function attemptCase(trying: AttemptOrder, services: RunServices): Promise<CaseResult | ImpossibleTry> {
  const { case: given, assignment, of, name, time = 1, order, asksAgain } = trying;
  const { invariants = createNoJudge(services) } = trying;
  try {
    const attempt = { of, name, time, ...omitUndefined({ asksAgain }) };
    const runnable = { case: given, assignment, attempt };
    const result = await runCase(runnable, order, { ...services, invariants });
    return result.verdict === 'not-run' || result.verdict === 'error'
      ? { impossible: result.reason ?? result.verdict }
      : result;
  } catch (error) {
    return explainImpossible(error);
  }
}

export interface PlainOutcome {
  /** `unmet`: no verdict, because of what it builds on itself; `unknown`: there is no such case, or it could not run. */
  readonly status: 'holds' | 'fails' | 'unmet' | 'unknown';
  /** Failed plain case and its rule. */
  readonly cause?: { readonly rule: string; readonly case: string };
  /** Rules that it found broken. */
  readonly broken?: ReadonlySet<string>;
  /** Tokens or data came in it that must not have come, by its own rule. */
  readonly carries?: boolean;
  readonly reason?: string;
  readonly messages: readonly Message[];
}

export interface PlainRun {
  readonly assignment: Assignment;
  /** Id of the case that it belongs to, and that case's order in the run. */
  readonly of: string;
  readonly order: number;
  /** Seconds left of the budget. */
  readonly left: number;
  /** Number among the plain cases of that case, from 1. */
  readonly time?: number;
}

const unknownOutcome: PlainOutcome = { status: 'unknown', messages: [] };

/** Status, error and description of the last unsuccessful response; without one, the case's reason or finding. */
export function describeFailure({ messages, findings, reason }: CaseResult): string {
  const refused = messages.findLast((one) => one.kind === 'exchange' && (one.response?.status ?? 0) >= 300);
  if (refused?.kind !== 'exchange' || refused.response === undefined) {
    const [finding] = findings;
    return reason ?? (typeof finding?.actual === 'string' ? finding.actual : JSON.stringify(finding?.actual ?? null));
  }
  const body = parseBody(refused.response.body);
  const named = [readMember(body, 'error'), readMember(body, 'error_description')].filter(
    (one) => typeof one === 'string',
  );
  return [`HTTP ${refused.response.status}`, ...named].join(', ');
}

function plainOutcome(result: CaseResult): PlainOutcome {
  const { verdict, messages, id, findings } = result;
  const rule = result.rules[0]?.rule ?? '';
  const isBroken = findings.some((one) => one.rule === rule && countedVerdict(one) === 'fail');
  if (!isBroken && verdict !== 'inconclusive') return { status: 'holds', messages };
  const reason = `the plain case ${id} of the same client and subscriber does not hold either: ${describeFailure(result)}`;
  const broken = new Set(findings.filter((one) => countedVerdict(one) === 'fail').map((one) => one.rule));
  const carries = findings.some((one) => one.rule === rule && one.carries !== undefined);
  if (isBroken) return { status: 'fails', cause: { rule, case: id }, broken, carries, reason, messages };
  const [other] = broken;
  const cause = other === undefined ? undefined : { rule: other, case: id };
  return { status: 'unmet', reason, messages, broken, ...omitUndefined({ cause }) };
}

/** Runs a plain case, unless it needs a person or more time than is left. */
export async function runPlain(
  given: Case,
  { assignment, of, order, left, time: which = 1 }: PlainRun,
  services: RunServices,
): Promise<PlainOutcome> {
  const time = planTime(given, services);
  if (time.prompt.length > 0 || time.held > left) return unknownOutcome;
  const result = await attemptCase(
    { case: withoutWatch(given, services), assignment, of, order, name: 'control', time: which },
    services,
  );
  return 'impossible' in result ? unknownOutcome : plainOutcome(result);
}

export interface RepeatOutcome {
  /** `dropped`: only the first of two events came. `missing`: not even the first. `unknown`: neither was shown. */
  readonly status: 'dropped' | 'comes' | 'missing' | 'unknown';
  readonly reason?: string;
  readonly messages: readonly Message[];
}

/** Most subscribers tried: one without the plain case's tag may rightly have no events. */
const maxTriedSubscribers = 4;

/** Subscribers without history in the run that the client knows; those with the plain case's tag first. */
function freshSubscribers(
  given: Case,
  { assignment: { client } }: PlainRun,
  { target, state }: CarrierServices,
): readonly Subscriber[] {
  const fresh = target.subscribers.filter(
    ({ name, subs }) => subs[client.name] !== undefined && !state.eventsRaised.has(name),
  );
  const isTagged = ({ tags }: Subscriber): boolean => tags.includes(given.subscriber);
  return [...fresh.filter(isTagged), ...fresh.filter((one) => !isTagged(one))].slice(0, maxTriedSubscribers);
}

/** Reasons why a run cannot tell whether events are dropped. */
const unknownReasons = {
  budget: 'the budget leaves no time to see whether events about a subscriber without history come',
  person: 'a person would have to cause an event about a subscriber without history',
  none: 'no subscriber without history in this run is left to tell whether only later events about one are dropped',
} as const;

/** Runs plain cases of one case and collects their messages; number 1 was for the case's own subscriber. */
function createPlainRuns(asked: PlainRun, services: RunServices) {
  const messages: Message[] = [];
  let { time = 1 } = asked;
  const run = async (given: Case, assignment: Assignment, used = services): Promise<PlainOutcome> => {
    time += 1;
    const shown = await runPlain(given, { ...asked, time, assignment }, used);
    messages.push(...shown.messages);
    return shown;
  };
  /** Runs a plain case, and again if it holds, with no other case in between: the second event comes just after the time for duplicates. */
  const twice = async (given: Case, assignment: Assignment): Promise<readonly PlainOutcome[]> => {
    const label = { case: asked.of, for: 'its locks' };
    const release = await services.locks
      .take(caseLocks(given, assignment, services.target), label)
      .catch(explainImpossible);
    if (typeof release !== 'function') return [unknownOutcome];
    const held: RunServices = {
      ...services,
      locks: { ...services.locks, take: () => Promise.resolve(() => undefined) },
    };
    try {
      const first = await run(given, assignment, held);
      return first.status === 'holds' ? [first, await run(given, assignment, held)] : [first];
    } finally {
      release();
    }
  };
  return { messages, run, twice };
}

/** Runs the plain case of an event twice more about a subscriber that has had the event. */
export async function repeatArrived(given: Case, asked: PlainRun, services: RunServices): Promise<RepeatOutcome> {
  const { messages, twice } = createPlainRuns(asked, services);
  const last = (await twice(given, asked.assignment)).at(-1)?.status;
  if (last === 'fails') return { status: 'dropped', messages };
  return last === 'holds'
    ? { status: 'comes', messages }
    : { status: 'unknown', reason: unknownReasons.budget, messages };
}

/** Runs the plain case of an event twice about a subscriber without history. */
export async function repeatUnseen(given: Case, asked: PlainRun, services: RunServices): Promise<RepeatOutcome> {
  const { assignment, left } = asked;
  const { messages, run, twice } = createPlainRuns(asked, services);
  // History is not the reason if no first event of this kind ever came, or if another action still raises one for this subscriber.
  const unseen = async (why: keyof typeof unknownReasons): Promise<RepeatOutcome> => {
    const seen = services.state.firstEvents.get(eventKindKey(assignment.client, given.establishes));
    if (seen === undefined) return { status: 'missing', messages };
    const another = seen.has(raisingAction(given)) ? undefined : [...seen.values()][0];
    const shown = another === undefined ? unknownOutcome : await run(another, assignment);
    if (shown.status === 'holds') return { status: 'missing', messages };
    // Whatever keeps it away: no event has come about this subscriber though the time for duplicates is over.
    const again = why === 'none' ? await run(given, assignment) : unknownOutcome;
    return again.status === 'fails'
      ? { status: 'dropped', messages }
      : { status: 'unknown', reason: unknownReasons[why], messages };
  };
  if (2 * planTime(given, services).held > left) return unseen('budget');
  for (const subscriber of freshSubscribers(given, asked, services)) {
    const [first, last] = await twice(given, { ...assignment, subscriber });
    if (first?.status === 'unknown') return unseen('person');
    if (first?.status === 'holds') return { status: last?.status === 'fails' ? 'dropped' : 'comes', messages };
    if (subscriber.tags.includes(given.subscriber)) return { status: 'missing', messages };
  }
  return unseen('none');
}

/** Other cases that raised events of a subscriber, in order. */
const otherRaisingCases = (
  { name }: Subscriber,
  given: Case,
  { eventsRaised }: RunServices['state'],
): readonly string[] => [...(eventsRaised.get(name) ?? [])].filter((id) => id !== given.id);

/** Most cases named that reproduce a finding: each raises events of the same subscriber. */
const maxComparedCases = 3;

/** Whether an awaited event may be missing because of earlier ones, of another case or the plain case. */
export function mayBeDuplicate(
  { step, whose }: PlainNeed,
  { given, shown }: { readonly given: Case; readonly shown: PlainOutcome | undefined },
  { state }: CarrierServices,
): boolean {
  const hadHistory = shown?.status === 'fails' || otherRaisingCases(whose.subscriber, given, state).length > 0;
  return state.eventsMissed.has(missedEventKey(given, step)) && hadHistory;
}

/** Finding of the rule that limits how long duplicates are dropped: a later event about one subscriber was dropped. */
export function findDroppedEvent(
  { step: name, word, whose }: PlainNeed,
  given: Case,
  services: Pick<RunServices, 'rules' | 'state'>,
): readonly Finding[] {
  const { rules, state } = services;
  const rule = rules.accepting({ change: 'set', what: 'event.after', value: word });
  const step = given.steps.find((one) => one.name === name);
  if (rule === undefined || step === undefined) return [];
  const others = otherRaisingCases(whose.subscriber, given, state).slice(0, maxComparedCases);
  return [
    {
      rule: rule.id,
      ...rules.bindingOf({ rule: rule.id }),
      code: 'dropped',
      path: 'event.after',
      expected: word,
      actual: `no ${word}`,
      step: name,
      ...omitUndefined({ comparedWith: others.length > 0 ? others : undefined }),
      position: step.position,
    },
  ];
}
