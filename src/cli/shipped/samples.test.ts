import { readFileSync, writeFileSync } from 'node:fs';
import { renderTerminal } from '../../report/terminal/render.ts';
import { join } from 'node:path';
import process from 'node:process';
import { beforeAll, describe, expect, test } from 'vitest';
import { serverInitiated } from '../../interfaces/server-initiated/interface.ts';
import { readResult } from '../../journal/read-result.ts';
import type { Result } from '../../model/result.ts';
import { formats } from '../../report/formats.ts';
import { normaliseResult } from '../../testing/program/normalise-result.ts';
import { runCli } from '../../testing/program/run-cli.ts';
import { root } from '../../testing/program/spawn-cli.ts';
import { makeFolder } from '../../testing/program/target-file.ts';

/** Five cases and an invariant, with most kinds of verdicts. */
const selection = [
  'approval-brings-tokens',
  'denial-brings-error',
  'jti-again-after-4m30s',
  'context-just-too-long',
  'denial-is-request-denied',
  'callback-bearer',
  'REQ-060',
];
const faults = ['jti-kept-2-minutes', 'callback-without-bearer', 'access-denied-as-user-denied'];

/** Shipped samples; the HTML sample is tested beside the report. */
const samples = [
  ['json', 'sample.result.json'],
  ['terminal', 'sample.terminal.txt'],
  ['junit', 'sample.junit.xml'],
  ['markdown', 'sample.summary.md'],
  ['annotations', 'sample.annotations.txt'],
  ['ctrf', 'sample.ctrf.json'],
  ['har', 'sample.har'],
  ['sarif', 'sample.sarif'],
] as const;

/** WRITE_SAMPLES=1 rewrites them, to be read and committed. */
const writing = process.env['WRITE_SAMPLES'] === '1';

/** Runs against the reference carrier with three faults and normalises what is random. */
async function runSample(): Promise<Result> {
  const out = makeFolder();
  const flags = [...faults.flatMap((fault) => ['--fault', fault]), '--jobs', '1', '--out', out];
  const { code, stderr } = await runCli(['run', ...selection, ...flags]);
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/^fail CB-022 /m) as unknown });
  return readNormal(normaliseResult(readResult(join(out, 'result.json')).result));
}

/** Checks that a changed result is still readable. */
function readNormal(value: unknown): Result {
  const plain = typeof value === 'object' && value !== null ? value : {};
  const { header, ...rest }: { header?: unknown } = plain;
  const file = join(makeFolder(), 'normal.json');
  writeFileSync(file, JSON.stringify({ ...(typeof header === 'object' ? header : {}), ...rest }));
  return readResult(file).result;
}

let result: Result;
beforeAll(async () => {
  result = await runSample();
});

describe('the samples in reports/', () => {
  test.each(samples)('%s is what a run against the reference carrier with three faults gives', async (format, name) => {
    const render = await formats[format]();
    const text = [...render(result, serverInitiated)].join('');
    const path = join(root, 'reports', name);
    if (writing) writeFileSync(path, text);
    expect(text).toBe(readFileSync(path, 'utf8'));
  });

  test('are of the run that the README shows, with the command that gives it', () => {
    const readme = join(root, 'README.md');
    const shown = /\n```\n\$ carrierspec ((?:.*\\\n)*.*)\n([\s\S]*?\n)```\n/;
    const screen = renderTerminal(result, { colour: false, width: 100, detail: 'brief' });
    const before = readFileSync(readme, 'utf8');
    if (writing)
      writeFileSync(
        readme,
        before.replace(shown.exec(before)?.[2] ?? '', () => screen),
      );
    const [, command = '', end] = shown.exec(readFileSync(readme, 'utf8')) ?? [];
    expect(end).toBe(screen);
    const flags = faults.flatMap((fault) => ['--fault', fault]);
    expect(command.replaceAll('\\\n', '').split(/ +/)).toEqual(['run', ...selection, ...flags]);
  });

  test('show each of the three faults', () => {
    const broken = result.rules.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn').map(({ id }) => id);
    // The unregistered code breaks rules besides CB-022: every invariant judges a named case.
    expect(broken).toEqual(['REQ-015', 'CB-004', 'CB-020', 'CB-022', 'SEC-44']);
  });
});
