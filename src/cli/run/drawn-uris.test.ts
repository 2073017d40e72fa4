import { describe, expect, test } from 'vitest';
import type { Target } from '../../model/target.ts';
import { judgeReference } from '../../testing/carriers/run-reference.ts';

/** The receiver of the target without its lock: the URIs can be guessed, and any address may be the carrier's. */
function withoutLock(target: Target): Target {
  const { sources: _, ...receiver } = target.receiver;
  return { ...target, receiver };
}

describe('C8.3: a carrier that calls a notification_uri that it refuses, and sends nothing that names the request', () => {
  const faults = ['refused-uri-called-empty'];
  const drawn = 'notification-uri-not-registered/sibling-path';
  const guessable = 'notification-uri-not-registered/slash-after';

  test.each<[string, (target: Target) => Target, string]>([
    ['is red by each of these URIs', (target) => target, 'fail'],
    ['is red by those that nobody can guess, where the receiver has no lock', withoutLock, 'inconclusive'],
  ])('%s', async (_, change, verdict) => {
    const { code, rules, cases } = await judgeReference(['REQ-033'], { faults, change });
    expect([rules.get('REQ-033'), code]).toEqual(['fail', 1]);
    expect(cases[drawn]).toMatchObject({ verdict: 'fail', confirmation: { status: 'confirmed' } });
    expect(cases[guessable]?.verdict).toBe(verdict);
  });
});

describe('events where the receiver has no lock', () => {
  const rules = ['EVT-025', 'EVT-009', 'EVT-010'];
  const judged = async (faults: readonly string[]) => {
    const ran = await judgeReference(rules, { faults, change: withoutLock });
    return { code: ran.code, verdicts: rules.map((rule) => ran.rules.get(rule)), cases: Object.values(ran.cases) };
  };

  test('are judged where the carrier has signed them', async () => {
    expect(await judged([])).toMatchObject({ code: 0, verdicts: ['pass', 'pass', 'pass'] });
  });

  test('come to no verdict where it has not: they may be a stranger’s, and the reason says what would help', async () => {
    const { code, verdicts, cases } = await judged(['set-unsigned']);
    expect([code, verdicts.includes('fail')]).toEqual([4, false]);
    const [one] = cases.filter(({ verdict }) => verdict === 'inconclusive');
    expect(one?.reason).toMatch(/^no event could be attributed to the carrier: .* Register an unguessable event_uri, /);
  });
});
