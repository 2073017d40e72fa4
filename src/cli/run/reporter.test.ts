import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCli } from '../../testing/program/run-cli.ts';
import { runInto, spawnInto } from '../../testing/program/run-into.ts';
import { root } from '../../testing/program/spawn-cli.ts';
import { writeFolder } from '../../testing/program/target-file.ts';

const theCase = 'approval-brings-tokens';

const wellBehaved = `import { writeFileSync } from 'node:fs';
const kinds = new Set();
export default ({ folder }) => ({
  event: ({ kind }) => void kinds.add(kind),
  result: async ({ footer, cases }) => {
    const ids = [...cases].map(({ id }) => id);
    writeFileSync(new URL('told.json', import.meta.url), JSON.stringify({ folder, kinds: [...kinds], outcome: footer.outcome, ids }));
  },
});`;

/** Last line of a run of one required rule. */
const isConformant = /^Conformant in the 1 of \d+ required rules that were run: exit code 0$/m;

const told = (folder: string): unknown => JSON.parse(readFileSync(join(folder, 'told.json'), 'utf8'));

describe('a reporter of the user', () => {
  test('gets the run and its result, and changes neither exit code nor output; also of a run that is over', async () => {
    const folder = writeFolder({ 'mine.mjs': wellBehaved });
    const mine = ['--reporter', join(folder, 'mine.mjs')];
    const { code, stdout, out } = await runInto([theCase, ...mine]);
    expect([code, stdout]).toEqual([0, expect.stringMatching(isConformant)]);
    const kinds = expect.arrayContaining(['started', 'message', 'case-finished']) as unknown;
    expect(told(folder)).toEqual({ folder: out, kinds, outcome: 'conformant', ids: [theCase] });
    const later = writeFolder({ 'mine.mjs': wellBehaved });
    const reported = await runCli(['report', join(out, 'result.json'), '--reporter', join(later, 'mine.mjs')]);
    expect(reported).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(told(later)).toEqual({ kinds: [], outcome: 'conformant', ids: [theCase] });
  });

  test.each([
    ['at an event', `event() { throw new TypeError('no\\u001b[31m such\\nthing'); }`, 'at "[a-z-]+"'],
    ['later, in a promise', `event: async () => { throw new TypeError('no such thing'); }`, 'at "[a-z-]+"'],
    ['with the result', `result: async () => { throw new TypeError('no such thing'); }`, 'with the result'],
  ])('that fails %s loses nothing of the run', async (_, member, when) => {
    const folder = writeFolder({ 'mine.mjs': `export default { ${member} };`, 'good.mjs': wellBehaved });
    const reporters = ['mine.mjs', 'good.mjs'].flatMap((name) => ['--reporter', join(folder, name)]);
    const { code, stdout, stderr, out } = await runInto([theCase, ...reporters]);
    expect([code, stdout]).toEqual([2, expect.stringMatching(isConformant)]);
    const failed = `^carrierspec: the reporter \\S+mine\\.mjs failed ${when}: TypeError: no(?: \\[31m)? such thing$`;
    expect(stderr).toMatch(new RegExp(failed, 'm'));
    expect(stderr).not.toContain('\u001b');
    expect(existsSync(join(out, 'report.html'))).toBe(true);
    expect(told(folder)).toMatchObject({ outcome: 'conformant' });
  });

  test.each([
    ['there is no such file', undefined],
    ['it has no default export', 'export const event = () => undefined;'],
    ['it cannot be loaded: ', 'export default {'],
    ['it cannot be loaded: Error: the lab is closed', 'throw new Error("the lab is closed");'],
    ['its default export is no reporter: an object with a function "event"', 'export default { event: 1 };'],
    ['it failed at its start: Error: no', 'export default () => { throw new Error("no"); };'],
    ['what its function gives is no reporter', 'export default () => 7;'],
  ])('%s: nothing is run', async (why, text) => {
    const folder = writeFolder(text === undefined ? {} : { 'mine.mjs': text });
    const { code, stdout, stderr, out } = await runInto([theCase, '--reporter', join(folder, 'mine.mjs')]);
    expect([code, stdout, existsSync(join(out, 'result.json'))]).toEqual([2, '', false]);
    expect(stderr).toContain(`carrierspec: --reporter: ${join(folder, 'mine.mjs')}: ${why}`);
  });
});

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

test('the example docs/examples/otel-reporter sends the run, its cases and their exchanges as one trace', async () => {
  const sent: { readonly url: string | undefined; readonly text: string }[] = [];
  const collector = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => (text += part));
    request.on('end', () => {
      sent.push({ url: request.url, text });
      response.end('{}');
    });
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const { port } = collector.address() as AddressInfo;
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` };
  const reporter = join(root, 'docs/examples/otel-reporter/reporter.js');
  const { code, stderr } = await spawnInto([theCase, '--reporter', reporter], { env });
  collector.close();
  expect(code, stderr).toBe(0);
  expect(sent).toMatchObject([{ url: '/v1/traces' }]);
  const trace = JSON.parse(sent[0]?.text ?? '') as Trace;
  const [run, one, ...exchanges] = trace.resourceSpans[0]?.scopeSpans[0]?.spans ?? [];
  expect(one).toMatchObject({ name: theCase, parentSpanId: run?.spanId, traceId: run?.traceId });
  expect(one?.startTimeUnixNano).toMatch(/^\d{19}$/);
  expect(exchanges.length).toBeGreaterThan(0);
  expect([...new Set(exchanges.map(({ parentSpanId }) => parentSpanId))]).toEqual([one?.spanId]);
});
