import type { Json } from '../../model/json.ts';
import type { Inbound } from '../../wire/receive/receive.ts';

/** A delivery with its header and body understood. */
export interface Parsed {
  readonly inbound: Inbound;
  readonly headers: Record<string, string>;
  readonly text: string;
  readonly body: Json | undefined;
}

/** What a callback and an event have in common, as a judge sees them. */
export function frameOf(message: string, { inbound, headers, text, body }: Parsed) {
  return {
    message,
    receivedAt: inbound.receivedAt / 1000,
    ...(inbound.lag === undefined ? {} : { lag: inbound.lag / 1000 }),
    method: inbound.method,
    target: inbound.target,
    headers,
    headerLines: inbound.headers,
    text,
    ...(body === undefined ? {} : { body }),
  };
}
