import { testedInterface } from '../../testing/parts/tested-interface.ts';
import { describe, expect, test } from 'vitest';
import { CarrierspecError, type Problem } from '../../model/problem.ts';
import type { JsonObject } from '../../lib/json.ts';
import { buildTarget } from '../../testing/parts/target.ts';
import { buildScenario } from '../../testing/parts/suite.ts';
import { contradictions, requiredFeatures, requireNoProblems, supportsProblems } from './check-target.ts';

const cases = [
  buildScenario('a', { requires: ['events', 'event-endpoint', 'action:deny', 'client:second'] }),
  buildScenario('b', { requires: ['sim-swap-lag', 'secret'] }),
];

const problemsOf = (act: () => void): readonly Problem[] => {
  try {
    act();
  } catch (error) {
    if (error instanceof CarrierspecError) return error.problems;
    throw error;
  }
  return [];
};

test('the words are what cases need of the carrier', () =>
  expect([...requiredFeatures(cases, testedInterface)]).toEqual(['events', 'sim-swap-lag']));

test('a word that no case needs is a mistake, at its place', () => {
  const place = { position: { file: 'carrier.yaml', line: 8, column: 3 }, sourceLine: '  sim-swap-lagg: false' };
  const target = buildTarget({
    file: 'carrier.yaml',
    supports: { events: true, 'sim-swap-lagg': false, secret: false },
    supportsPlaces: new Map([['sim-swap-lagg', place]]),
  });
  expect(problemsOf(() => requireNoProblems(target, supportsProblems(cases, target, testedInterface)))).toEqual([
    {
      code: 'unknown-name',
      message: 'no case needs "sim-swap-lagg", so it says nothing',
      hint: 'did you mean "sim-swap-lag"?',
      ...place,
    },
    {
      code: 'unknown-name',
      message: 'no case needs "secret", so it says nothing',
      hint: 'known: events, sim-swap-lag',
      position: { file: 'carrier.yaml', line: 1, column: 1 },
    },
  ]);
  expect(supportsProblems(cases, buildTarget({ supports: { events: false } }), testedInterface)).toEqual([]);
});

describe('what the file says against what the carrier publishes', () => {
  const urls = { server_initiated: 'https://op.test/si' };
  const judge = (
    supports: Readonly<Record<string, boolean>>,
    found: { urls?: Record<string, string>; configuration?: JsonObject | undefined } = {},
  ): readonly string[] =>
    contradictions(buildTarget({ supports }), { urls, configuration: {}, ...found }, testedInterface).map(
      ({ message }) => message,
    );

  const usertrait = { ...urls, usertrait: 'https://op.test/v1/usertrait' };
  test.each([
    ['silence', {}, { urls: usertrait }, 0],
    ['denied, and published', { usertrait: false }, { urls: usertrait }, 1],
    ['denied, and not published', { usertrait: false }, {}, 0],
    ['claimed, and not published', { usertrait: true }, {}, 1],
    ['claimed, and published', { usertrait: true }, { urls: usertrait }, 0],
    ['claimed, and nobody to ask', { usertrait: true }, { configuration: undefined }, 0],
    ['cancel denied, and named', { cancel: false }, { urls: { ...urls, cancel: 'https://op.test/c' } }, 1],
    [
      'events denied, and in a list',
      { events: false },
      { configuration: { scopes_supported: ['openid', 'events'] } },
      1,
    ],
    ['events claimed, and no list', { events: true }, {}, 0],
    ['location claimed, not in the list', { location: true }, { configuration: { claims_supported: ['sub'] } }, 1],
    ['no tls, and https only', { tls: false }, {}, 1],
    ['no tls, and a plain one', { tls: false }, { urls: { ...urls, token: 'http://op.test/t' } }, 0],
    ['tls claimed, and a plain one: SEC-40 judges that', { tls: true }, { urls: { token: 'http://op.test/t' } }, 0],
    ['discovery claimed without an issuer', { discovery: true }, {}, 1],
    ['words without a sign', { 'push-limit': false, 'sim-swap-lag': true }, {}, 0],
  ])('%s', (_, supports, found, count) => expect(judge(supports, found)).toHaveLength(count));

  test('is described, with what to change', () => {
    const target = buildTarget({ supports: { usertrait: false } });
    const [problem] = contradictions(target, { urls: usertrait, configuration: {} }, testedInterface);
    expect(problem).toMatchObject({
      message:
        'the file says that the carrier has no usertrait, and there is a SIM tenure endpoint (usertrait_endpoint)',
      hint: 'take the line out, so that it is judged, or let the carrier stop publishing it',
    });
  });
});
