// Sends a run as a trace to an OpenTelemetry collector, over OTLP/HTTP: the run, its cases, their exchanges.
//
//   OTEL_EXPORTER_OTLP_ENDPOINT=http://localhost:4318 carrierspec run --reporter docs/examples/otel-reporter/reporter.js
import { randomBytes } from 'node:crypto';
import process from 'node:process';

const hex = (bytes) => randomBytes(bytes).toString('hex');
const nanoseconds = (milliseconds) => `${Math.round(milliseconds)}000000`;
const attributes = (given) =>
  Object.entries(given).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: { stringValue: String(value) } }],
  );

const clientKind = 3;
const failed = { code: 2 };

/** The span of a case, and those of its exchanges below it. Times are of the run's clock. */
function* spansOf({ id, verdict, reason, startedAt, endedAt, messages }, parent) {
  if (startedAt === 0) return;
  const own = { traceId: parent.traceId, spanId: hex(8) };
  yield {
    ...own,
    parentSpanId: parent.spanId,
    name: id,
    startTimeUnixNano: nanoseconds(startedAt),
    endTimeUnixNano: nanoseconds(endedAt),
    attributes: attributes({ 'carrierspec.verdict': verdict, 'carrierspec.reason': reason }),
    ...(verdict === 'fail' ? { status: failed } : {}),
  };
  for (const { kind, step, method, url, sentAt, receivedAt, response } of messages) {
    if (kind !== 'exchange') continue;
    yield {
      traceId: own.traceId,
      spanId: hex(8),
      parentSpanId: own.spanId,
      name: `${method} ${step}`,
      kind: clientKind,
      startTimeUnixNano: nanoseconds(sentAt),
      endTimeUnixNano: nanoseconds(receivedAt),
      attributes: attributes({ 'url.full': url, 'http.response.status_code': response?.status }),
    };
  }
}

/** A trace of one result, as OTLP has it in JSON. */
function traceOf({ header, footer, cases }) {
  const run = { traceId: hex(16), spanId: hex(8) };
  const root = {
    ...run,
    name: `carrierspec run ${header.target.name}`,
    startTimeUnixNano: nanoseconds(Date.parse(header.startedAt)),
    endTimeUnixNano: nanoseconds(Date.parse(footer?.endedAt ?? header.startedAt)),
    attributes: attributes({ 'carrierspec.run': header.run, 'carrierspec.outcome': footer?.outcome }),
  };
  const spans = [root, ...[...cases].flatMap((one) => [...spansOf(one, run)])];
  const resource = { attributes: attributes({ 'service.name': 'carrierspec' }) };
  return { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'carrierspec' }, spans }] }] };
}

/** @type {import('carrierspec').Reporter} */
export default {
  result: async (result) => {
    const collector = process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] ?? 'http://localhost:4318';
    const response = await fetch(new URL('v1/traces', `${collector}/`), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(traceOf(result)),
    });
    if (!response.ok) throw new Error(`the collector responded ${response.status}`);
  },
};
