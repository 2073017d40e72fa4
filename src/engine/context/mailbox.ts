import type { EventObservation } from '../../judge/observation.ts';

/** Deliveries that answer no request: events about one subscriber for one SP, or requests to a canary. */
export interface Mailbox {
  readonly deliveries: EventObservation[];
  /** Deliveries that an `await` has taken already. */
  taken: number;
  readonly listeners: Set<() => void>;
}

export const createMailbox = (): Mailbox => ({ deliveries: [], taken: 0, listeners: new Set() });

export function post(mailbox: Mailbox, observation: EventObservation): void {
  mailbox.deliveries.push(observation);
  for (const wake of Array.from(mailbox.listeners)) wake();
}

/** Name of the mailbox for what one SP hears about one subscriber. */
export const mailboxKey = (client: string, sub: string): string => `${client} ${sub}`;
