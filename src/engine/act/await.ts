import { summarizeCallback } from '../../judge/classify.ts';
import type {
  CallbackObservation,
  EventObservation,
  Observation,
  ResponseObservation,
} from '../../judge/observation.ts';
import type { Await } from '../../suite/verbs/await.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { Subscriber, Client } from '../../model/target.ts';
import type { Step, Case } from '../../suite/suites.ts';
import { omitUndefined } from '../../lib/json.ts';
import { deliveryWait } from '../../model/declaration.ts';
import { type CaseContext, type CaseWith, type Inbox, Unmet } from '../context/case-context.ts';
import { addFindings, redactFinding } from '../context/open-context.ts';
import { eventKey, findEventKind, markTaken, untakenDeliveries, armDeliveryWake } from '../context/inbox.ts';
import type { StrayEvent } from '../context/run-state.ts';
import { otherSubscriber, resolveUri } from '../context/scope.ts';
import { lockAdvice } from '../receive/lock.ts';
import { isTrigger } from '../../suite/verbs/trigger.ts';
import { afterSeconds, type Millis, toSeconds } from '../../lib/time.ts';

interface RaisingStep {
  readonly name: string;
  readonly action: string;
}

/** Last step that raises events, before the named step or in the whole case. */
function lastRaisingStep({ steps }: Pick<Case, 'steps'>, before?: string): RaisingStep | undefined {
  const end = before === undefined ? steps.length : steps.findIndex(({ name }) => name === before);
  const raising = steps
    .slice(0, end)
    .flatMap(({ name, act }): RaisingStep[] =>
      isTrigger(act) && act.definition?.raisesEvents === true ? [{ name, action: act.action }] : [],
    );
  return raising.at(-1);
}

/** Key of a step that awaits events, unique in a run. */
export const missedEventKey = ({ id }: Pick<Case, 'id'>, step: string): string => `${id} ${step}`;

/** Action that raises the case's events, before the named step if there is one. */
export const raisingAction = (given: Pick<Case, 'steps'>, before?: string): string =>
  lastRaisingStep(given, before)?.action ?? 'nothing';

/** Key of an event kind for a client, unique in a run. */
export const eventKindKey = ({ name }: Pick<Client, 'name'>, event = ''): string => `${name} ${event}`;

/** Outcomes that a later delivery could still break, so the step waits to the end. */
const forbiddingOutcomes: ReadonlySet<Outcome> = new Set(['silence', 'no-tokens', 'no-error']);

export const waitsToTheEnd = ({ expectations }: Step): boolean =>
  expectations.some(
    ({ outcome, count, spacing }) =>
      (outcome !== undefined && forbiddingOutcomes.has(outcome)) || count !== undefined || spacing !== undefined,
  );

interface AwaitCondition {
  readonly inboxes: readonly Pick<Inbox, 'listeners'>[];
  readonly until: Millis;
  readonly enough: () => boolean;
}

/** Waits until `enough` holds or the moment comes; checks again at each delivery. */
export async function waitUntil(
  { inboxes, until, enough }: AwaitCondition,
  ctx: CaseWith<'wait', 'lag'>,
): Promise<void> {
  while (!enough()) {
    const woken = await ctx.wait({ due: until, for: 'a delivery', arm: armDeliveryWake(inboxes) });
    // A delivery that arrived in time may still be unread.
    if (!woken) return ctx.services.lag?.settle();
  }
}

interface AwaitStep {
  readonly act: Await;
  readonly step: Step;
  readonly ctx: CaseContext;
}

function isExpectedKind({ act: { event }, ctx }: AwaitStep, delivery: InboxDelivery): boolean {
  if (event === undefined || delivery.kind !== 'event') return true;
  return ctx.services.interface.eventKinds[event]?.(delivery.set) === true;
}

/** Whether the step expects no delivery. */
export const expectsSilence = ({ expectations }: Step): boolean =>
  expectations.some(({ outcome, count: most }) => outcome === 'silence' || most === 0);

/** Words for an endpoint of the client to which nothing has come since a case refused a delivery there: the carrier may call it no more. */
function sinceRefusal({ act, ctx }: AwaitStep): string {
  const { services } = ctx;
  const client = services.target.clients.find(({ name }) => name === act.client) ?? ctx.client;
  const uris = act.what === 'callback' ? client.notificationUris : [client.eventUri ?? ''];
  const [last] = uris
    .map((uri) => resolveUri(uri, services.receiver))
    .flatMap((uri) => (URL.canParse(uri) ? (services.state.refusedLast.get(new URL(uri).pathname) ?? []) : []));
  if (last === undefined || last.case === ctx.case.id) return '';
  return `; nothing has come to this endpoint since it answered ${last.answer} in ${last.case}: the carrier may have switched it off`;
}

/**
 * Counted deliveries of events that began since the awaited one was raised, if there are any: an event from before has attempts of its
 * own. Retries have the jti of the first attempt; one that has another is an event of its own to this step.
 */
function attemptsSinceRaised<D extends InboxDelivery>(inbox: Inbox<D>, counted: readonly D[], awaiting: AwaitStep) {
  const { act, step, ctx } = awaiting;
  const raised = ctx.state.eventsRaised.get(awaitedSubscriber(act, ctx)?.name ?? '');
  if (raised === undefined || step.expectations.some(({ outcome }) => outcome !== undefined)) return counted;
  const jtiOf = (one: D): unknown => (one.kind === 'event' ? one.set?.['jti'] : undefined);
  const isEarlier = ({ receivedAt }: D): boolean => receivedAt * 1000 < raised;
  const earlier = new Set(inbox.deliveries.filter(isEarlier).map(jtiOf));
  const since = counted.filter((one) => !isEarlier(one) && !earlier.has(jtiOf(one)));
  return since.length > 0 ? since : counted;
}

/** Takes the deliveries of an await, and builds the part of its observation that all kinds share. */
async function takeDeliveries<D extends InboxDelivery>(inbox: Inbox<D>, awaiting: AwaitStep) {
  const { act, step, ctx } = awaiting;
  const begun = ctx.now();
  const due = act.until?.evaluate(ctx.scope()) ?? afterSeconds(begun, deliveryWait(act.what, ctx.services.target));
  const [sentAt, until] = [toSeconds(begun), toSeconds(due)];
  const all = waitsToTheEnd(step);
  const wanted = (): readonly D[] => untakenDeliveries(inbox, (delivery) => isExpectedKind(awaiting, delivery));
  const enough = (): boolean => !all && wanted().length > 0;
  await waitUntil({ inboxes: [inbox], until: due, enough }, ctx);
  const deliveries = markTaken(inbox, all ? attemptsSinceRaised(inbox, wanted(), awaiting) : wanted().slice(0, 1));
  const last = deliveries.at(-1);
  const { noun, summarize } = awaitKinds[act.what];
  const summary =
    last === undefined
      ? `no ${noun} within ${Math.round(until - sentAt)} s${sinceRefusal(awaiting)}`
      : summarize(noun, deliveries, awaiting);
  const { receivedAt, headers, message, body }: Partial<InboxDelivery> = last ?? {};
  const seen = { step: step.name, sentAt, until, deliveries, count: deliveries.length, summary };
  return { ...seen, ...omitUndefined({ receivedAt, headers, message, body }), last };
}

/** Outcomes that only a delivery can have. */
const deliveryOutcomes: ReadonlySet<Outcome> = new Set(['completed', 'failed', 'delivered']);

/** Throws Unmet if a callback did not come, but unauthenticated deliveries did: one of them may be the callback. */
function requireAttributableCallback({ step, ctx }: AwaitStep, sent: ResponseObservation): void {
  const last = ctx.services.state.around.callbacks.get(sent.client ?? ctx.client.name);
  if (last === undefined || last < sent.sentAt * 1000) return;
  if (!step.expectations.some(({ outcome }) => outcome !== undefined && deliveryOutcomes.has(outcome))) return;
  throw new Unmet(
    `no callback could be attributed to the carrier: deliveries came, but none could be authenticated. To tell the carrier's apart, ${lockAdvice}`,
    step.name,
  );
}

async function awaitCallbacks(awaiting: AwaitStep): Promise<Observation> {
  const { act, ctx } = awaiting;
  const name = act.of ?? ctx.state.lastRequest;
  const inbox = ctx.state.inboxes.findLast(({ step }) => step === name);
  if (inbox === undefined) throw new Unmet(`step ${name ?? '(none)'} sent no request`);
  const { last, ...seen } = await takeDeliveries(inbox, awaiting);
  const sent = await inbox.answered;
  if (sent === undefined) throw new Unmet(`the request of step ${inbox.step} was not sent`);
  if (last === undefined) requireAttributableCallback(awaiting, sent);
  return {
    kind: 'await',
    ...seen,
    sent,
    ...omitUndefined({ idToken: last?.idToken, withoutIdToken: last?.withoutIdToken }),
  };
}

const awaitedSubscriber = ({ subscriber }: Await, ctx: CaseWith<'subscriber', 'target'>): Subscriber | undefined =>
  subscriber === undefined ? ctx.subscriber : otherSubscriber(ctx.services.target, subscriber, ctx.subscriber);

function eventsInbox(
  act: Await,
  ctx: CaseWith<'canary' | 'client' | 'state' | 'subscriber', 'target'>,
): Inbox<EventObservation> {
  const { what, client } = act;
  if (what === 'canary') return ctx.canary.inbox;
  const whom = awaitedSubscriber(act, ctx);
  const name = client ?? ctx.client.name;
  const sub = whom?.subs[name];
  const found = sub === undefined ? undefined : ctx.state.events.get(eventKey(name, sub));
  if (found === undefined) throw new Unmet(`the target has no pairwise sub for ${name}`);
  return found;
}

/** Throws Unmet if only unauthenticated deliveries came: they show neither silence nor an event. */
function requireAttributable({ act, step, ctx }: AwaitStep): void {
  const last = ctx.services.state.around.events.get(act.client ?? ctx.client.name);
  if (act.what !== 'events' || last === undefined || last < ctx.startedAt) return;
  throw new Unmet(
    'no event could be attributed to the carrier: deliveries came, but none could be authenticated. Register an unguessable event_uri, or set receiver.sources or receiver.clients',
    step.name,
  );
}

/** Last stray event at the endpoint of the awaited one since that was raised. */
function strayAfter(raised: Millis | undefined, { act, ctx }: AwaitStep): StrayEvent | undefined {
  const { state, interface: certified } = ctx.services;
  if (act.what !== 'events' || raised === undefined) return undefined;
  const { event } = act;
  const isAwaited = ({ at, set }: StrayEvent): boolean =>
    at >= raised && (set === undefined || event === undefined || certified.eventKinds[event]?.(set) === true);
  const strays = [...(state.strayEvents.get(act.client ?? ctx.client.name)?.values() ?? [])];
  return strays.findLast(isAwaited);
}

/**
 * Throws Unmet if the awaited event did not come, and one about another subject did: that is a finding of the rule of the subject alone
 * (P25). The same holds for one that cannot be read, which the rule of its form judges.
 */
function requireAddressed(awaiting: AwaitStep): void {
  const { act, step, ctx } = awaiting;
  const { rules, interface: certified } = ctx.services;
  const subscriber = awaitedSubscriber(act, ctx);
  const stray = expectsSilence(step)
    ? undefined
    : strayAfter(ctx.state.eventsRaised.get(subscriber?.name ?? ''), awaiting);
  const rule = rules.find(certified.eventSubject)?.id;
  if (stray === undefined || rule === undefined) return;
  if (stray.sub === undefined) throw new Unmet('an event came that cannot be read, so it may be this one', step.name);
  const finding = {
    rule,
    ...rules.bindingOf({ rule }),
    code: 'not-equal' as const,
    path: 'set.sub',
    expected: subscriber?.subs[act.client ?? ctx.client.name] ?? null,
    actual: stray.sub,
    step: step.name,
    ...omitUndefined({ message: stray.case === ctx.case.id ? stray.message : undefined }),
    position: step.position,
  };
  addFindings([redactFinding(finding, ctx)], ctx.state);
  throw new Unmet(`an event came, and its sub is not that of ${subscriber?.name ?? 'the subscriber'}`, step.name, rule);
}

/**
 * Untaken event about the awaited subscriber, of a kind that the interface does not know, since an event was raised. Beside one of the
 * awaited kind it is other traffic (P27): this carrier knows the name.
 */
function unknownEvent(
  inbox: Inbox<EventObservation>,
  { act, ctx }: AwaitStep,
): { readonly names: readonly string[]; readonly message: string } | undefined {
  const { unknownEvents, eventKinds } = ctx.services.interface;
  const raised = ctx.state.eventsRaised.get(awaitedSubscriber(act, ctx)?.name ?? '');
  if (act.what !== 'events' || raised === undefined) return undefined;
  const isSince = ({ receivedAt }: EventObservation): boolean => receivedAt * 1000 >= raised;
  if (inbox.deliveries.some((one) => isSince(one) && eventKinds[act.event ?? '']?.(one.set) === true)) return undefined;
  return untakenDeliveries(inbox, isSince)
    .map(({ set, message }) => ({ names: unknownEvents.names(set), message }))
    .findLast(({ names }) => names.length > 0);
}

/** Throws Unmet if the awaited event did not come, and one of an unknown kind did: only the rule of its names is broken (P25). */
function requireKnownKind(inbox: Inbox<EventObservation>, awaiting: AwaitStep): void {
  const { act, step, ctx } = awaiting;
  const { rules, interface: certified } = ctx.services;
  const unknown = expectsSilence(step) ? undefined : unknownEvent(inbox, awaiting);
  const rule = rules.find(certified.unknownEvents.rules[act.event ?? ''] ?? '')?.id;
  if (unknown === undefined || rule === undefined) return;
  const finding = {
    rule,
    ...rules.bindingOf({ rule }),
    code: 'not-equal' as const,
    path: 'set.events',
    expected: act.event ?? null,
    actual: [...unknown.names],
    step: step.name,
    message: unknown.message,
    position: step.position,
  };
  addFindings([redactFinding(finding, ctx)], ctx.state);
  throw new Unmet(`an event came, and names another kind: ${unknown.names.join(', ')}`, step.name, rule);
}

/** Notes a missed event, or a first one if no other case has raised events of its subscriber. */
function noteAwaitedEvent({ act, step, ctx }: AwaitStep, came: boolean): void {
  const { firstEvents, eventsRaised, eventsMissed } = ctx.services.state;
  if (!came && ctx.attempt === undefined) eventsMissed.add(missedEventKey(ctx.case, step.name));
  const raised = eventsRaised.get(awaitedSubscriber(act, ctx)?.name ?? '');
  if (!came || raised?.size !== 1) return;
  const event = eventKindKey({ name: act.client ?? ctx.client.name }, act.event);
  firstEvents.set(event, new Map(firstEvents.get(event)).set(raisingAction(ctx.case, step.name), ctx.case));
}

async function awaitEvents(awaiting: AwaitStep): Promise<Observation> {
  const inbox = eventsInbox(awaiting.act, awaiting.ctx);
  const { last, ...seen } = await takeDeliveries(inbox, awaiting);
  if (last === undefined) {
    requireAddressed(awaiting);
    requireKnownKind(inbox, awaiting);
  }
  noteAwaitedEvent(awaiting, last !== undefined);
  if (last === undefined) requireAttributable(awaiting);
  const { set, setHeader, audience }: Partial<EventObservation> = last ?? {};
  return { kind: 'events', ...seen, ...omitUndefined({ set, setHeader, audience }) };
}

type InboxDelivery = CallbackObservation | EventObservation;

const countNoun = (noun: string, { length }: readonly InboxDelivery[]): string =>
  `${length} ${noun}${length === 1 ? '' : 's'}`;

/** `1 event: device_change of first`. */
function describeEvents(noun: string, deliveries: readonly InboxDelivery[], { act, ctx }: AwaitStep): string {
  const kindOf = (one: InboxDelivery): string => {
    const set = one.kind === 'event' ? one.set : undefined;
    if (set === undefined) return 'one that cannot be read';
    return findEventKind(set, ctx.services) ?? 'one of another kind';
  };
  const kinds = [...new Set(deliveries.map(kindOf))].join(' and ');
  const whom = awaitedSubscriber(act, ctx)?.name;
  return `${countNoun(noun, deliveries)}: ${kinds}${whom === undefined ? '' : ` of ${whom}`}`;
}

const describeEach = (_: string, deliveries: readonly InboxDelivery[]): string =>
  deliveries.map((one) => (one.kind === 'callback' ? summarizeCallback(one) : one.kind)).join(', then ');

interface AwaitKind {
  readonly noun: string;
  readonly summarize: (noun: string, deliveries: readonly InboxDelivery[], awaiting: AwaitStep) => string;
  readonly take: (awaiting: AwaitStep) => Promise<Observation>;
}

const awaitKinds: Readonly<Record<Await['what'], AwaitKind>> = {
  callback: { noun: 'callback', summarize: describeEach, take: awaitCallbacks },
  events: { noun: 'event', summarize: describeEvents, take: awaitEvents },
  canary: { noun: 'request to the canary', summarize: countNoun, take: awaitEvents },
};

/** `await`: takes deliveries that no earlier await took: the first one, or all up to `until`. */
export const awaitDeliveries = (act: Await, step: Step, ctx: CaseContext): Promise<Observation> =>
  awaitKinds[act.what].take({ act, step, ctx });
