import { writeTraceparent } from '../../lib/traceparent.ts';
import type { Draws } from './drawn.ts';

/** What the header of the target that names each request says: the span of the request where the run is a trace, else any value of its own. */
export function traceValue(
  { header, traceId }: { readonly header: string; readonly traceId: string | undefined },
  random: Draws['random'],
): string {
  if (traceId !== undefined) return writeTraceparent({ traceId, spanId: random(8) });
  // A header of the W3C has the form of the W3C: carriers drop any other.
  return header.toLowerCase() === 'traceparent'
    ? writeTraceparent({ traceId: random(16), spanId: random(8) })
    : random(8);
}
