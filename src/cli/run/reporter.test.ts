import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { runCli } from '../../testing/program/run-cli.ts';
import { makeFolder, writeFolder } from '../../testing/program/target-file.ts';

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
  let run: string;
  beforeAll(async () => {
    run = makeFolder();
    expect((await runCli(['run', theCase, '--out', run])).code).toBe(0);
  });

  test('is told of the run and of its result, and changes neither exit code nor what is printed', async () => {
    const folder = writeFolder({ 'mine.mjs': wellBehaved });
    const out = makeFolder();
    const args = ['run', theCase, '--out', out, '--reporter', join(folder, 'mine.mjs')];
    const { code, stdout } = await runCli(args);
    expect([code, stdout]).toEqual([0, expect.stringMatching(isConformant)]);
    expect(told(folder)).toEqual({
      folder: out,
      kinds: expect.arrayContaining(['started', 'message', 'case-finished']) as unknown,
      outcome: 'conformant',
      ids: [theCase],
    });
  });

  test('is told of a result that is over, and then nothing else is printed', async () => {
    const folder = writeFolder({ 'mine.mjs': wellBehaved });
    const args = ['report', join(run, 'result.json'), '--reporter', join(folder, 'mine.mjs')];
    expect(await runCli(args)).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(told(folder)).toEqual({ kinds: [], outcome: 'conformant', ids: [theCase] });
  });

  test.each([
    ['at an event', `event() { throw new TypeError('no\\u001b[31m such\\nthing'); }`, 'at "[a-z-]+"'],
    ['later, in a promise', `event: async () => { throw new TypeError('no such thing'); }`, 'at "[a-z-]+"'],
    ['with the result', `result: async () => { throw new TypeError('no such thing'); }`, 'with the result'],
  ])('that fails %s loses nothing of the run', async (_, member, when) => {
    const folder = writeFolder({ 'mine.mjs': `export default { ${member} };`, 'good.mjs': wellBehaved });
    const out = makeFolder();
    const reporters = ['mine.mjs', 'good.mjs'].flatMap((name) => ['--reporter', join(folder, name)]);
    const { code, stdout, stderr } = await runCli(['run', theCase, '--out', out, ...reporters]);
    expect([code, stdout]).toEqual([2, expect.stringMatching(isConformant)]);
    expect(stderr).toMatch(
      new RegExp(
        `^carrierspec: the reporter \\S+mine\\.mjs failed ${when}: TypeError: no(?: \\[31m)? such thing$`,
        'm',
      ),
    );
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
    ['it failed as it began: Error: no', 'export default () => { throw new Error("no"); };'],
    ['what its function gives is no reporter', 'export default () => 7;'],
  ])('%s: nothing is run', async (why, text) => {
    const folder = writeFolder(text === undefined ? {} : { 'mine.mjs': text });
    const out = join(folder, 'out');
    const { code, stdout, stderr } = await runCli([
      'run',
      theCase,
      '--out',
      out,
      '--reporter',
      join(folder, 'mine.mjs'),
    ]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(`carrierspec: --reporter: ${join(folder, 'mine.mjs')}: ${why}`);
    expect(existsSync(join(out, 'result.json'))).toBe(false);
  });
});
