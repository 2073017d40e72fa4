import type { ResponseObservation } from '../../judge/observation.ts';
import { effectiveLatency } from '../../model/declaration.ts';
import { findAction, type UndoCall, findUndo } from '../../model/action.ts';
import type { Json } from '../../lib/json.ts';
import type { CorrelationKeys } from '../../model/interface.ts';
import type { RecordedChange } from '../context/recovery-record.ts';
import { Interrupted } from '../clock/timeline.ts';
import { type CaseContext, type CaseWith, type PendingUndo, Unmet } from '../context/case-context.ts';
import type { RunState } from '../context/run-state.ts';
import { observedLife } from '../context/walk.ts';
import { driveAction } from './drive.ts';
import type { DriveOrder } from './driver.ts';
import { afterSeconds, latest, type Millis } from '../../lib/time.ts';

interface ActionOnSubscriber {
  readonly action: string;
  readonly subscriber: string;
}

const actionKey = ({ action, subscriber }: ActionOnSubscriber): string => `${action} ${subscriber}`;

export function rememberAction({ done }: RunState, action: ActionOnSubscriber, at: Millis): void {
  done.set(actionKey(action), latest(at, done.get(actionKey(action)) ?? at));
}

/** Moment of the last action on a subscriber; undefined without one. */
export const lastActionTime = ({ done }: RunState, action: ActionOnSubscriber): Millis | undefined =>
  done.get(actionKey(action));

/** Records a request object before and after it is sent, because it may outlive a killed run. */
export async function recordRequest(
  { life, correlationKeys }: { readonly life: Json | undefined; readonly correlationKeys: CorrelationKeys },
  send: () => Promise<ResponseObservation>,
  ctx: CaseWith<'case' | 'now' | 'subscriber', 'interface' | 'keep' | 'random'>,
): Promise<ResponseObservation> {
  const { keep, random, interface: certified } = ctx.services;
  if (keep === undefined) return send();
  const request = { id: random(8), case: ctx.case.id, subscriber: ctx.subscriber.name };
  const until = afterSeconds(ctx.now(), observedLife(life, certified.timing));
  keep({ what: 'sent', sent: { ...request, correlationKeys, until } });
  const response = await send();
  // Without a response the request may be pending or not.
  if (response.outcome === 'accepted') {
    keep({ what: 'accepted', accepted: { ...request, step: response.step, response } });
  } else if (response.outcome !== 'no-answer') keep({ what: 'refused', id: request.id });
  return response;
}

/** Records a change before it is made, so that a run resumed after a kill knows it. Returns the record's id. */
export function recordChange(
  change: Omit<RecordedChange, 'id' | 'case' | 'at'>,
  ctx: CaseWith<'case' | 'now', 'interface' | 'keep' | 'random'>,
): string | undefined {
  const { keep, random } = ctx.services;
  const action = findAction(change.action, ctx.services.interface.actions);
  if (keep === undefined || (action?.undo === undefined && action?.raisesEvents !== true)) return undefined;
  const id = random(8);
  keep({ what: 'change', change: { ...change, id, case: ctx.case.id, at: ctx.now() } });
  return id;
}

export function recordChangeTime(note: string | undefined, at: number, { services }: CaseWith<never, 'keep'>): void {
  if (note !== undefined) services.keep?.({ what: 'changed', id: note, at });
}

/** Records that a change was undone or never made, so that it is not undone again. */
export function recordUndo({ note }: Pick<PendingUndo, 'note'>, { services, now }: CaseWith<'now', 'keep'>): void {
  if (note !== undefined) services.keep?.({ what: 'undone', id: note, at: now() });
}

export interface ChangeInProgress {
  readonly order: DriveOrder;
  readonly whose: CaseContext;
  readonly note: string | undefined;
}

/** Lock of the resource that an action changes. */
export function actionLock(action: string, ctx: Pick<CaseContext, 'client' | 'subscriber' | 'services'>): string {
  const { client, subscriber } = ctx;
  const locks = { subscriber: `subscriber:${subscriber.name}`, client: `client:${client.name}`, keys: 'keys' };
  return locks[findAction(action, ctx.services.interface.actions)?.mutates ?? 'subscriber'];
}

/** Notes the time and case of an action, the events that it may raise, and when its change shows. */
export function noteAction(
  { action, whose }: { readonly action: string; readonly whose: Pick<CaseContext, 'subscriber'> },
  at: Millis,
  { state, services, case: { id }, attempt }: CaseWith<'attempt' | 'case' | 'state', 'interface' | 'state' | 'target'>,
): void {
  const { name } = whose.subscriber;
  const { raisesEvents, shows } = findAction(action, services.interface.actions) ?? {};
  rememberAction(services.state, { action, subscriber: name }, at);
  if (shows !== undefined)
    state.shownAt = latest(state.shownAt, afterSeconds(at, effectiveLatency(services.target)[shows]));
  if (raisesEvents !== true) return;
  state.eventsRaised.set(name, at);
  const { eventsRaised, lastRaised } = services.state;
  lastRaised.set(name, latest(at, lastRaised.get(name) ?? at));
  eventsRaised.set(name, new Set(eventsRaised.get(name)).add(attempt?.of ?? id));
}

/** The driver works, but reports that undoing is impossible or unnecessary. */
export class UndoImpossible extends Unmet {}

/** Undoes a change with its own driver. Throws Unmet if that is impossible. */
export async function driveUndo(
  { action, given, missing }: UndoCall,
  { step, of }: Pick<PendingUndo, 'step' | 'of'>,
  whose: CaseContext,
): Promise<void> {
  if (missing !== undefined) throw new UndoImpossible(`the target file has no ${missing} of ${whose.subscriber.name}`);
  const { done, summary } = await driveAction({ action, of, given, step: `undo of ${step}` }, whose);
  if (!done) throw new UndoImpossible(`${action} was not possible: ${summary}`);
}

export function registerUndo({ order, whose, note }: ChangeInProgress, { state }: Pick<CaseContext, 'state'>): void {
  const { action, step, of, given = {} } = order;
  const lock = actionLock(action, whose);
  const definition = findAction(action, whose.services.interface.actions);
  const undoing = definition && findUndo(definition, given, whose.subscriber);
  if (undoing === undefined) return;
  if (undoing.lost !== undefined && whose.services.target.drivers[undoing.action] === undefined) {
    const why = `${whose.case.id} made ${action} happen, so ${whose.subscriber.name} is no longer ${undoing.lost}`;
    whose.services.locks.quarantine(lock, `${why}, and there is no driver for ${undoing.action}`);
    return;
  }
  state.undo = [...state.undo, { undoing, step, of, whose, lock, note }];
}

export function forgetUndo({ order, whose }: ChangeInProgress, ctx: CaseWith<'now' | 'state', 'keep'>): void {
  const lock = actionLock(order.action, whose);
  const isUndone = (undo: PendingUndo): boolean => undo.undoing.action === order.action && undo.lock === lock;
  for (const undo of ctx.state.undo.filter(isUndone)) recordUndo(undo, ctx);
  ctx.state.undo = ctx.state.undo.filter((undo) => !isUndone(undo));
}

interface FailedUndo {
  readonly undo: PendingUndo;
  readonly error: unknown;
}

/** Undoes the changes of a case, the last first. Returns those that could not be undone. Throws Interrupted. */
export async function undoAll(ctx: CaseContext): Promise<readonly FailedUndo[]> {
  const left: FailedUndo[] = [];
  for (const undo of ctx.state.undo.toReversed()) {
    try {
      const { undoing, whose } = undo;
      noteAction({ action: undoing.action, whose }, ctx.now(), ctx);
      await driveUndo(undoing, undo, whose.within(ctx.services));
      ctx.state.undo = ctx.state.undo.filter((one) => one !== undo);
      recordUndo(undo, ctx);
    } catch (error) {
      if (error instanceof Interrupted) throw error;
      left.push({ undo, error });
    }
  }
  return left;
}
