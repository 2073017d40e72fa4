import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, test } from 'vitest';
import type { CaseResult, Result } from '../model/result.ts';
import { loadText } from '../testing/parts/load-text.ts';
import { makeFolder } from '../testing/program/target-file.ts';
import { buildTarget } from '../testing/parts/target.ts';
import { buildRunOptions } from '../testing/parts/run-options.ts';
import { run } from './run.ts';

/** Carrier with its own event loop: sends a callback at once, and two more at these intervals in milliseconds. */
const carrier = `
const { createServer, request: send } = require('node:http');
const { parentPort, workerData } = require('node:worker_threads');
const bodyOf = async (request) => { let text = ''; for await (const part of request) text += part; return JSON.parse(text); };
const server = createServer(async (request, response) => {
  const { request: jws } = await bodyOf(request);
  const claims = JSON.parse(Buffer.from(jws.split('.')[1], 'base64url').toString());
  const id = 'ccid-of-a-test-carrier';
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ auth_req_id: id, expires_in: 60 }));
  const headers = { 'content-type': 'application/json', authorization: 'bearer ' + claims.client_notification_token };
  const body = JSON.stringify({ auth_req_id: id, error: 'request_denied' });
  for (const after of workerData) {
    setTimeout(() => {
      parentPort.postMessage('sent');
      const sent = send(claims.notification_uri, { method: 'POST', headers });
      sent.on('response', (response) => response.resume()).on('error', () => undefined).end(body);
    }, after);
  }
});
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

const rules = `area: area
title: An area
rules:
  - { id: REQ-001, clause: "2.3", level: required, description: It holds., judged: cases }
`;

const cases = `suite: A suite
cases:
  - id: retried
    title: It comes three times
    rule: REQ-001
    steps:
      - { as: request, authorize: {}, expect: accepted }
      - await: callback
        until: request + 2500ms
        expect: { count: 3, spacing: { every: 800ms, early: 350ms, late: 350ms } }
`;

const open: Worker[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((worker) => worker.terminate()));
});

/** Blocks the event loop. */
function block(milliseconds: number): void {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
}

/** Runs the case in real time; `busy` blocks the process `at` milliseconds after the awaits begin, for `length` milliseconds. */
async function runCase(moments: readonly number[], busy?: { at: number; length: number }) {
  const worker = new Worker(carrier, { eval: true, workerData: moments });
  open.push(worker);
  const port = await new Promise<unknown>((resolve) => worker.once('message', resolve));
  const { suites: read, problems } = await loadText({ 'area/rules.yaml': rules, 'area/a.suite.yaml': cases });
  if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join('; '));
  // Only the wait itself may take time.
  const suites = { ...read, cases: read.cases.map((given) => ({ ...given, watched: false as const })) };
  const target = buildTarget({ endpoints: { server_initiated: `http://127.0.0.1:${String(port)}/` } });
  if (busy !== undefined) {
    worker.once('message', () => setTimeout(() => block(busy.length), busy.at));
  }
  const { result, close } = await run(buildRunOptions({ suites, target, journal: `${makeFolder()}/journal.jsonl` }));
  const [found] = [...result.cases];
  close();
  if (found === undefined) throw new Error('no case ran');
  return { result, case: found } satisfies { result: Result; case: CaseResult };
}

/** Runs the case again while this machine was too busy to see when something came, which no verdict can rest on. */
async function runUnhurried(moments: readonly number[]) {
  for (let tries = 1; ; tries += 1) {
    const ran = await runCase(moments);
    if (ran.case.verdict !== 'inconclusive' || tries === 5) return ran;
    expect(ran.case.reason).toMatch(/a delivery may have come up to .* before it was noted/);
  }
}

describe('in real time', () => {
  test('what comes when it should is right', async () => {
    const ran = await runUnhurried([0, 800, 1600]);
    expect(ran.case).toMatchObject({ verdict: 'pass', findings: [] });
  });

  test('what comes when it should not is a finding', async () => {
    const ran = await runUnhurried([0, 1400, 2200]);
    expect(ran.case.findings).toMatchObject([{ code: 'spacing', path: 'deliveries.1' }]);
    expect(ran.case.verdict).toBe('fail');
  });

  test('unless we were too busy to see when it came', async () => {
    const ran = await runCase([0, 800, 1600], { at: 500, length: 900 });
    expect(ran.case).toMatchObject({ verdict: 'inconclusive', findings: [] });
    expect(ran.case.reason).toMatch(
      /^step step2: a delivery may have come up to \d\.\d\d s before it was noted, which could explain the spacing$/,
    );
    expect(ran.result.footer?.receiverLag).toBeGreaterThan(700);
  });

  test('what our being busy does not explain stays a finding', async () => {
    const ran = await runCase([0, 1900, 2300], { at: 100, length: 500 });
    expect(ran.case).toMatchObject({ verdict: 'fail' });
    expect(ran.case.findings.map(({ code }) => code)).toContain('spacing');
  });

  test('what came before the end counts, though it was read after it', async () => {
    const ran = await runCase([0, 800, 1600], { at: 1550, length: 1300 });
    expect(ran.case.verdict).not.toBe('fail');
    expect(ran.case.messages.filter(({ kind }) => kind === 'delivery')).toHaveLength(3);
  });
});
