import type { ResponseObservation } from '../../judge/observation.ts';
import { latencyOf } from '../../model/declared.ts';
import { findAction, type Undoing, undoOf } from '../../model/action.ts';
import type { Json } from '../../lib/json.ts';
import type { CorrelationKeys } from '../../model/interface.ts';
import type { Change } from '../context/recovery-record.ts';
import { Interrupted } from '../clock/timeline.ts';
import { type CaseContext, type Undo, Unmet } from '../context/case-context.ts';
import type { RunState } from '../context/run-state.ts';
import { observedLife } from '../context/walk.ts';
import { drive } from './drive.ts';
import type { Drive } from './driver.ts';

interface Done {
  readonly action: string;
  readonly subscriber: string;
}

const keyOf = ({ action, subscriber }: Done): string => `${action} ${subscriber}`;

export function rememberAction({ done }: RunState, action: Done, at: number): void {
  done.set(keyOf(action), Math.max(at, done.get(keyOf(action)) ?? 0));
}

/** Time of the last action on a subscriber, in milliseconds; undefined without one. */
export const lastDone = ({ done }: RunState, action: Done): number | undefined => done.get(keyOf(action));

/** Records a request object before and after it is sent, because it may outlive a killed run. */
export async function recordRequest(
  { life, correlationKeys }: { readonly life: Json | undefined; readonly correlationKeys: CorrelationKeys },
  send: () => Promise<ResponseObservation>,
  ctx: CaseContext,
): Promise<ResponseObservation> {
  const { keep, random, interface: certified } = ctx.world;
  if (keep === undefined) return send();
  const request = { id: random(8), case: ctx.case.id, subscriber: ctx.subscriber.name };
  const until = ctx.now() + observedLife(life, certified.timing) * 1000;
  keep({ what: 'sent', sent: { ...request, correlationKeys, until } });
  const response = await send();
  // Without a response the request may be pending or not.
  if (response.outcome === 'accepted') {
    keep({ what: 'accepted', accepted: { ...request, step: response.step, response } });
  } else if (response.outcome !== 'no-answer') keep({ what: 'refused', id: request.id });
  return response;
}

/** Records a change before it is made, so that a run resumed after a kill knows it. Returns the record's id. */
export function recordChange(change: Omit<Change, 'id' | 'case' | 'at'>, ctx: CaseContext): string | undefined {
  const { keep, random } = ctx.world;
  const action = findAction(change.action, ctx.world.interface.actions);
  if (keep === undefined || (action?.undo === undefined && action?.raisesEvents !== true)) return undefined;
  const id = random(8);
  keep({ what: 'change', change: { ...change, id, case: ctx.case.id, at: ctx.now() } });
  return id;
}

export function recordChanged(note: string | undefined, at: number, { world }: CaseContext): void {
  if (note !== undefined) world.keep?.({ what: 'changed', id: note, at });
}

/** Records that a change was undone or never made, so that it is not undone again. */
export function recordUndone({ note }: Pick<Undo, 'note'>, { world, now }: CaseContext): void {
  if (note !== undefined) world.keep?.({ what: 'undone', id: note, at: now() });
}

export interface Changing {
  readonly order: Drive;
  readonly whose: CaseContext;
  readonly note: string | undefined;
}

/** Lock of the resource that an action changes. */
export function lockOf(action: string, ctx: Pick<CaseContext, 'client' | 'subscriber' | 'world'>): string {
  const { client, subscriber } = ctx;
  const locks = { subscriber: `subscriber:${subscriber.name}`, client: `client:${client.name}`, keys: 'keys' };
  return locks[findAction(action, ctx.world.interface.actions)?.mutates ?? 'subscriber'];
}

/** Notes the time and case of an action, the events that it may raise, and when its change shows. */
export function noteEvents(
  { action, whose }: { readonly action: string; readonly whose: Pick<CaseContext, 'subscriber'> },
  at: number,
  { state, world, case: { id }, attempt }: CaseContext,
): void {
  const { name } = whose.subscriber;
  const { raisesEvents, shows } = findAction(action, world.interface.actions) ?? {};
  rememberAction(world.state, { action, subscriber: name }, at);
  if (shows !== undefined) state.shownAt = Math.max(state.shownAt, at + latencyOf(world.target)[shows] * 1000);
  if (raisesEvents !== true) return;
  state.eventsRaised.set(name, at);
  const { eventsRaised } = world.state;
  eventsRaised.set(name, new Set(eventsRaised.get(name)).add(attempt?.of ?? id));
}

/** The driver works, but reports that undoing is impossible or unnecessary. */
export class NotPossible extends Unmet {}

/** Undoes a change with its own driver. Throws Unmet if that is impossible. */
export async function driveBack(
  { action, given, missing }: Undoing,
  { step, of }: Pick<Undo, 'step' | 'of'>,
  whose: CaseContext,
): Promise<void> {
  if (missing !== undefined) throw new NotPossible(`the target file has no ${missing} of ${whose.subscriber.name}`);
  const { done, summary } = await drive({ action, of, given, step: `undo of ${step}` }, whose);
  if (!done) throw new NotPossible(`${action} was not possible: ${summary}`);
}

export function undoLater({ order, whose, note }: Changing, { state }: CaseContext): void {
  const { action, step, of, given = {} } = order;
  const definition = findAction(action, whose.world.interface.actions);
  const undoing = definition && undoOf(definition, given, whose.subscriber);
  if (undoing === undefined) return;
  state.undo = [...state.undo, { undoing, step, of, whose, lock: lockOf(action, whose), note }];
}

export function forgetUndone({ order, whose }: Changing, ctx: CaseContext): void {
  const lock = lockOf(order.action, whose);
  const isUndone = (undo: Undo): boolean => undo.undoing.action === order.action && undo.lock === lock;
  for (const undo of ctx.state.undo.filter(isUndone)) recordUndone(undo, ctx);
  ctx.state.undo = ctx.state.undo.filter((undo) => !isUndone(undo));
}

interface NotUndone {
  readonly undo: Undo;
  readonly error: unknown;
}

/** Undoes the changes of a case, the last first. Returns those that could not be undone. Throws Interrupted. */
export async function undoAll(ctx: CaseContext): Promise<readonly NotUndone[]> {
  const left: NotUndone[] = [];
  for (const undo of ctx.state.undo.toReversed()) {
    try {
      const { undoing, whose } = undo;
      noteEvents({ action: undoing.action, whose }, ctx.now(), ctx);
      await driveBack(undoing, undo, whose.within(ctx.world));
      ctx.state.undo = ctx.state.undo.filter((one) => one !== undo);
      recordUndone(undo, ctx);
    } catch (error) {
      if (error instanceof Interrupted) throw error;
      left.push({ undo, error });
    }
  }
  return left;
}
