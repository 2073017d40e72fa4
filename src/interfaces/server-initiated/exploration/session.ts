import type { JsonObject } from '../../../lib/json.ts';
import type { Abilities } from './accepted.ts';

/** Seconds since the beginning of a session: at least, and at most, as a carrier may take its time. */
export interface Moment {
  readonly least: number;
  readonly most: number;
}

/** A request of a session, as the model knows it (§3). */
export interface Request {
  /** The name of its step. */
  readonly name: string;
  readonly difference: JsonObject;
  /** Seconds that it asks for. */
  readonly life: number;
  readonly sentAt: Moment;
  readonly client: string;
  state: 'pending' | 'completed' | 'denied' | 'cancelled' | 'timed-out';
}

/** What a conforming carrier knows after the commands so far, and the steps that show it. */
export interface Session {
  readonly prefix: string;
  readonly abilities: SessionAbilities;
  readonly requests: Request[];
  readonly steps: JsonObject[];
  now: Moment;
  /** Waits before the next step, in seconds; and the step it counts from. */
  wait: number;
  anchor: string | undefined;
  /** When the SIM was moved last. */
  movedAt: Moment | undefined;
}

export interface SessionAbilities extends Abilities {
  readonly cancel: boolean;
  readonly consent: boolean;
  readonly moveSim: boolean;
  readonly rotateKeys: boolean;
  /** Several requests may wait for one subscriber. */
  readonly severalPending: boolean;
  readonly secondClient: boolean;
  /** Seconds that an event, and a callback, may take. */
  readonly latency: { readonly event: number; readonly callback: number; readonly simSwap: number };
}

/** What else the target has, beside the request endpoint. */
export interface ServiceAbilities {
  /** It says how many requests may wait (SEC-46). */
  readonly floods: boolean;
  /** An SP that may authorize silently. */
  readonly silent: boolean;
  readonly codes: boolean;
  readonly proofs: boolean;
  readonly swapSim: boolean;
  readonly hintToken: boolean;
  /** The code of another carrier, for discovery. */
  readonly foreignCode: boolean;
  /** Whether this happens without a person. */
  readonly can: (action: string) => boolean;
  /** Whether the target has what a listed case needs. */
  readonly runs: (id: string) => boolean;
}

export const openSession = (prefix: string, abilities: SessionAbilities): Session => ({
  prefix,
  abilities,
  requests: [],
  steps: [],
  now: { least: 0, most: 0 },
  wait: 0,
  anchor: undefined,
  movedAt: undefined,
});

/** Adds a step; gives its name. What waits before it becomes its moment. */
export function addStep(session: Session, step: JsonObject): string {
  const name = `${session.prefix}s${session.steps.length + 1}`;
  const waits = session.wait > 0 && session.anchor !== undefined;
  session.steps.push({ as: name, ...(waits ? { at: `${session.anchor} + ${session.wait}s` } : {}), ...step });
  session.wait = 0;
  session.anchor = name;
  return name;
}

/** Seconds for which a pending request is surely pending: a carrier may grant less than was asked, and two minutes are usual. */
const surelyPending = 100;
/** Seconds after which a time-out has surely come. */
export const surelyOver = 60;

/** Time that passes: seconds, or up to so many more. */
export function pass(session: Session, seconds: number, upTo: number = seconds): void {
  const { least, most } = session.now;
  session.now = { least: least + seconds, most: most + upTo };
}

export const sinceAtMost = ({ now }: Session, { least }: Moment): number => now.most - least;
export const sinceAtLeast = ({ now }: Session, { most }: Moment): number => now.least - most;

export const isOpen = (session: Session, { state, life, sentAt }: Request): boolean =>
  state === 'pending' && sinceAtMost(session, sentAt) < Math.min(life, surelyPending) - 15;

export const isOver = (session: Session, { state, life, sentAt }: Request): boolean =>
  state === 'pending' && sinceAtLeast(session, sentAt) > life + surelyOver;
