import { describe, expect, test } from 'vitest';
import type { CaseResult } from '../../model/result.ts';
import type { Target } from '../../model/target.ts';
import { runReference } from '../../testing/carriers/run-reference.ts';

const causes = ['sim-in-another-device', 'device-reset', 'another-sim-card'];

const rulesOf = (cases: Readonly<Record<string, CaseResult>>): readonly string[] =>
  [...new Set(Object.values(cases).flatMap(({ findings }) => findings.map(({ rule }) => rule)))].toSorted();

const subscribed =
  (...names: readonly string[]) =>
  (target: Target): Target => ({
    ...target,
    subscribers: target.subscribers.filter(({ name }) => names.includes(name)),
  });

describe('an event about a subscriber with history that does not come', () => {
  test('is of the rule that says when duplicates end, and of no cause', async () => {
    const found = await runReference({
      cases: causes,
      faults: ['event-duplicate-window-a-day'],
      change: subscribed('first', 'second'),
    });
    expect(rulesOf(found)).toEqual(['EVT-019']);
    const dropped = Object.values(found).filter(({ verdict }) => verdict === 'fail');
    expect(dropped).toHaveLength(2);
    for (const one of dropped) {
      expect(one).toMatchObject({ confirmation: { status: 'confirmed' }, findings: [{ code: 'dropped' }] });
    }
  });

  test('says nothing where no subscriber without history is left', async () => {
    const found = await runReference({
      cases: causes,
      faults: ['event-duplicate-window-a-day'],
      change: subscribed('first'),
    });
    expect(rulesOf(found)).toEqual([]);
    const verdicts = Object.values(found).map(({ verdict }) => verdict);
    expect(verdicts.toSorted()).toEqual(['inconclusive', 'inconclusive', 'pass']);
    const reasons = Object.values(found).flatMap(({ reason }) => reason ?? []);
    for (const reason of reasons) expect(reason).toContain('no subscriber without history in this run is left');
  });

  test('is of its cause where the first about a subscriber does not come either', async () => {
    const found = await runReference({ cases: causes, faults: ['event-not-on-move'] });
    expect(rulesOf(found)).toEqual(['EVT-001']);
  });

  test('is of its cause where others about the subscriber come', async () => {
    const found = await runReference({
      cases: causes,
      faults: ['event-not-on-swap'],
      change: subscribed('first', 'third'),
    });
    expect(rulesOf(found)).toEqual(['EVT-003']);
  });

  test('is of CRV-001 for a consent_revoked, whose duplicates no clause shows', async () => {
    const found = await runReference({
      cases: ['all-scopes-taken-back', 'some-scopes-taken-back', 'revoked-again-after-an-hour'],
      faults: ['event-duplicate-window-a-day'],
    });
    expect(rulesOf(found)).toEqual(['CRV-001']);
  });
});
