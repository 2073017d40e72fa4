import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { root, spawnCli } from '../../testing/program/spawn-cli.ts';
import { makeFolder } from '../../testing/program/target-file.ts';

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
}

interface Trace {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly Span[] }[] }[];
}

const bodies: string[] = [];
const collector = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    bodies.push(`${request.method} ${request.url} ${Buffer.concat(parts).toString()}`);
    response.end('{}');
  });
});
afterEach(() => collector.close());

test('the example sends the run, its cases and their exchanges as one trace', async () => {
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const { port } = collector.address() as AddressInfo;
  const reporter = join(root, 'docs/examples/otel-reporter/reporter.js');
  const args = ['run', 'approval-brings-tokens', '--reporter', reporter, '--out', makeFolder()];
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` };
  const { code, stderr } = await spawnCli(args, { env });
  expect(code, stderr).toBe(0);
  const [, path, body = ''] = /^POST (\S+) (.*)$/s.exec(bodies[0] ?? '') ?? [];
  expect(path).toBe('/v1/traces');
  const [run, theCase, ...exchanges] = (JSON.parse(body) as Trace).resourceSpans[0]?.scopeSpans[0]?.spans ?? [];
  expect(theCase).toMatchObject({ name: 'approval-brings-tokens', parentSpanId: run?.spanId, traceId: run?.traceId });
  expect(theCase?.startTimeUnixNano).toMatch(/^\d{19}$/);
  expect(exchanges.map(({ parentSpanId }) => parentSpanId)).toContain(theCase?.spanId);
  expect(new Set(exchanges.map(({ parentSpanId }) => parentSpanId)).size).toBe(1);
});
