import type { ReceiverResponse } from '../../model/suite.ts';
import type { CaseContext, Destination, RunServices } from '../context/case-context.ts';
import type { ParsedDelivery } from './delivery.ts';

export interface Recipient {
  readonly ctx: CaseContext;
  readonly step: string;
  /** Next response of the case's script; called once. */
  readonly respond: () => ReceiverResponse;
  /** Judges the delivery by the invariants, and puts it into its inbox. */
  readonly accept: (message: string) => void | Promise<void>;
}

/** Delivery; `through` if it is authenticated by the receiver lock. */
export interface InboundDelivery {
  readonly parsed: ParsedDelivery;
  readonly through: boolean;
  readonly services: RunServices;
  /** Case or request for which the run drew the URI of the delivery. */
  readonly destination: Destination | undefined;
}
