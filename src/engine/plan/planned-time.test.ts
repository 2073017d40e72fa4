import { testedInterface } from '../../testing/parts/tested-interface.ts';
import { describe, expect, test } from 'vitest';
import type { AskDriver, Target } from '../../model/target.ts';
import { loadOne, oneCase } from '../../testing/parts/load-text.ts';
import { buildTarget } from '../../testing/parts/target.ts';
import { buildTemplate, buildTemplates } from '../../testing/parts/templates.ts';
import { planTime } from './planned-time.ts';

const base = { header: [], claims: buildTemplates({ expires_in: 300 }) };
const suites = { bases: { 'request-object': base } };
const byHand = { kind: 'ask', timeout: 60, env: {} } as const;
const attended: Target['drivers'] = { approve: byHand, look: byHand, 'remove-consent': byHand, 'give-consent': byHand };

async function planned(steps: string, target: Partial<Target> = {}) {
  const given = await loadOne(oneCase(`steps: [${steps}]`));
  return planTime(given, { target: buildTarget(target), suites, interface: testedInterface });
}

const accepted = '{ as: request, authorize: {}, expect: accepted }';
const control = '{ as: control, control: true, authorize: {}, expect: accepted }';

describe('how long a case will take', () => {
  test('a moment reads how long the carrier may take', async () => {
    const steps = `${accepted}, { as: approval, trigger: approve }, { await: callback, until: approval + target.latency.callback, expect: { count: 1 } }`;
    expect(await planned(steps)).toMatchObject({ held: 30 });
    expect(await planned(steps, { latency: { callback: 120 } })).toMatchObject({ held: 120 });
  });

  test('what may be dropped is approved, and tokens are awaited, before the next step', async () => {
    const steps = `{ authorize: { claims: { iat: 1 } }, expect: denied-or-dropped }, ${control}`;
    expect(await planned(steps)).toEqual({ held: 0, total: 600, prompt: [], pushes: 1, reaches: [0] });
    expect(await planned(steps, { drivers: { approve: byHand } })).toEqual({
      held: 60,
      total: 600,
      prompt: [],
      pushes: 1,
      reaches: [0, 60],
    });
  });

  test('a moment that only a run can know takes no time', async () => {
    expect(
      await planned(`${accepted}, { at: request + request.body.wait, authorize: {}, expect: accepted }`),
    ).toMatchObject({ held: 0 });
  });

  test('what rows say counts', async () => {
    const given = await loadOne(
      oneCase(
        'each: { minute: { with: { life: 60 } } }, steps: [{ authorize: { claims: { expires_in: "{{ each.life }}" } }, expect: accepted }]',
      ),
    );
    expect(planTime(given, { target: buildTarget(), suites, interface: testedInterface }).total).toBe(180);
  });

  test('a long life that can be denied ends with the steps', async () => {
    const steps = '{ authorize: { claims: { expires_in: 1200 } }, expect: accepted }';
    expect(await planned(steps, { drivers: { deny: byHand } })).toMatchObject({ held: 0, total: 120 });
  });
});

describe('what the operator is asked to do', () => {
  test('30 seconds each, with what undoes it at the end', async () => {
    const steps = `${accepted}, { trigger: approve }, { at: request + 2m, look: card }, { as: removal, trigger: remove-consent }`;
    expect(await planned(steps, { drivers: attended })).toMatchObject({
      held: 180 + 61 * 60,
      total: 180 + 61 * 60,
      prompt: [
        { at: 0, action: 'approve', step: 'step2', given: '' },
        { at: 120, action: 'look', step: 'step3', given: '' },
        { at: 150, action: 'remove-consent', step: 'removal', given: '' },
        { at: 180, action: 'give-consent', step: 'removal', given: '' },
      ],
    });
  });

  test('in the words of the target file, and with what is known of what it is done with', async () => {
    const description = buildTemplate('Press YES on {{ subscriber.phone }}', ['subscriber']);
    const approve: AskDriver = { ...byHand, description };
    const drivers = { ...attended, approve, deny: byHand };
    const steps = `${accepted}, { trigger: { action: approve, with: { scopes: [openid, name] } } }, { trigger: { action: deny, with: { scopes: [openid] } } }`;
    expect((await planned(steps, { drivers })).prompt).toMatchObject([
      { own: 'Press YES on {{ subscriber.phone }}', given: ' (scopes: ["openid","name"])' },
      { action: 'deny', given: ' (scopes: ["openid"])' },
    ]);
  });
});
