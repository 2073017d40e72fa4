import { sendRequest } from '../../interfaces/server-initiated/verbs/authorize.ts';
import type { Position, Level, Rule } from '../../model/rule.ts';
import type { Case, Invariant, Step } from '../../suite/suites.ts';
import type { Expectation } from '../../suite/expectations/expectations.ts';

/** Builders of what the suite loader makes: each returns a plain one; `parts` override it. */
export const suitePosition: Position = { file: 'server-initiated/replay.suite.yaml', line: 4, column: 5 };

export function buildRuleText(id: string, level: Level = 'required', parts: Partial<Rule> = {}): Rule {
  return {
    id,
    area: 'server-initiated',
    clause: '2.3 jti',
    level,
    description: `What ${id} says.`,
    aspects: [],
    judged: 'cases',
    position: suitePosition,
    ...parts,
  };
}

export function buildExpectation(parts: Partial<Expectation> = {}, rule = 'REQ-015'): Expectation {
  return { rules: [{ rule }], position: suitePosition, ...parts };
}

export function buildStep(parts: Partial<Step> = {}): Step {
  return {
    name: 'request',
    position: suitePosition,
    act: sendRequest({}),
    times: 1,
    control: false,
    expectations: [],
    record: [],
    ...parts,
  };
}

export function buildScenario(id: string, parts: Partial<Case> = {}): Case {
  return {
    id,
    title: `What ${id} shows`,
    suite: 'Replay of request objects',
    area: 'server-initiated',
    position: suitePosition,
    rules: [{ rule: 'REQ-015' }],
    client: 'main',
    subscriber: 'consented',
    exclusive: false,
    requires: [],
    receiver: [],
    each: [],
    steps: [buildStep({ expectations: [buildExpectation({ outcome: 'accepted' })] })],
    ...parts,
  };
}

export function buildStanding(id: string, parts: Partial<Invariant> = {}): Invariant {
  return {
    id,
    title: `What ${id} watches`,
    suite: 'What holds for every answer',
    area: 'server-initiated',
    position: { file: 'server-initiated/invariants.suite.yaml', line: 2, column: 5 },
    on: 'response',
    expectations: [buildExpectation({ status: [200] })],
    seenIn: [],
    ...parts,
  };
}
