import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import type { Driver, ExecDriver, Target } from '../../model/target.ts';
import type { Conduct } from '../../testing/carriers/hand-carrier.ts';
import { buildClient } from '../../testing/parts/keys.ts';
import { runYamlCases } from '../../testing/parts/run-cases.ts';
import { buildResponse } from '../../testing/parts/observations.ts';
import { buildScenario } from '../../testing/parts/suite.ts';
import { buildTarget } from '../../testing/parts/target.ts';
import { makeFolder } from '../../testing/program/target-file.ts';
import { buildTemplate, buildTemplates } from '../../testing/parts/templates.ts';
import { buildServices } from '../../testing/parts/services.ts';
import { driveAction } from './drive.ts';
import { openContext } from '../context/open-context.ts';
import type { DriveOutcome } from './driver.ts';
import { createProgramScheduler, programLocks } from './exec-driver.ts';

const someSubscriber = { name: 'first', tags: ['consented'], subs: { main: '001010-8f3a1c5e9b7d4e20a6c1' } };

/** Exec driver with a shell script in its own folder. */
function script(text: string, parts: Partial<ExecDriver> = {}): ExecDriver {
  const folder = makeFolder();
  writeFileSync(join(folder, 'driver.sh'), `#!/bin/sh\n${text}\n`);
  chmodSync(join(folder, 'driver.sh'), 0o755);
  return {
    kind: 'exec',
    argv: [buildTemplate('./driver.sh'), buildTemplate('{{ request.body.auth_req_id }}', ['request'])],
    variables: [],
    folder,
    timeout: 5,
    done: [0],
    impossible: [3],
    env: { PATH: process.env['PATH'] },
    ...parts,
  };
}

const withDrivers =
  (drivers: Readonly<Record<string, Driver>>) =>
  (target: Target): Target => ({ ...target, drivers: { ...target.drivers, ...drivers } });

const scenario = (steps: string): string =>
  `  - { id: one, title: A case, rule: REQ-001, steps: [{ as: request, authorize: {}, expect: accepted }, ${steps}] }\n`;

const run = async (steps: string, drivers: Readonly<Record<string, Driver>>, granted = 300) => {
  const conduct = (): Conduct => ({ body: { auth_req_id: 'ccid-0000000001', expires_in: granted } });
  const ran = await runYamlCases(scenario(steps), { change: withDrivers(drivers), conduct });
  return { ...ran, one: ran.cases['one'] };
};

describe('an action by a program', () => {
  test('happens, and the step says what was run', async () => {
    const deny = script('echo "$1" > id');
    const { one } = await run('{ as: refusal, trigger: deny, record: { said: "{{ refusal.summary }}" } }', { deny });
    expect(one).toMatchObject({
      verdict: 'pass',
      recorded: { said: 'deny done: ./driver.sh ccid-0000000001 (exit code 0)' },
    });
    expect(readFileSync(join(deny.folder, 'id'), 'utf8')).toBe('ccid-0000000001\n');
  });

  test('that says it is not possible', async () => {
    const deny = script('exit 3');
    const { one } = await run('{ trigger: deny }', { deny });
    expect(one).toMatchObject({
      verdict: 'inconclusive',
      reason: 'deny was not possible: ./driver.sh ccid-0000000001 (exit code 3)',
    });
    const possible = await run('{ trigger: { action: deny, ifPossible: true } }', { deny });
    expect(possible.one?.verdict).toBe('pass');
  });

  test('that does not work: inconclusive, with the first line of what it complained of, harmless', async () => {
    const deny = script(`printf '\\n\\033[31mno device\\007 hush-hush-hush\\nmore' >&2; exit 4`, {
      variables: buildTemplates({ TOKEN: '{{ env.TOKEN }}' }, ['env']),
      env: { PATH: process.env['PATH'], TOKEN: 'hush-hush-hush' },
    });
    const { one, journal } = await run('{ trigger: deny }', { deny });
    expect(one?.verdict).toBe('inconclusive');
    expect(one?.reason).toMatch(
      /^the driver for deny did not work: \.\/driver\.sh ccid-0000000001: exit code 4: \[31mno device \[TOKEN sha256:[0-9a-f]{12}, \d+ characters\]$/,
    );
    expect(readFileSync(journal, 'utf8')).not.toContain('hush-hush');
  });

  test('that does not end in time', async () => {
    const { one } = await run('{ trigger: deny }', { deny: script('sleep 60', { timeout: 0.3 }) });
    expect(one?.reason).toBe(
      'the driver for deny did not work: ./driver.sh ccid-0000000001: it did not end within 0.3 s',
    );
  });

  test('whose answer is what it printed, where that is one JSON object', async () => {
    const steps = '{ as: code, trigger: issue-code, record: { code: "{{ code.body.state }}" } }';
    const json = await run(steps, { 'issue-code': script(`echo '{ "state": "st-1" }'`) });
    expect(json.one?.recorded).toEqual({ code: 'st-1' });
    const text = await run(steps, { 'issue-code': script('echo done') });
    expect(text.one?.recorded).toEqual({ code: null });
  });

  test('a credential in its answer is not recorded', async () => {
    const steps = '{ as: code, trigger: issue-code, record: { code: "{{ code.body.code }}" } }';
    const { journal } = await run(steps, { 'issue-code': script(`echo '{ "code": "hush-hush-hush" }'`) });
    expect(readFileSync(journal, 'utf8')).not.toContain('hush-hush');
  });
});

describe('a look by a program', () => {
  const look = '{ as: phone, look: card, expect: { equals: { card.shown: true } } }';

  test.each([
    ['the card', `echo '{ "card": { "shown": true } }'`],
    ['the whole', `echo '{ "shown": true }'`],
  ])('%s', async (_, text) => expect((await run(look, { look: script(text) })).one?.verdict).toBe('pass'));

  test('of another card is a finding', async () => {
    const { one } = await run(look, { look: script(`echo '{ "shown": false }'`) });
    expect(one).toMatchObject({
      verdict: 'fail',
      findings: [{ code: 'not-equal', path: 'card.shown', actual: false }],
    });
  });

  test('that shows nothing says nothing', async () => {
    const { one } = await run(look, { look: script('echo nothing') });
    expect(one).toMatchObject({ verdict: 'inconclusive' });
    expect(one?.reason).toContain('printed no JSON object');
  });
});

describe('a request that expires while a program runs', () => {
  const approveFor = (action: string, granted: number): Promise<DriveOutcome> => {
    const services = buildServices(buildTarget({ drivers: { [action]: script('sleep 0.6') } }));
    const assignment = { client: buildClient(), second: undefined, subscriber: someSubscriber };
    const ctx = openContext(services, { case: buildScenario('one'), assignment });
    ctx.state.traces.set(
      'request',
      buildResponse({ sentAt: Date.now() / 1000, granted, body: { auth_req_id: 'ccid-1' } }),
    );
    return driveAction({ action, of: 'request', step: 'step' }, ctx);
  };

  test('may have been approved in time, or not: that says nothing', async () => {
    await expect(approveFor('approve', 0.3)).rejects.toThrow(
      /^the driver for approve took 0\.[6-9] s, and the request expired meanwhile$/,
    );
  });

  test('else it was', () => expect(approveFor('approve', 60)).resolves.toMatchObject({ done: true }));

  test('had it expired before, the approval is too late on purpose', () =>
    expect(approveFor('approve', -1)).resolves.toMatchObject({ done: true }));

  test('is nothing to what is not about the request', () =>
    expect(approveFor('move-sim', 0.3)).resolves.toMatchObject({ done: true }));
});

test('programs of one phone run one after the other, and of all no more than the limit', async () => {
  const programs = createProgramScheduler(buildServices(buildTarget()).timeline, 2);
  const open = new Map<string, number>();
  let [now, most] = [0, 0];
  const pass = (phone: string): Promise<void> =>
    programs.pass(programLocks(phone), async () => {
      open.set(phone, (open.get(phone) ?? 0) + 1);
      now += 1;
      most = Math.max(most, now);
      expect(open.get(phone)).toBe(1);
      await new Promise((resolve) => setTimeout(resolve, 5));
      open.set(phone, 0);
      now -= 1;
    });
  await Promise.all(['a', 'a', 'b', 'c', 'b', 'a', 'd'].map(pass));
  expect(most).toBe(2);
});

test('what a program may have done although it failed is undone', async () => {
  const folder = makeFolder();
  const back = script(`echo back >> ${join(folder, 'back')}`, { argv: [buildTemplate('./driver.sh')] });
  const removal = script('exit 9', { argv: [buildTemplate('./driver.sh')] });
  const drivers = { 'remove-consent': removal, 'give-consent': back };
  const { one } = await run('{ trigger: remove-consent }', drivers);
  expect(one?.verdict).toBe('inconclusive');
  expect(readFileSync(join(folder, 'back'), 'utf8')).toBe('back\n');
});
