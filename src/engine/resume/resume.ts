import { CarrierspecError } from '../../model/problem.ts';
import type { RecordCipher } from '../../wire/record/record-cipher.ts';
import { Interrupted } from '../clock/timeline.ts';
import type { RunOptions } from '../run-options.ts';
import { type Assignment, type RunServices, Unmet } from '../context/case-context.ts';
import { type RemainingState, nothingRemaining, recoverRun } from './recover.ts';
import { observedLife } from '../context/walk.ts';
import { findAction, findUndo } from '../../model/action.ts';
import type { Suites } from '../../suite/suites.ts';
import { denyRequest, isAttendedDriver } from '../drive/drive.ts';
import { driveUndo, actionLock, UndoImpossible } from '../drive/changes.ts';
import { openContext } from '../context/open-context.ts';
import { planRun } from '../plan/assign.ts';
import type { RecordedChange, RemainingChange, RemainingRequest } from '../context/recovery-record.ts';
import { Quarantined } from '../clock/scheduler.ts';
import { afterSeconds, ceilMillis, dueMillis, latest, type Millis } from '../../lib/time.ts';

/** Context of the case that acted, with the subscriber concerned; undefined if the target no longer has them. */
function reopenContext(
  done: Pick<RecordedChange, 'case' | 'subscriber'>,
  { cases }: Pick<Suites, 'cases'>,
  services: RunServices,
) {
  const { target } = services;
  const [planned] = planRun({ cases: cases.filter(({ id }) => id === done.case) }, target, {
    interface: services.interface,
    all: cases,
  });
  const subscriber = target.subscribers.find(({ name }) => name === done.subscriber);
  if (planned === undefined || !('assignment' in planned) || subscriber === undefined) return undefined;
  const assignment: Assignment = { ...planned.assignment, subscriber };
  return openContext(services, { case: planned.case, assignment });
}

/** Returns true if the change is undone. If its driver reports that as impossible, the resource is quarantined. */
async function undoLeftChange(
  change: RecordedChange,
  suites: Pick<Suites, 'cases'>,
  services: RunServices,
): Promise<boolean> {
  const { action, given } = change;
  const definition = findAction(action, services.interface.actions);
  const needed = definition?.undo;
  if (definition === undefined || needed === undefined) return false;
  const what = `what ${change.case} had changed when the run was cut off could not be undone`;
  const ctx = reopenContext(change, suites, services);
  try {
    if (ctx === undefined)
      throw new Unmet(`${needed} needs what the target no longer has, or an operator at a terminal, or --live`);
    const undo = findUndo(definition, given, ctx.subscriber);
    if (undo === undefined) return false;
    await driveUndo(undo, change, ctx);
    return true;
  } catch (error) {
    if (!(error instanceof Unmet)) throw error;
    if (error instanceof UndoImpossible && ctx !== undefined) {
      services.locks.quarantine(actionLock(action, ctx), `${what}: ${error.message}`);
      return false;
    }
    const message = `--resume: ${what}: ${error.message}`;
    throw new CarrierspecError(message, { code: 'not-taken-back', cause: error });
  }
}

/** Undoes the remaining changes, the last first. Returns all changes, with the times. Throws if a change cannot be undone. */
export async function undoRemaining(
  changes: readonly RemainingChange[],
  suites: Pick<Suites, 'cases'>,
  services: RunServices,
): Promise<readonly RemainingChange[]> {
  const all: RemainingChange[] = [];
  services.timeline.enter();
  try {
    for (const change of changes.toReversed()) {
      const undone = change.undoneAt === undefined && (await undoLeftChange(change, suites, services));
      all.push(undone ? { ...change, ended: false, undoneAt: services.timeline.now() } : change);
    }
    return all;
  } finally {
    services.timeline.leave();
  }
}

/** End of the observation window that the request's own case would have had. */
const observationExpiry = ({ response }: RemainingRequest, { timing }: RunServices['interface']): Millis =>
  dueMillis(response.sentAt + observedLife(response.granted, timing));

/** Whether the granted life goes on; a request without a known life counts as pending. */
const isStillPending = ({ response }: RemainingRequest, { timeline }: Pick<RunServices, 'timeline'>): boolean =>
  response.granted === undefined || dueMillis(response.sentAt + response.granted) > timeline.now();

/** Whether requests are denied without an operator: a person would have to find each request on the phone. */
const canDenyUnattended = ({ target }: Pick<RunServices, 'target'>): boolean => {
  const driver = target.drivers['deny'];
  return driver !== undefined && !isAttendedDriver(driver);
};

/** Denies the pending requests of interrupted cases. Returns those not denied: `coolDownRemaining` waits for their end. */
export async function denyRemaining(
  requests: readonly RemainingRequest[],
  suites: Pick<Suites, 'cases'>,
  services: RunServices,
): Promise<readonly RemainingRequest[]> {
  const pending = requests.filter((one) => isStillPending(one, services));
  if (!canDenyUnattended(services)) return pending;
  const left: RemainingRequest[] = [];
  services.timeline.enter();
  try {
    for (const request of pending) if (!(await denyRemainingRequest(request, suites, services))) left.push(request);
  } finally {
    services.timeline.leave();
  }
  return left;
}

/** Returns true if the request is denied, or the carrier no longer knows it. */
async function denyRemainingRequest(
  request: RemainingRequest,
  suites: Pick<Suites, 'cases'>,
  services: RunServices,
): Promise<boolean> {
  const ctx = reopenContext(request, suites, services);
  return ctx !== undefined && (await denyRequest(request, ctx)) !== undefined;
}

async function coolDownSubscriber(
  subscriber: string,
  due: Millis,
  { locks, timeline, state }: Pick<RunServices, 'locks' | 'state' | 'timeline'>,
): Promise<void> {
  const label = { case: subscriber, for: 'the carrier to forget what the run that was cut off had begun' };
  timeline.enter();
  try {
    const giveBack = await locks.take([{ lock: `subscriber:${subscriber}`, exclusive: true }], label);
    if (due > timeline.now()) await timeline.wait({ due, label });
    giveBack();
  } catch (error) {
    if (!(error instanceof Interrupted || error instanceof Quarantined)) throw error;
    if (error instanceof Interrupted) {
      const words = `subscriber ${subscriber} cools down until ${new Date(due).toISOString()}, for what was begun before`;
      state.left.push({ about: 'events', words });
    }
  } finally {
    timeline.leave();
  }
}

/** Lets the subscribers of an interrupted run cool down, until the carrier has forgotten its events and requests. */
export async function coolDownRemaining(
  { changes, requests, unanswered }: RemainingState,
  services: Pick<RunServices, 'interface' | 'locks' | 'state' | 'timeline'>,
): Promise<void> {
  const until = new Map<string, Millis>();
  const coolDown = services.interface.timing.coolDown;
  const wait = (subscriber: string, due: Millis): void => {
    if (due > services.timeline.now()) until.set(subscriber, latest(due, until.get(subscriber) ?? due));
  };
  for (const { action, subscriber, at, undoneAt = at, ended } of changes) {
    if (findAction(action, services.interface.actions)?.raisesEvents === true && !ended)
      wait(subscriber, afterSeconds(ceilMillis(undoneAt), coolDown));
  }
  for (const { subscriber, until: due } of unanswered) wait(subscriber, ceilMillis(due));
  for (const request of requests) wait(request.subscriber, observationExpiry(request, services.interface));
  await Promise.all([...until].map(([subscriber, due]) => coolDownSubscriber(subscriber, due, services)));
}

/** Restores an interrupted run's results and undoes its changes. Throws if a change cannot be undone. */
export async function resumeRun(
  ids: readonly string[],
  services: RunServices,
  { seal, options }: { readonly seal: RecordCipher; readonly options: RunOptions },
): Promise<RemainingState> {
  const { resume: interrupted, suites } = options;
  if (interrupted === undefined) return nothingRemaining;
  const { unsolicited, correlationKeys, ...left } = recoverRun(interrupted, ids, {
    seal,
    invariants: services.invariants,
    correlation: services.interface.correlation,
  });
  services.state.unsolicited.push(...unsolicited);
  services.state.deliveries += unsolicited.length;
  services.state.around.count += unsolicited.filter(({ stranger }) => stranger === true).length;
  for (const one of correlationKeys) services.correlator.disown(one);
  for (const { exchanges, deliveries, acceptedFrom, plainAcceptedFrom } of interrupted.cases.values()) {
    services.state.exchanges += exchanges;
    services.state.deliveries += deliveries;
    for (const client of acceptedFrom) services.state.acceptedFrom.add(client);
    for (const client of plainAcceptedFrom) services.state.plainAcceptedFrom.add(client);
  }
  try {
    const changes = await undoRemaining(left.changes, suites, services);
    return { ...left, changes, requests: await denyRemaining(left.requests, suites, services) };
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    const message =
      '--resume: interrupted while it undid what the run that was cut off had changed; its journal is as it was';
    throw new CarrierspecError(message, { code: 'interrupted', cause: error });
  }
}
