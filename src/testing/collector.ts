import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { isJsonObject, type Json, type JsonObject, parseJson } from '../lib/json.ts';

/** A span as OTLP/JSON has it, its attributes by name. */
export interface CollectedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  /** 1 internal, 2 server, 3 client. */
  readonly kind: number;
  /** Milliseconds since the epoch. */
  readonly start: number;
  readonly end: number;
  /** 2: an error. */
  readonly status: number;
  readonly attributes: Readonly<Record<string, Json>>;
  readonly events: readonly { readonly name: string; readonly attributes: Readonly<Record<string, Json>> }[];
  readonly links: readonly string[];
}

/** An OTLP/HTTP collector: a server of its own that reads what a real one is sent. */
export interface Collector {
  readonly origin: string;
  readonly spans: CollectedSpan[];
  /** Attributes of the resource of the last request. */
  readonly resource: () => Readonly<Record<string, Json>>;
  /** Path and content type of each request. */
  readonly requests: { readonly path: string; readonly headers: IncomingMessage['headers'] }[];
  /** Everything that came, as text. */
  readonly text: () => string;
  readonly close: () => Promise<void>;
}

const listOf = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter((one: Json): one is JsonObject => isJsonObject(one)) : [];

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

/** `{ stringValue: 'a' }`, `{ intValue: 3 }`, ...: the one member that there is. */
const heldBy = (value: Json | undefined): Json => (isJsonObject(value) ? (Object.values(value)[0] ?? null) : null);

const attributesOf = (of: JsonObject): Readonly<Record<string, Json>> =>
  Object.fromEntries(listOf(of['attributes']).map(({ key, value }) => [textOf(key), heldBy(value)]));

const millisecondsOf = (nanoseconds: Json | undefined): number => Number(BigInt(textOf(nanoseconds)) / 1000n) / 1000;

function spanOf(span: JsonObject): CollectedSpan {
  const { name, traceId, spanId, parentSpanId, kind, status, events, links } = span;
  return {
    name: textOf(name),
    traceId: textOf(traceId),
    spanId: textOf(spanId),
    parentSpanId: textOf(parentSpanId),
    kind: Number(kind),
    start: millisecondsOf(span['startTimeUnixNano']),
    end: millisecondsOf(span['endTimeUnixNano']),
    status: isJsonObject(status) ? Number(status['code'] ?? 0) : 0,
    attributes: attributesOf(span),
    events: listOf(events).map((event) => ({ name: textOf(event['name']), attributes: attributesOf(event) })),
    links: listOf(links).map((link) => `${textOf(link['traceId'])} ${textOf(link['spanId'])}`),
  };
}

/** What a collector answers with; the default takes everything. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const takeAll: Answer = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
};

export async function startCollector(answer: Answer = takeAll): Promise<Collector> {
  const [spans, requests, texts]: [CollectedSpan[], Collector['requests'], string[]] = [[], [], []];
  let resource: Readonly<Record<string, Json>> = {};
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      const text = body.toString('utf8');
      texts.push(text);
      requests.push({ path: request.url ?? '', headers: request.headers });
      const parsed = parseJson(text);
      for (const group of listOf(isJsonObject(parsed) ? parsed['resourceSpans'] : null)) {
        if (isJsonObject(group['resource'])) resource = attributesOf(group['resource']);
        for (const scope of listOf(group['scopeSpans'])) spans.push(...listOf(scope['spans']).map(spanOf));
      }
      answer(request, response);
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    spans,
    resource: () => resource,
    requests,
    text: () => texts.join('\n'),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
