import type { Json, JsonObject } from '../lib/json.ts';

/** Header lines exactly as on the wire (order, case, repetitions), with secrets redacted. */
export type HeaderLines = readonly (readonly [name: string, value: string])[];

/** Value of the first header field with this name; `wanted` is in lower case. */
export const findHeader = (lines: HeaderLines, wanted: string): string | undefined =>
  lines.find(([name]) => name.toLowerCase() === wanted)?.[1];

/** Mismatch between a message and its own header fields. */
export interface ReadabilityFlaw {
  readonly aspect?: string;
  readonly path: string;
  readonly expected: string;
  readonly actual: string;
}

/** One half of an HTTP exchange as it was on the wire, with secrets redacted. */
export interface RecordedMessage {
  readonly headers: HeaderLines;
  /** Body text. If cut: its beginning, or both ends with a line between them. */
  readonly body: string;
  /** Size of the whole body. */
  readonly bytes: number;
  readonly truncated?: true;
  /** SHA-256 of the whole redacted text, in hexadecimal; only if the record is cut. */
  readonly sha256?: string;
  /** Case and message whose record contains an equal body in full. */
  readonly sameAs?: string;
}

/** A deliberate difference from the base request. */
export interface NamedDifference {
  /** `claims.iat`, `header.kid`, `key`, `http.method`, ... */
  readonly what: string;
  readonly change: 'set' | 'removed' | 'raw' | 'altered';
  readonly value?: Json;
}

export type NoResponse = 'refused' | 'reset' | 'timeout' | 'unresolved' | 'tls' | 'protocol';

interface NoResponseReason {
  readonly reason: NoResponse;
  readonly detail: string;
}

/** Says that no response came, or that the one that came is not HTTP as we can read it. */
export const describeNoResponse = ({ reason, detail }: NoResponseReason): string =>
  reason === 'protocol' ? `a response that cannot be read: ${detail}` : `no response: ${reason} (${detail})`;

/** Attempt that a message belongs to, if not the first: the plain request, the second try, or the try after a throttled one. */
export type Attempt = 'control' | 'again' | 'later';

/** Whether the exchange is a driver call, outside the interface. */
export const isDriverCall = ({ purpose }: { readonly purpose?: string }): boolean =>
  purpose?.startsWith('driver') === true;

export interface Exchange {
  readonly id: string;
  readonly kind: 'exchange';
  readonly attempt?: Attempt;
  /** Step that sent it; empty if the run read it for its invariants. */
  readonly step: string;
  readonly purpose: string;
  /** Milliseconds since the epoch, on the run's clock. */
  readonly sentAt: number;
  readonly receivedAt: number;
  readonly method: string;
  readonly url: string;
  readonly request: RecordedMessage;
  /** Decoded request object, if one was sent. */
  readonly object?: { readonly header: Json; readonly claims: Json };
  readonly differences: readonly NamedDifference[];
  readonly response?: RecordedMessage & { readonly status: number };
  readonly noResponse?: NoResponseReason;
  /** A failure that was gone when the same request was sent again: no rule is judged by it (P26). */
  readonly passing?: true;
}

export interface Delivery {
  readonly id: string;
  readonly kind: 'delivery';
  readonly attempt?: Attempt;
  /** Step whose request it answers; absent if unsolicited. */
  readonly step?: string;
  readonly receivedAt: number;
  readonly method: string;
  /** The request target, byte for byte. */
  readonly target: string;
  readonly request: RecordedMessage;
  /** Decoded id token, without its signature. */
  readonly idToken?: { readonly header: Json; readonly claims: JsonObject };
  readonly answered: number | 'reset' | 'held';
  /** Unauthenticated: nothing shows that the carrier sent it. */
  readonly stranger?: true;
}

export type Message = Exchange | Delivery;
