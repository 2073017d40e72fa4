import { describe, expect, test } from 'vitest';
import { outcomes } from '../../../model/outcome.ts';
import { acceptedStep, suiteHead, loadText, oneCase, standingInvariant } from '../../../testing/parts/load-text.ts';
import { expectationKeys } from '../../../suite/expectations/expectations.ts';
import { neutralVerbs } from '../../../engine/neutral-verbs.ts';
import { serverInitiated } from '../interface.ts';

const verbTable = serverInitiated.verbs;

describe.each(verbTable.map((definition) => [definition.verb, definition] as const))('%s', (_verb, definition) => {
  test('names outcomes and keys of expect that exist', () => {
    expect(definition.outcomes.filter((outcome) => !outcomes.includes(outcome))).toEqual([]);
    expect(definition.expectations.filter((key) => !Object.hasOwn(expectationKeys, key))).toEqual([]);
  });

  test('shares a key with another verb only where it is the same key', () => {
    for (const other of verbTable) {
      for (const [key, shape] of Object.entries(definition.keys)) expect(other.keys[key] ?? shape).toBe(shape);
    }
  });

  test('leaves its words to later steps, and has no others', () => {
    expect(definition.members).toContain('summary');
    expect(new Set(definition.members).size).toBe(definition.members.length);
  });
});

test('every outcome belongs to a verb', () => {
  const named = new Set(verbTable.flatMap((definition) => definition.outcomes));
  expect(outcomes.filter((outcome) => !named.has(outcome))).toEqual([]);
});

test('a suite has the verbs of the table it is loaded with', async () => {
  const { problems } = await loadText(
    { 'area/a.suite.yaml': suiteHead + oneCase(acceptedStep) + standingInvariant },
    neutralVerbs(serverInitiated),
  );
  expect(problems.map(({ message, hint }) => [message, hint])).toEqual([
    ['this step has no verb', 'a step has exactly one of trigger, rest, await, http'],
    [
      'unknown key "authorize" in a step',
      'known: as, at, by, trigger, rest, await, http, of, until, client, subscriber, event, times, together, interleave, near, over, expect, rule, record, control, parallel',
    ],
    ['REQ-001 is said to be judged by cases, yet no case judges it', undefined],
  ]);
});
