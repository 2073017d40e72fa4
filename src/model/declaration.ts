import type { Json } from '../lib/json.ts';

/** Something that the interface leaves open, as the target file declares it. */
export interface Declaration {
  /** The key of the target file: `latency.callback`, `supports.cancel`. */
  readonly key: string;
  readonly value: Json;
  /** One sentence of it, for people. */
  readonly words: string;
}
