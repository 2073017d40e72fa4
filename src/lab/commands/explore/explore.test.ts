import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../../lib/json.ts';
import { runCli } from '../../../testing/program/run-cli.ts';
import { spawnCli, startCli } from '../../../testing/program/spawn-cli.ts';
import { makeFolder } from '../../../testing/program/target-file.ts';

const timeLimit = 120_000;
const explore = (...args: readonly string[]) => runCli(['explore', ...args], { timeLimit });

describe('carrierspec explore', () => {
  it('shrinks what it finds to a case that shows it again in a fresh process', { timeout: 2 * timeLimit }, async () => {
    const out = makeFolder();
    const fault = ['--fault', 'local-redirect-calls-back-at-the-first-uri'];
    const flags = ['--seed', '1', '--only', 'values', '--requests', '60', '--out', out, ...fault];
    const first = await explore(...flags);
    expect(first.code, first.stderr).toBe(1);
    const report = parseJson(readFileSync(join(out, 'explore.json'), 'utf8'));
    expect(report).toMatchObject({
      seed: '1',
      findings: [
        {
          rule: 'CB-001',
          kind: 'values',
          parts: ['claims:{options:dark local_redirect}', 'claims:{notification_uri:{{ client.notification_uris.1 }}}'],
        },
      ],
    });
    const path = join(out, 'explored-cb-001-1.suite.yaml');
    const shown = `carrierspec run ${path} ${fault.join(' ')}`;
    expect(readFileSync(path, 'utf8')).toContain(`# See it again: ${shown}\n`);
    expect(first.stdout).toContain(`  again      ${shown}\n`);
    const again = await spawnCli(['run', path, ...fault, '--out', join(out, 'run'), '--quiet'], { timeLimit });
    expect(again.stdout).toMatch(/^ {2}CB-001 /m);
    const clean = await runCli(['run', path, '--out', join(out, 'clean'), '--quiet'], { timeLimit });
    expect(clean.stdout).not.toContain('CB-001');
    expect((await explore(...flags)).stdout.replace(/in [\d.]+ s/, '')).toBe(first.stdout.replace(/in [\d.]+ s/, ''));
  });

  it('ends at Ctrl-C, and says that not all was tried', { timeout: timeLimit }, async () => {
    const out = makeFolder();
    const running = startCli(['explore', '--seed', '1', '--out', out], { timeLimit });
    await running.stderr(/^seed 1$/m);
    running.interrupt();
    const { code, stdout } = await running.ended;
    expect(stdout).toMatch(/^Interrupted: what was not sent by then is not tried\.$/m);
    expect(code).toBe(130);
    expect(parseJson(readFileSync(join(out, 'explore.json'), 'utf8'))).toMatchObject({ endedBy: 'interrupted' });
  });

  it('says where the budget was over first', { timeout: timeLimit }, async () => {
    const out = makeFolder();
    const { code, stdout } = await explore('--seed', '1', '--only', 'values', '--budget', '1s', '--out', out);
    expect(parseJson(readFileSync(join(out, 'explore.json'), 'utf8'))).toMatchObject({ endedBy: 'budget' });
    expect(stdout).toContain('The budget was over before all requests were sent; --budget sets another.');
    expect([0, 4]).toContain(code);
  });

  it.each([
    [['--resume'], '--resume: there is no exploration in '],
    [['--seed', ' '], '--seed: it is empty; any other text will do'],
    [['--only', ''], '--only: name kinds, with commas: values,'],
    [['--only', 'value'], '--only: there is no kind value; did you mean values?'],
    [['REQ-999'], 'no rule and no area is called REQ-999'],
  ])('a mistake on the command line: %s', async (flags, message) => {
    const { code, stderr } = await explore(...flags, '--out', makeFolder());
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });
});
