import type { Json, JsonObject } from '../lib/json.ts';

/** Header lines as they stood on the wire: order, case and repetitions kept, secrets redacted. */
export type HeaderLines = readonly (readonly [name: string, value: string])[];

/** The first header field of this name, which is in lower case. */
export const findHeader = (lines: HeaderLines, wanted: string): string | undefined =>
  lines.find(([name]) => name.toLowerCase() === wanted)?.[1];

/** Why what came is not what its header fields declare it to be. */
export interface Unreadable {
  readonly path: string;
  readonly expected: string;
  readonly actual: string;
}

/** One half of an HTTP exchange as it was on the wire, with secrets redacted. */
export interface RecordedMessage {
  readonly headers: HeaderLines;
  /** Text of the body; of one that was cut its beginning, or its two ends with a line between them. */
  readonly body: string;
  /** Bytes of the whole body. */
  readonly bytes: number;
  readonly truncated?: true;
  /** Digest of the whole redacted text, in hexadecimal; only if the record is cut. */
  readonly sha256?: string;
  /** The case and the message that have an equal body in full. */
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

/** Attempt that a message belongs to, if not the first: the plain request, the second try, or the try after a throttled one. */
export type Attempt = 'control' | 'again' | 'later';

/** Whether an exchange made something happen at the carrier, beside the interface. */
export const isDriverCall = ({ purpose }: { readonly purpose?: string }): boolean =>
  purpose?.startsWith('driver') === true;

export interface Exchange {
  readonly id: string;
  readonly kind: 'exchange';
  readonly attempt?: Attempt;
  /** The step that sent it; empty where the run read it for its invariants. */
  readonly step: string;
  readonly purpose: string;
  /** Milliseconds since the epoch, on the run's clock. */
  readonly sentAt: number;
  readonly receivedAt: number;
  readonly method: string;
  readonly url: string;
  readonly request: RecordedMessage;
  /** The request object decoded, where one was sent. */
  readonly object?: { readonly header: Json; readonly claims: Json };
  readonly differences: readonly NamedDifference[];
  readonly response?: RecordedMessage & { readonly status: number };
  readonly noResponse?: { readonly reason: NoResponse; readonly detail: string };
}

export interface Delivery {
  readonly id: string;
  readonly kind: 'delivery';
  readonly attempt?: Attempt;
  /** The step whose request it answers; absent for an unsolicited delivery. */
  readonly step?: string;
  readonly receivedAt: number;
  readonly method: string;
  /** The request target, byte for byte. */
  readonly target: string;
  readonly request: RecordedMessage;
  /** The id token decoded, signature left out. */
  readonly idToken?: { readonly header: Json; readonly claims: JsonObject };
  readonly answered: number | 'reset' | 'held';
  /** Nothing shows that the carrier sent it. */
  readonly stranger?: true;
}

export type Message = Exchange | Delivery;
