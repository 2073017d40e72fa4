import { randomBytes } from 'node:crypto';
import type { Attributes } from '@opentelemetry/api';
import type { TracePlace } from '../lib/traceparent.ts';
import type { ProgressEvent } from '../model/progress.ts';
import { type ExportOptions, openExporting, type Sent } from './exporting.ts';
import { type Book, finishAll, follow } from './follow.ts';
import { belowRemote, createSpans, setError } from './spans.ts';

export interface TraceOptions
  extends Pick<ExportOptions, 'url' | 'env' | 'tls' | 'version'>,
    Pick<Book, 'now' | 'scheme'> {
  /** The span that the run is a part of; absent: it is a trace of its own. */
  readonly parent?: TracePlace;
  /** Name of the header by which a request says which span it is; absent where requests have none. */
  readonly header?: string;
  /** Of the span of the run. */
  readonly attributes: Attributes;
}

/** A run as a trace: what the engine tells of it goes in, spans go to a collector. */
export interface Traces {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  readonly event: (event: ProgressEvent) => void;
  /** Ends every span; the run's has these attributes too. `failed`: it is an error, for this reason. */
  readonly end: (ending: { readonly attributes: Attributes; readonly failed?: string }) => void;
  /** Sends what is left, for a few seconds at most, and says what became of all. Every span has ended. */
  readonly close: () => Promise<Sent & { readonly spans: number }>;
}

/** Opens the trace of a run. */
export function openTraces(options: TraceOptions): Traces {
  const { now, parent, header = '', scheme, attributes } = options;
  const traceId = parent?.traceId ?? randomBytes(16).toString('hex');
  const { tracer, nextId, close } = openExporting({ ...options, traceId });
  const spans = createSpans(tracer);
  const book: Book = {
    traceId,
    spans,
    nextId,
    now,
    scheme,
    header: header.toLowerCase(),
    run: spans.begin('carrierspec run', { below: belowRemote(parent), at: now(), attributes }),
    cases: new Map(),
    steps: new Map(),
    deliveries: new Map(),
  };
  return {
    traceId,
    event: (event) => follow(book, event),
    end: ({ attributes: more, failed }) => {
      finishAll(book);
      book.run.span.setAttributes(more);
      if (failed !== undefined) setError(book.run, failed);
      book.run.span.end(now());
    },
    close: async () => ({ ...(await close()), spans: spans.count() }),
  };
}
