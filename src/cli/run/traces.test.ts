import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { plainText } from '../../lib/json.ts';
import { readTraceparent } from '../../lib/traceparent.ts';
import type { CaseResult, Result } from '../../model/result.ts';
import { freePort } from '../../setup/reference.ts';
import { type CollectedSpan, type Collector, startCollector } from '../../testing/collector.ts';
import { spawnAndSeePackages } from '../../testing/loaded-packages.ts';
import { runCli } from '../../testing/run-cli.ts';
import { privateMembersBelow, toldIn } from '../../testing/secrets.ts';
import { root, spawnCli } from '../../testing/spawn-cli.ts';
import { makeFolder, type SpawnedCarrier, startCarrier, stopCarrier, writeTarget } from '../../testing/target-file.ts';
import { openTunnel } from '../../testing/tunnel.ts';

const collectors: Collector[] = [];
afterAll(() => Promise.all(collectors.map(({ close }) => close())));

async function collector(answer?: Parameters<typeof startCollector>[0]): Promise<Collector> {
  const started = await startCollector(answer);
  collectors.push(started);
  return started;
}

let carrier: SpawnedCarrier;
beforeAll(async () => {
  carrier = await startCarrier(['--clock', 'virtual']);
});
afterAll(() => stopCarrier(carrier));

const casesIn = (out: string): readonly CaseResult[] => {
  const { cases } = JSON.parse(readFileSync(join(out, 'result.json'), 'utf8')) as Result;
  return Array.from(cases);
};

const traceLine = /^trace: ([\da-f]{32})$/m;
const lostLine = /^traces: .*$/gm;

/** Ids of spans that are not below the one that they should be below. */
function misplaced(spans: readonly CollectedSpan[], expected: (span: CollectedSpan) => CollectedSpan | undefined) {
  return spans.filter((span) => span.parentSpanId !== expected(span)?.spanId).map(({ name }) => name);
}

test('a run is a trace of its cases, their steps and what was sent and came, and the carrier sees its id', async () => {
  const [{ origin, spans, requests, text }, out] = [await collector(), makeFolder()];
  const tunnel = await openTunnel('a-password-of-the-proxy');
  const target = writeTarget((given) => ({ ...given, proxy: { env: 'PROXY' } }));
  const before = Date.now();
  const args = ['run', 'delivered-to-the-named-uri', 'device-reset', 'jti-absent', '--target', target, '--out', out];
  const { code, stderr } = await runCli([...args, '--traces', origin], { env: { ...carrier.env, PROXY: tunnel.url } });
  const after = Date.now();
  expect([code, stderr]).toEqual([0, expect.not.stringMatching(lostLine)]);
  const [, traceId = ''] = traceLine.exec(stderr) ?? [];
  expect(requests.map(({ path, headers }) => [path, headers['content-type']])).toContainEqual([
    '/v1/traces',
    'application/json',
  ]);
  expect(new Set(spans.map((span) => span.traceId))).toEqual(new Set([traceId]));
  expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);

  const cases = casesIn(out);
  const run = spans.find(({ parentSpanId }) => parentSpanId === '');
  expect(run).toMatchObject({
    name: 'carrierspec run',
    status: 0,
    attributes: { 'carrierspec.outcome': 'conformant' },
  });
  const ofCases = spans.filter(({ attributes }) => 'carrierspec.verdict' in attributes);
  expect(ofCases.map(({ name }) => name).toSorted()).toEqual(cases.map(({ id }) => id).toSorted());
  expect(misplaced(ofCases, () => run)).toEqual([]);
  const caseOf = (span: CollectedSpan): CollectedSpan | undefined =>
    ofCases.find(({ name }) => name === span.attributes['carrierspec.case.id']);
  const steps = spans.filter(({ attributes }) => 'carrierspec.verb' in attributes);
  expect(misplaced(steps, caseOf)).toEqual([]);
  const stepOf = (span: CollectedSpan): CollectedSpan | undefined =>
    steps.find(
      ({ name, attributes }) =>
        name === span.attributes['carrierspec.step'] &&
        attributes['carrierspec.case.id'] === span.attributes['carrierspec.case.id'],
    );

  const messages = cases.flatMap((one) => one.messages);
  const [exchanges, deliveries] = [3, 2].map((kind) => spans.filter((span) => span.kind === kind));
  const idsOf = (kind: string): readonly string[] => messages.filter((one) => one.kind === kind).map(({ id }) => id);
  const idsIn = (list: readonly CollectedSpan[] = []) =>
    list.map(({ attributes }) => plainText(attributes['carrierspec.message.id'])).toSorted();
  expect(idsIn(exchanges)).toEqual(idsOf('exchange').toSorted());
  expect(idsIn(deliveries)).toEqual(idsOf('delivery').toSorted());
  expect(deliveries?.length).toBeGreaterThan(2);
  const whileTheirStepLasts = exchanges?.filter((one) => stepOf(one) !== undefined) ?? [];
  expect(whileTheirStepLasts.length).toBeGreaterThan(2);
  expect(misplaced(whileTheirStepLasts, stepOf)).toEqual([]);

  // Wall time, although the clock of the run is virtual: a span lasts as long as it did, within the one above it.
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const outside = spans.filter(({ start, end, parentSpanId }) => {
    const above = byId.get(parentSpanId);
    return start < before - 1 || end > after + 1 || end < start || (above !== undefined && start < above.start - 2);
  });
  expect(outside.map(({ name, start, end }) => [name, start - before, end - before])).toEqual([]);

  // The header of each request names its span, in the result and where the carrier reads it.
  const seen = new Map(
    messages.flatMap((one) => {
      const [, value = ''] = one.request.headers.find(([name]) => name.toLowerCase() === 'x-request-id') ?? [];
      return one.kind === 'exchange' ? [[one.id, readTraceparent(value)] as const] : [];
    }),
  );
  for (const { attributes, spanId } of exchanges ?? [])
    expect(seen.get(plainText(attributes['carrierspec.message.id']))).toEqual({ traceId, spanId });
  const port = Number(new URL(carrier.env['REFERENCE_ORIGIN'] ?? '').port);
  const toCarrier = exchanges?.find(({ attributes }) => attributes['server.port'] === port);
  expect(toCarrier).toMatchObject({
    name: 'POST',
    attributes: { 'http.request.method': 'POST', 'server.address': '127.0.0.1' },
  });
  tunnel.close();
  // Byte for byte as the carrier has it.
  expect(tunnel.sent()).toContain(`x-request-id: 00-${traceId}-${toCarrier?.spanId}-01\r\n`);

  const secrets = [
    ...privateMembersBelow(join(root, 'fixtures/reference/keys')),
    carrier.env['REFERENCE_SECRET'] ?? '',
    'a-password-of-the-proxy',
  ];
  expect(toldIn(text(), secrets)).toEqual([]);
  expect(text()).not.toMatch(/bearer|notification_token|login_hint/i);
});

test('a case that failed is an error, with the rules that it found broken, and so is the run', async () => {
  const { origin, spans } = await collector();
  const args = ['run', 'jti-absent', '--fault', 'jti-required', '--out', makeFolder(), '--traces', origin];
  const { code } = await runCli(args);
  expect(code).toBe(1);
  const [one] = spans.filter(({ name }) => name === 'jti-absent');
  expect(one).toMatchObject({ status: 2, attributes: { 'carrierspec.verdict': 'fail' } });
  expect(one?.events).toContainEqual({
    name: 'finding',
    attributes: expect.objectContaining({ 'carrierspec.level': 'required' }) as unknown,
  });
  expect(spans.find(({ parentSpanId }) => parentSpanId === '')).toMatchObject({ status: 2 });
  // The second try is in the case that it confirms.
  const tries = spans.filter(
    ({ attributes }) => attributes['carrierspec.try'] === 'again' && 'carrierspec.verb' in attributes,
  );
  expect(new Set(tries.map(({ parentSpanId }) => parentSpanId))).toEqual(new Set([one?.spanId]));
});

test('the environment names the collector, its credentials and the span that the run is a part of', async () => {
  const { origin, spans, requests, resource, text } = await collector();
  const parent = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: origin,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20a-key-of-the-collector',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=staging',
    TRACEPARENT: `00-${parent.traceId}-${parent.spanId}-01`,
  };
  const { code, stderr, packages } = await spawnAndSeePackages(['run', 'jti-absent', '--out', makeFolder()], { env });
  expect([code, stderr]).toEqual([0, expect.stringContaining(`trace: ${parent.traceId}\n`)]);
  expect(spans.find(({ name }) => name === 'carrierspec run')).toMatchObject({
    traceId: parent.traceId,
    parentSpanId: parent.spanId,
  });
  expect(requests[0]).toMatchObject({
    path: '/v1/traces',
    headers: { authorization: 'Basic a-key-of-the-collector' },
  });
  expect(resource()).toMatchObject({ 'service.name': 'carrierspec', 'deployment.environment.name': 'staging' });
  expect(`${text()}${stderr}`).not.toContain('a-key-of-the-collector');
  expect([...packages].filter((name) => name.startsWith('@opentelemetry/'))).toContain('@opentelemetry/sdk-trace-base');
});

test('nothing of it is loaded or sent where no collector is named', async () => {
  const { requests, origin } = await collector();
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: origin, OTEL_SDK_DISABLED: 'true' };
  const { code, stderr, packages } = await spawnAndSeePackages(['run', 'jti-absent', '--out', makeFolder()], { env });
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('trace')]);
  expect([...packages].filter((name) => name.startsWith('@opentelemetry/'))).toEqual([]);
  expect(requests).toEqual([]);
});

const hanging: Parameters<typeof startCollector>[0] = (_, response) => {
  // Never silent for long, and never at its end.
  response.writeHead(200);
  const drip = setInterval(() => response.write(' '), 300);
  response.once('close', () => clearInterval(drip));
};

test.each([
  ['is not there', async () => `http://127.0.0.1:${await freePort()}`, /ECONNREFUSED/],
  ['does not come to an end', async () => (await collector(hanging)).origin, /did not answer in time/],
  [
    'refuses',
    async () => (await collector((_, response) => response.writeHead(403, 'Not\u00e9 you').end())).origin,
    /: .+/,
  ],
])('a collector that %s changes nothing of the run, and is said once', async (_, open, why) => {
  const origin = await open();
  const begun = performance.now();
  const args = ['run', 'jti-absent', '--out', makeFolder(), '--traces', origin];
  const { code, stderr } = await spawnCli(args);
  expect(code).toBe(0);
  const said = stderr.match(lostLine) ?? [];
  expect(said).toEqual([expect.stringMatching(/^traces: (\d+) of \1 spans did not reach http:\/\/127\.0\.0\.1:\d+: /)]);
  expect(said[0]).toMatch(why);
  // 5 s for what is left to be sent, and what the process itself takes.
  expect(performance.now() - begun).toBeLessThan(15_000);
});

test('an endpoint that is none is said, and the run goes on; a flag that is none is refused', async () => {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4317' };
  const { code, stderr } = await runCli(['run', 'jti-absent', '--out', makeFolder()], { env });
  expect([code, stderr]).toEqual([
    0,
    expect.stringContaining('no traces: OTEL_EXPORTER_OTLP_ENDPOINT is no http or https URL\n'),
  ]);
  expect(await runCli(['run', '--traces', 'localhost:4318'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--traces: "localhost:4318" is no http or https URL') as unknown,
  });
});
