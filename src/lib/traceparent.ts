/** A span in its trace, as W3C Trace Context names them: 16 and 8 bytes in hexadecimal digits. */
export interface TracePlace {
  readonly traceId: string;
  readonly spanId: string;
}

/** The value of a `traceparent` header of a trace that is kept. */
export const writeTraceparent = ({ traceId, spanId }: TracePlace): string => `00-${traceId}-${spanId}-01`;

const form = /^[\da-f]{2}-(?!0{32})(?<traceId>[\da-f]{32})-(?!0{16})(?<spanId>[\da-f]{16})-[\da-f]{2}$/;

/** The span that a `traceparent` names; undefined where it names none. */
export function readTraceparent(value: string): TracePlace | undefined {
  const { traceId, spanId } = form.exec(value)?.groups ?? {};
  return traceId === undefined || spanId === undefined || value.startsWith('ff') ? undefined : { traceId, spanId };
}
