import {
  type Attributes,
  type Context,
  type Link,
  ROOT_CONTEXT,
  type Span,
  type SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Tracer,
} from '@opentelemetry/api';
import { readTraceparent, type TracePlace } from '../lib/traceparent.ts';
import type { HeaderLines } from '../model/exchange.ts';

/** A span that has begun, and the place below it. */
export interface OpenSpan {
  readonly span: Span;
  readonly below: Context;
}

export interface Begin {
  readonly below: Context;
  /** Milliseconds since the epoch of wall time. */
  readonly at: number;
  readonly kind?: SpanKind;
  readonly attributes?: Attributes;
  readonly links?: Link[];
}

/** Starts spans, and counts them. */
export function createSpans(tracer: Tracer) {
  let count = 0;
  return {
    count: () => count,
    begin: (name: string, { below, at, ...options }: Begin): OpenSpan => {
      count += 1;
      const span = tracer.startSpan(name, { ...options, startTime: at }, below);
      return { span, below: trace.setSpan(below, span) };
    },
  };
}

export type Spans = ReturnType<typeof createSpans>;

const remote = (place: TracePlace) => ({ ...place, traceFlags: TraceFlags.SAMPLED, isRemote: true });

/** Below a span of somebody else, such as the job of a CI; the root where there is none. */
export const belowRemote = (place: TracePlace | undefined): Context =>
  place === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, remote(place));

/** The spans that the header lines of this name point at, the last first. */
const placesIn = (headers: HeaderLines, name: string): readonly TracePlace[] =>
  headers.flatMap(([one, value]) => (one.toLowerCase() === name ? (readTraceparent(value) ?? []) : [])).toReversed();

/** The id that the span of a request was given when it was sent. */
export const spanIdIn = (headers: HeaderLines, name: string, traceId: string): string | undefined =>
  placesIn(headers, name).find((place) => place.traceId === traceId)?.spanId;

/** A link to the span by which the carrier sent a delivery, where it names one. */
export function carrierLinks(headers: HeaderLines): Link[] {
  const [place] = placesIn(headers, 'traceparent');
  return place === undefined ? [] : [{ context: remote(place) }];
}

export function setError({ span }: OpenSpan, message?: string): void {
  span.setStatus({ code: SpanStatusCode.ERROR, ...(message === undefined ? {} : { message }) });
}
