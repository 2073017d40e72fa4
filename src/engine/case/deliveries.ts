import type { CallbackObservation } from '../../judge/observation.ts';
import { asFindings } from '../../judge/rule-book.ts';
import type { Expectation } from '../../suite/expectations/expectations.ts';
import { isAwait } from '../../suite/verbs/await.ts';
import { isTrigger } from '../../suite/verbs/trigger.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { CaseContext, CaseWith, RequestInbox } from '../context/case-context.ts';
import { createInbox, eventKey, armDeliveryWake, observationEnd, untakenDeliveries } from '../context/inbox.ts';
import { addFindings, redactFinding } from '../context/open-context.ts';
import { expectsSilence } from '../act/await.ts';
import { otherSubscribers } from './locks.ts';
import { isRefusal } from '../act/refusal.ts';
import { isInboxPending } from '../drive/drive.ts';
import { afterSeconds, dueMillis, elapsedMillis, latest } from '../../lib/time.ts';

/** Registers the case for requests to its canary, and for events about its subscribers. Returns the function that ends those about events. */
export function listenForCase(ctx: CaseContext): () => void {
  const { registry, target, destinations } = ctx.services;
  const { events } = ctx.state;
  destinations.add({ ctx }, [ctx.canary.url]);
  const isAboutEvents = ctx.case.steps.some(
    ({ act }) => (isAwait(act) && act.what === 'events') || (isTrigger(act) && act.definition?.raisesEvents === true),
  );
  const subscribers = isAboutEvents ? [ctx.subscriber, ...otherSubscribers(ctx.case, ctx, target)] : [];
  for (const { subs } of subscribers) {
    for (const [client, sub] of Object.entries(subs)) events.set(eventKey(client, sub), createInbox());
  }
  for (const key of events.keys()) registry.events.set(key, ctx);
  return () => {
    for (const key of events.keys()) if (registry.events.get(key) === ctx) registry.events.delete(key);
  };
}

/** End of the watch for late callbacks, in seconds; 0 for a request that was refused but should have been accepted. */
function lateWatchEnd(inbox: RequestInbox, { case: { steps }, services }: CaseWith<'case', 'interface'>): number {
  const { response, step } = inbox;
  const expectations = steps.find(({ name }) => name === step)?.expectations ?? [];
  const outcomes = expectations.flatMap(({ outcome }) => outcome ?? []);
  const wasWanted = outcomes.length > 0 && outcomes.every((outcome) => outcome === 'accepted');
  return wasWanted && response !== undefined && isRefusal(response) ? 0 : observationEnd(inbox, services.interface);
}

/** Observes the case after its steps, without locks, for a second result or one that must not come. */
export async function observeLate(ctx: CaseWith<'case' | 'now' | 'state' | 'wait', 'interface'>): Promise<void> {
  const { inboxes } = ctx.state;
  for (;;) {
    const due = latest(...inboxes.map((inbox) => dueMillis(lateWatchEnd(inbox, ctx))));
    if (due <= ctx.now()) return;
    await ctx.wait({ due, for: 'late callbacks', arm: armDeliveryWake(inboxes) });
  }
}

/** Awaits the callbacks of denied requests in a case that is not observed: later they would be unsolicited. */
export async function awaitDenied(ctx: CaseWith<'now' | 'state' | 'wait', 'target'>): Promise<void> {
  const { inboxes } = ctx.state;
  const due = afterSeconds(ctx.now(), ctx.services.target.deliveryTimeout);
  while (inboxes.some(isInboxPending) && due > ctx.now())
    await ctx.wait({ due, for: 'the last callbacks', arm: armDeliveryWake(inboxes) });
}

/** Returns the callback that this outcome forbids, or undefined. */
function lateCallback(
  { response, deliveries }: RequestInbox,
  outcome: Outcome | undefined,
): CallbackObservation | undefined {
  if (outcome !== 'denied' && outcome !== 'denied-or-dropped') return undefined;
  if (response?.outcome === 'denied') return deliveries[0];
  return outcome === 'denied' ? undefined : deliveries.find(({ tokens }) => tokens);
}

/** Judges callbacks after the steps: a refused request must stay refused, a dropped one dropped. */
export function judgeLateDeliveries(ctx: CaseWith<'canary' | 'case' | 'redactor' | 'state', 'rules'>): void {
  const { findings, inboxes } = ctx.state;
  for (const inbox of inboxes) {
    const step = ctx.case.steps.find(({ name }) => name === inbox.step);
    if (step === undefined || step.control) continue;
    for (const { rules, position, outcome } of step.expectations) {
      const late = lateCallback(inbox, outcome);
      const isKnown = findings.some((found) => found.code === 'outcome' && found.step === inbox.step);
      if (late === undefined || isKnown) continue;
      const place = { rules, position, step: inbox.step, message: late.message, receivedAt: late.receivedAt };
      addLateFinding({ ...place, expected: 'no callback', actual: describeLate(late) }, ctx);
    }
  }
  judgeLateCanary(ctx);
}

const describeLate = ({ tokens, stray, method, target }: CallbackObservation): string =>
  tokens ? 'a callback with tokens' : stray === true ? `${method} ${target}` : 'a callback';

interface LateDelivery extends Pick<Expectation, 'rules' | 'position'> {
  readonly step: string;
  readonly message: string;
  /** Seconds on the run's clock. */
  readonly receivedAt: number;
  readonly expected: string;
  readonly actual: string;
}

function addLateFinding(
  { rules, expected, actual, receivedAt, step, message, position }: LateDelivery,
  ctx: CaseWith<'redactor' | 'state', 'rules'>,
): void {
  const mismatch = { code: 'late-delivery' as const, expected, actual };
  const found = asFindings(mismatch, rules, { step, message, position, rules: ctx.services.rules });
  const before = ctx.state.acts.filter(({ at }) => at <= elapsedMillis(receivedAt)).length;
  addFindings(
    found.map((finding) => redactFinding(finding, ctx)),
    ctx.state,
    before,
  );
}

/** Judges requests to the canary after the step that expected none. */
function judgeLateCanary(ctx: CaseWith<'canary' | 'case' | 'redactor' | 'state', 'rules'>): void {
  const [late] = untakenDeliveries(ctx.canary.inbox, () => true);
  const step = ctx.case.steps.findLast((one) => isAwait(one.act) && one.act.what === 'canary' && expectsSilence(one));
  if (late === undefined || step === undefined || step.control || !ctx.state.traces.has(step.name)) return;
  if (ctx.state.findings.some((found) => found.step === step.name)) return;
  for (const { rules, position } of step.expectations) {
    const place = { rules, position, step: step.name, message: late.message, receivedAt: late.receivedAt };
    addLateFinding({ ...place, expected: 'no request to the canary', actual: `${late.method} ${late.target}` }, ctx);
  }
}
