import type { Draws } from './drawn.ts';

/** The value of the header that names each request: any of its own, in the form of the W3C where the header is theirs. */
export function traceValue(header: string, random: Draws['random']): string {
  // A header of the W3C has the form of the W3C: carriers drop any other.
  return header.toLowerCase() === 'traceparent' ? `00-${random(16)}-${random(8)}-01` : random(8);
}
