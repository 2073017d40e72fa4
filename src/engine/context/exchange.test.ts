import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { testedInterface } from '../../testing/parts/tested-interface.ts';
import { runYamlCases } from '../../testing/parts/run-cases.ts';
import { createRandomDraws } from './random-draws.ts';
import { longHeaderReason, maxHeaderBytes } from '../../wire/read/collect-body.ts';
import { traceValue } from './exchange.ts';

const open: (() => unknown)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

/** Sets up a token endpoint that counts its requests, and a function that sends so many. */
async function setUp(serve: RequestListener, count: number) {
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    serve(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(
    () => server.close(),
    () => server.closeAllConnections(),
  );
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`;
  const yaml = Array.from(
    { length: count },
    (_, at) =>
      `  - { id: token-${at}, title: A token, rule: REQ-001, steps: [{ http: { to: token, form: { grant_type: x } }, expect: accepted }] }\n`,
  ).join('');
  const run = (keepGoing: boolean) =>
    runYamlCases(yaml, {
      change: (target) => ({ ...target, requestTimeout: 0.3, endpoints: { ...target.endpoints, token: url } }),
      interface: { ...testedInterface, timing: { ...testedInterface.timing, slowestResponse: 0.3 } },
      jobs: 2,
      confirm: false,
      keepGoing,
    });
  return { run, url, requests: () => requests };
}

describe('an endpoint that never answers', () => {
  test('is asked some times and then left alone, and the cases that were to ask it come to no verdict', async () => {
    const { run, url, requests } = await setUp(() => undefined, 12);
    const { cases, result } = await run(true);
    const verdicts = Object.values(cases).map(({ verdict }) => verdict);
    expect(verdicts.filter((verdict) => verdict === 'fail')).toHaveLength(requests());
    expect(requests()).toBeLessThan(8);
    const untold = Object.values(cases).filter(({ verdict }) => verdict === 'inconclusive');
    expect(untold).toHaveLength(12 - requests());
    for (const { reason } of untold) expect(reason).toMatch(`nothing was sent: ${url} has answered none of the `);
    expect(result.footer?.outcome).toBe('not conformant');
  });

  test('ends the run where it is not told to go on', async () => {
    const { run, url } = await setUp(() => undefined, 12);
    const { cases, result } = await run(false);
    expect(Object.values(cases).map(({ verdict }) => verdict)).toContain('not-run');
    expect(result.footer?.stopped).toBe(true);
    expect(result.footer?.reasons.join()).toContain(`stopped: ${url} has answered none of the`);
  });
});

test('what no request forbade and nothing here can read is no finding', async () => {
  const { run } = await setUp((_, response) => {
    response.writeHead(400, { 'content-type': 'application/json', 'content-encoding': 'zstd' }).end('coded');
  }, 1);
  expect((await run(true)).cases['token-0']).toMatchObject({
    verdict: 'inconclusive',
    reason: 'the response is in the content coding zstd, which carrierspec does not undo',
    findings: [],
  });
});

test('a response that is no HTTP is told as one that came, with the reason of the parser', async () => {
  const { run } = await setUp(({ socket }) => void socket.end('HTTP/1.1 200 OK\r\nbad header: x\r\n\r\n'), 1);
  const { findings, messages } = (await run(true)).cases['token-0'] ?? {};
  const told = 'Response does not match the HTTP/1.1 protocol (Invalid header token)';
  expect(messages).toMatchObject([{ noResponse: { reason: 'protocol', detail: told } }]);
  expect(findings?.map(({ actual }) => actual)).toEqual([`a response that cannot be read: ${told}`]);
});

test('a header over our own limit is no finding', async () => {
  const { run } = await setUp((_, response) => {
    response.writeHead(400, { 'x-long': 'x'.repeat(maxHeaderBytes) }).end();
  }, 1);
  expect((await run(true)).cases['token-0']).toMatchObject({
    verdict: 'inconclusive',
    reason: longHeaderReason.response,
    findings: [],
    messages: [{ noResponse: { reason: 'protocol', detail: longHeaderReason.response } }],
  });
});

test('a body that this side holds back lets no endpoint go silent', async () => {
  const stalled = Array.from(
    { length: 6 },
    (_, at) =>
      `  - { id: stalled-${at}, title: Half, rule: REQ-001, steps: [{ authorize: { writing: body-stalled }, expect: accepted }] }\n`,
  );
  const plain = '  - { id: plain, title: Whole, rule: REQ-001, steps: [{ authorize: {}, expect: accepted }] }\n';
  const { cases } = await runYamlCases([...stalled, plain].join(''), { jobs: 1, confirm: false });
  const verdicts = Object.values(cases).map(({ verdict }) => verdict);
  expect(verdicts).toEqual([...stalled.map(() => 'fail'), 'pass']);
});

const { random } = createRandomDraws();
const twice = (header: string) => [traceValue(header, random), traceValue(header, random)];

test('a random value for each request', () => {
  const [one, other] = twice('X-Request-ID');
  expect(one).toMatch(/^[\da-f]{16}$/);
  expect(other).not.toBe(one);
});

test('a header of the W3C has the form of the W3C', () => {
  const [one, other] = twice('Traceparent');
  expect(one).toMatch(/^00-[\da-f]{32}-[\da-f]{16}-01$/);
  expect(other?.slice(3, 35)).not.toBe(one?.slice(3, 35));
});
