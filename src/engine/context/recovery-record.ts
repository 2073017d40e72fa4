import type { ResponseObservation } from '../../judge/observation.ts';
import type { CaseEvidence } from '../../judge/evidence.ts';
import type { Delivery } from '../../model/exchange.ts';
import type { Json } from '../../lib/json.ts';
import type { CorrelationKeys } from '../../model/interface.ts';

/** Change that a case is about to make, recorded first, so that a run resumed after a kill knows it. */
export interface RecordedChange {
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

/** Change that an interrupted run has made, or was about to make. */
export interface RemainingChange extends RecordedChange {
  /** The case ended and cooled down: at most the change itself remains. */
  readonly ended: boolean;
  /** Milliseconds since the epoch on the run's clock; absent if the change was not undone. */
  readonly undoneAt?: number;
}

/** Request that went out, recorded before its response is known. */
export interface SentRequest {
  readonly id: string;
  readonly case: string;
  readonly subscriber: string;
  /** Expiry or end of observation of the request, in milliseconds since the epoch on the run's clock. */
  readonly until: number;
  readonly correlationKeys: CorrelationKeys;
}

/** Accepted request that may still be pending. */
export interface RemainingRequest extends Omit<SentRequest, 'until' | 'correlationKeys'> {
  readonly step: string;
  readonly response: ResponseObservation;
}

/** Record that resuming a run needs and no report may show. */
export type RecoveryRecord =
  | { readonly what: 'witness'; readonly evidence: CaseEvidence }
  | { readonly what: 'change'; readonly change: RecordedChange }
  /** `id` of the change, as in `undone`; `at` in milliseconds since the epoch on the run's clock. */
  | { readonly what: 'changed'; readonly id: string; readonly at: number }
  | { readonly what: 'undone'; readonly id: string; readonly at: number }
  | { readonly what: 'sent'; readonly sent: SentRequest }
  | { readonly what: 'accepted'; readonly accepted: RemainingRequest }
  | { readonly what: 'refused'; readonly id: string }
  | { readonly what: 'unsolicited'; readonly unsolicitedDelivery: Delivery };
