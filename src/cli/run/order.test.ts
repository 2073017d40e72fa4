import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { certify } from '../../api/certify.ts';
import type { CertifyOptions } from '../../api/options.ts';
import { runCli } from '../../testing/program/run-cli.ts';
import { makeFolder } from '../../testing/program/target-file.ts';

const names = ['acr-a1', 'acr-a3', 'context-absent', 'context-shown', 'jti-absent', 'acr-unknown*'];

const resultIn = (out: string) =>
  JSON.parse(readFileSync(join(out, 'result.json'), 'utf8')) as {
    readonly flags: readonly string[];
    readonly cases: readonly { readonly id: string; readonly verdict: string }[];
  };

describe('run --order', () => {
  test('prints the seed that it drew, keeps it in the result, and repeats it', async () => {
    const [first, second] = [makeFolder(), makeFolder()];
    const drawn = await runCli(['run', ...names, '--order', 'shuffled', '--out', first]);
    expect(drawn.code, drawn.stderr).toBe(0);
    const [, seed] = /^order of cases: shuffled=(\d+)$/m.exec(drawn.stderr) ?? [];
    expect(resultIn(first).flags).toEqual(['--order', `shuffled=${seed}`]);
    const again = await runCli(['run', ...names, '--order', `shuffled=${seed}`, '--out', second]);
    expect(again.stderr).toContain(`order of cases: shuffled=${seed}\n`);
    expect(resultIn(second).flags).toEqual(resultIn(first).flags);
    expect(resultIn(second).cases.map(({ id, verdict }) => [id, verdict])).toEqual(
      resultIn(first).cases.map(({ id, verdict }) => [id, verdict]),
    );
  });

  test.each([
    ['backwards', '"backwards"'],
    ['shuffled=', '"shuffled="'],
    ['shuffled=a b', '"shuffled=a b"'],
  ])('%s is no order', async (given, shown) => {
    const { code, stderr } = await runCli(['run', ...names, '--order', given, '--out', makeFolder()]);
    expect(code).toBe(2);
    expect(stderr).toBe(
      `carrierspec: --order: ${shown} is none of listed, reversed, shuffled and shuffled=SEED, with a seed of up to 64 letters, digits, ".", "_" and "-"\n`,
    );
  });
});

describe('the order in which cases begin', () => {
  async function begunIn(order: Required<CertifyOptions>['order']): Promise<readonly string[]> {
    const begun: string[] = [];
    const onEvent: CertifyOptions['onEvent'] = (event) => {
      if (event.kind === 'case-started') begun.push(event.id);
    };
    await certify({ faults: [] }, { what: names, order, jobs: 1, onEvent });
    return begun;
  }

  test('is the one that was asked for, whatever else would be planned', async () => {
    const listed = await begunIn('listed');
    expect(listed.length).toBeGreaterThan(names.length);
    expect(await begunIn('reversed')).toEqual(listed.toReversed());
    const shuffled = await begunIn('shuffled=7');
    expect(shuffled).not.toEqual(listed);
    expect(await begunIn('shuffled=7')).toEqual(shuffled);
  });

  test('stands in the plan', async () => {
    const plan = await runCli(['plan', ...names, '--order', 'shuffled=7', '--json']);
    expect(JSON.parse(plan.stdout)).toMatchObject({ order: 'shuffled=7' });
    expect((await runCli(['plan', ...names, '--order', 'reversed'])).stdout).toMatch(/^ *order +reversed$/m);
  });
});

describe('a conforming carrier on which a case leaves something behind', () => {
  const silent = ['flag-silent-authorization', 'callback-after-the-answer', 'value-beside-does-not-silence-the-phone'];
  const opened = ['acr-after-opening-the-app', 'acr-of-each-request', 'acr-a1'];
  test.each([
    ['opened-app-elevates', 'listed', opened],
    ['opened-app-elevates', 'reversed', opened],
    ['silent-approval-needs-a-session', 'listed', silent],
  ])('%s, %s: no rule is broken, and each is judged', async (variant, order, cases) => {
    const flags = ['--fault', variant, '--order', order, '--out', makeFolder()];
    const { code, stdout } = await runCli(['run', ...cases, ...flags]);
    expect(code, stdout).toBe(0);
  });
});
