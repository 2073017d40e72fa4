import type { HeaderLines } from '../../../model/exchange.ts';

/** A half of an HTTP exchange as a text shows it. */
export interface CapturedMessage {
  readonly headers: HeaderLines;
  readonly body: string;
  /** Why the body is not all of what was sent, in words; absent where it is. */
  readonly cut?: string;
}

export interface CapturedRequest extends CapturedMessage {
  readonly method: string;
  readonly target: string;
}

export interface CapturedResponse extends CapturedMessage {
  readonly status: number;
}

/** A request, a response, or both. */
export interface CapturedExchange {
  /** What the source says about it, or what it leaves out. */
  readonly notes: readonly string[];
  readonly url?: string;
  readonly request?: CapturedRequest;
  readonly response?: CapturedResponse;
}

/** The HTTP messages that a text shows, in its order. */
export interface Capture {
  readonly kind: 'http' | 'har';
  readonly exchanges: readonly CapturedExchange[];
  /** How many more there are, which are neither decoded nor judged. */
  readonly leftOut: number;
}

/** Exchanges of one input that are decoded. */
export const mostExchanges = 1000;
