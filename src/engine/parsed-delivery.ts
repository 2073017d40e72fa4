import type { Json } from '../model/json.ts';
import type { Inbound } from '../wire/receive.ts';

/** A delivery with its header and body understood. */
export interface Parsed {
  readonly inbound: Inbound;
  readonly headers: Record<string, string>;
  readonly text: string;
  readonly body: Json | undefined;
}
