import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../lib/json.ts';
import type { Probe } from './exploration.ts';
import { countPushes, keepWithinPushes, limitPushes } from './pushes.ts';

const probeOf = (steps: readonly JsonObject[]): Probe => ({
  kind: 'races',
  title: () => 'A probe',
  setting: {},
  parts: [],
  steps: () => steps,
  requests: steps.length,
});

describe('pushes of exploration', () => {
  it('are the request objects that are not surely refused, by the subscriber they are for', () => {
    const pushes = countPushes([
      { authorize: {} },
      { authorize: {}, times: 5, expect: 'accepted' },
      { authorize: { claims: { iss: 'x' } }, expect: { outcome: 'denied', rule: 'REQ-002' } },
      { authorize: { claims: { jti: 'x' } }, expect: [{ outcome: 'denied-or-dropped' }] },
      { authorize: { claims: { login_hint: '{{ subscribers.second.sub }}' } } },
      { trigger: 'approve' },
    ]);
    expect([...pushes]).toEqual([
      ['consented', 6],
      ['second', 1],
    ]);
  });

  it('are no more than asked for: what would be more is left out, what is smaller still goes', () => {
    const [large, small] = [probeOf([{ authorize: {}, times: 9 }]), probeOf([{ authorize: {} }])];
    expect(keepWithinPushes([small, large, small, small], 2)).toEqual([small, small]);
  });

  it('stop the cases that would be more', async () => {
    const tried: number[] = [];
    const attempt = limitPushes((cases) => {
      tried.push(cases.length);
      return Promise.resolve({ cases: [], invariants: [] });
    }, 3);
    const two = [{ steps: [{ authorize: {} }] }, { steps: [{ authorize: {} }] }];
    expect(await attempt(two)).toEqual({ cases: [], invariants: [] });
    expect(await attempt(two)).toMatchObject({ stopped: 'no subscriber may have more than 3 pushes' });
    expect(await attempt(two.slice(1))).toEqual({ cases: [], invariants: [] });
    expect(tried).toEqual([2, 1]);
  });
});
