import { randomBytes } from 'node:crypto';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Tracer } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOnSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
  type IdGenerator,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-base';
import type { CollectorTls } from './tls.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Spans that wait to be sent at most; others are lost, and counted. */
const longestQueue = 16_384;
/** Milliseconds that one batch may take, and that the end of a run waits for the last. */
const longestExport = 4000;
const longestFlush = 5000;
/** Characters of an attribute. */
const longestValue = 512;

/** Ids of the trace that the run is, and of the spans: the next one may be given. */
interface Ids extends IdGenerator {
  next: string | undefined;
}

function createIds(traceId: string): Ids {
  const ids: Ids = {
    next: undefined,
    generateTraceId: () => traceId,
    generateSpanId: () => {
      const given = ids.next;
      ids.next = undefined;
      return given ?? randomBytes(8).toString('hex');
    },
  };
  return ids;
}

const timeoutIn = (env: Env): number => {
  const given = Number(env['OTEL_EXPORTER_OTLP_TRACES_TIMEOUT'] ?? env['OTEL_EXPORTER_OTLP_TIMEOUT']);
  return given > 0 ? Math.min(given, longestExport) : longestExport;
};

/** Counts what an exporter has sent, and keeps why something was not. */
function counted(exporter: SpanExporter) {
  const pending = new Set<Promise<void>>();
  const state: { sent: number; why: string | undefined } = { sent: 0, why: undefined };
  const counting: SpanExporter = {
    export: (spans, done) => {
      const ended = new Promise<void>((resolve) => {
        exporter.export(spans, (result) => {
          // 0 is the code of success.
          if (result.code === 0) state.sent += spans.length;
          else state.why = result.error?.message || 'it was not taken';
          resolve();
          done(result);
        });
      });
      pending.add(ended);
      void ended.then(() => pending.delete(ended));
    },
    shutdown: () => exporter.shutdown(),
  };
  return { counting, state, settled: () => Promise.all(pending) };
}

/** How many spans a collector took. */
export interface Sent {
  readonly sent: number;
  /** Why it did not take another; undefined where nothing failed. */
  readonly why: string | undefined;
}

/** The SDK as this program uses it: one trace, to one collector, in bounded memory and time. */
export interface Exporting {
  readonly tracer: Tracer;
  /** The next span that is started has this id. */
  readonly nextId: (spanId: string) => void;
  /** Sends what is left, for 5 s at most. Every span has ended. */
  readonly close: () => Promise<Sent>;
}

export interface ExportOptions {
  readonly url: URL;
  readonly traceId: string;
  readonly env: Env;
  readonly tls: CollectorTls;
  readonly version: string;
}

async function within(milliseconds: number, task: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([task.catch(() => undefined), late]);
  clearTimeout(timer);
}

function agentFor({ protocol }: URL, tls: CollectorTls): HttpAgent {
  return protocol === 'https:' ? new HttpsAgent({ keepAlive: true, ...tls }) : new HttpAgent({ keepAlive: true });
}

function providerOf(processor: BatchSpanProcessor, idGenerator: IdGenerator, version: string): BasicTracerProvider {
  const resource = resourceFromAttributes({ 'service.name': 'carrierspec', 'service.version': version });
  return new BasicTracerProvider({
    // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES.
    resource: resource.merge(detectResources({ detectors: [envDetector] })),
    sampler: new AlwaysOnSampler(),
    idGenerator,
    spanLimits: { attributeValueLengthLimit: longestValue },
    spanProcessors: [processor],
  });
}

export function openExporting({ url, traceId, env, tls, version }: ExportOptions): Exporting {
  const agent = agentFor(url, tls);
  const timeoutMillis = timeoutIn(env);
  const exporter = new OTLPTraceExporter({ url: url.href, timeoutMillis, httpAgentOptions: () => agent });
  const { counting, state, settled } = counted(exporter);
  const ids = createIds(traceId);
  const processor = new BatchSpanProcessor(counting, {
    maxQueueSize: longestQueue,
    maxExportBatchSize: 512,
    scheduledDelayMillis: 1000,
    exportTimeoutMillis: longestExport,
  });
  const flush = async (): Promise<void> => {
    await processor.forceFlush().catch(() => undefined);
    await settled();
  };
  return {
    tracer: providerOf(processor, ids, version).getTracer('carrierspec', version),
    nextId: (spanId) => {
      ids.next = spanId;
    },
    close: async () => {
      await within(longestFlush, flush());
      // What a collector has not answered by now would keep the process.
      agent.destroy();
      return { ...state };
    },
  };
}
