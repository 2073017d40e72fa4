import { describe, expect, test } from 'vitest';
import type { ClockNames, TargetClock } from '../../model/target.ts';
import { type FrontClockHabits, openFrontClock } from '../../testing/carriers/flowing-clock.ts';
import { openHandCarrier } from '../../testing/carriers/hand-carrier.ts';
import { judgeReference } from '../../testing/carriers/run-reference.ts';
import { buildTemplate } from '../../testing/parts/templates.ts';
import { runYamlCases } from '../../testing/parts/run-cases.ts';

/** Verdicts of the rules of events and SIM tenure that neither pass nor only inform, behind a clock with these habits. */
async function judgeBehind(habits: FrontClockHabits) {
  const closing: (() => Promise<void>)[] = [];
  try {
    const { code, rules } = await judgeReference(['events', 'usertrait'], {
      open: async (target, admin) => {
        const { clock, close } = await openFrontClock(`${admin}/clock`, habits);
        closing.push(close);
        return { ...target, clock };
      },
    });
    const others = [...rules].filter(([, verdict]) => verdict !== 'pass' && verdict !== 'informational');
    return { code, others, judged: rules.size };
  } finally {
    for (const close of closing) await close();
  }
}

const conforming = { code: 0, others: [], judged: 68 };

describe.concurrent('the reference carrier conforms', () => {
  test('behind a clock that flows, tells whole seconds, and begins what is due a moment after it is moved', async ({
    expect: expects,
  }) => {
    expects(await judgeBehind({ unit: 'seconds', tells: 'whole units', flows: true, idles: 80 })).toEqual(conforming);
  }, 180_000);

  test('behind a clock that stands, in whole seconds, and begins what is due a moment after it is moved', async ({
    expect: expects,
  }) => {
    expects(await judgeBehind({ unit: 'seconds', tells: 'whole units', flows: false, idles: 80 })).toEqual(conforming);
  }, 180_000);
});

test.each([true, false])(
  'a clock that does not tell what is due is moved past it, and the spacing of what comes is not judged (told: %s)',
  async (told) => {
    const tokens = { access_token: 'a', auth_req_id: 'ccid-0000000001', expires_in: 3600, token_type: 'bearer' };
    const callbacks = [60, 120].map((after) => ({ after, body: tokens }));
    const names: ClockNames = {
      now: buildTemplate('{{ body.now }}', ['body']),
      inFlight: buildTemplate('{{ body.inFlight }}', ['body']),
      ...(told ? { next: buildTemplate('{{ body.nextDue }}', ['body']) } : {}),
      unit: 'milliseconds',
    };
    const withNames = ({ read, advance }: TargetClock): TargetClock => ({
      read: { ...read, names },
      advance: { ...advance, names },
    });
    const { cases } = await runYamlCases(
      `  - { id: one, title: A case, rule: REQ-001, steps: [{ as: request, authorize: {}, expect: accepted }, { await: callback, until: request + 10m, expect: { outcome: completed, spacing: { every: 60s, early: 15s, late: 15s } } }] }\n`,
      {
        conduct: () => ({ body: { auth_req_id: 'ccid-0000000001', expires_in: 300 }, callbacks }),
        change: (target) => (target.clock === undefined ? target : { ...target, clock: withNames(target.clock) }),
      },
    );
    expect(cases['one']).toMatchObject({ verdict: told ? 'pass' : 'inconclusive', findings: [] });
    if (!told) expect(cases['one']?.reason).toMatch(/a delivery may have come up to 600\.00 s before it was noted/);
  },
);

test('a step that takes longer than the margin decides no case that is exact to the second while the clock flows', async () => {
  const granted = { body: { auth_req_id: 'ccid-0000000001', expires_in: 300 } };
  const carrier = await openHandCarrier((_, index) => ({ ...granted, slow: index === 0 ? 5200 : 0 }));
  const front = await openFrontClock(`${new URL(carrier.target.endpoints['server_initiated'] ?? '').origin}/clock`, {
    unit: 'milliseconds',
    flows: true,
  });
  try {
    const { cases } = await runYamlCases(
      '  - { id: one, title: A case, rule: REQ-001, requires: [virtual-clock], steps: [{ as: slow, authorize: {}, expect: accepted }] }\n',
      { change: () => ({ ...carrier.target, clock: front.clock }) },
    );
    expect(cases['one']?.verdict).toBe('inconclusive');
    expect(cases['one']?.reason).toMatch(
      /^step slow ended 5\.\d s after its moment, and the carrier's clock went on meanwhile$/,
    );
  } finally {
    await front.close();
    await carrier.close();
  }
}, 30_000);
