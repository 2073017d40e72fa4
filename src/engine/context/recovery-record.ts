import type { ResponseObservation } from '../../judge/observation.ts';
import type { Evidence } from '../../judge/evidence.ts';
import type { Delivery } from '../../model/exchange.ts';
import type { Json } from '../../lib/json.ts';
import type { CorrelationKeys } from '../../model/interface.ts';

/** Something a case was about to change, recorded before: a run that is resumed after a kill has to know. */
export interface Change {
  readonly id: string;
  readonly case: string;
  readonly step: string;
  readonly action: string;
  readonly subscriber: string;
  readonly of: string | undefined;
  readonly given: Readonly<Record<string, Json>>;
  /** Milliseconds since the epoch on the run's clock. */
  readonly at: number;
}

/** A change that a run which was cut off has made, or was about to make. */
export interface LeftChange extends Change {
  /** Its case came to its end, and has cooled down: only the change itself may still be there. */
  readonly ended: boolean;
  /** Milliseconds since the epoch on the run's clock; absent where it was not undone. */
  readonly undoneAt?: number;
}

/** A request that went out, recorded before its response is known. */
export interface SentRequest {
  readonly id: string;
  readonly case: string;
  readonly subscriber: string;
  /** Milliseconds since the epoch on the run's clock: when it is over by itself, or no longer observed. */
  readonly until: number;
  readonly correlationKeys: CorrelationKeys;
}

/** A request that was accepted, and may still be pending. */
export interface LeftRequest extends Omit<SentRequest, 'until' | 'correlationKeys'> {
  readonly step: string;
  readonly response: ResponseObservation;
}

/** What resuming a run needs and no report may show. */
export type RecoveryRecord =
  | { readonly what: 'witness'; readonly evidence: Evidence }
  | { readonly what: 'change'; readonly change: Change }
  /** By the id of the change, as `undone`; `at` in milliseconds since the epoch on the run's clock. */
  | { readonly what: 'changed'; readonly id: string; readonly at: number }
  | { readonly what: 'undone'; readonly id: string; readonly at: number }
  | { readonly what: 'sent'; readonly sent: SentRequest }
  | { readonly what: 'accepted'; readonly accepted: LeftRequest }
  | { readonly what: 'refused'; readonly id: string }
  | { readonly what: 'unsolicited'; readonly unsolicitedDelivery: Delivery };
