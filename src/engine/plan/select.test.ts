import { describe, expect, test } from 'vitest';
import type { Level } from '../../model/rule.ts';
import { nearestName } from '../../lib/suggestion.ts';
import {
  buildExpectation,
  buildRuleText,
  buildScenario,
  buildStanding,
  buildStep,
  suitePosition,
} from '../../testing/parts/suite.ts';
import { buildTemplate } from '../../testing/parts/templates.ts';
import { caseRuleIds, type Suites } from '../../suite/suites.ts';
import { selectSuites } from './select.ts';

const judging = (...rules: readonly string[]) =>
  buildStep({ expectations: rules.map((rule) => buildExpectation({ outcome: 'accepted' }, rule)) });
const at = (file: string) => ({ ...suitePosition, file });

const suites: Suites = {
  rules: [
    buildRuleText('REQ-015'),
    buildRuleText('REQ-016', 'informational'),
    buildRuleText('REQ-017', 'recommended'),
    buildRuleText('CB-008', 'required', { area: 'callback' }),
    buildRuleText('ERR-001'),
  ],
  cases: [
    buildScenario('jti-repeated', { steps: [judging('REQ-015')] }),
    buildScenario('jti-window/at-4m30s', { steps: [judging('REQ-016', 'REQ-015')] }),
    buildScenario('jti-window/at-5m30s', { steps: [judging('REQ-016')] }),
    buildScenario('grant', {
      suite: 'Granted lives',
      position: at('server-initiated/expires-in.suite.yaml'),
      steps: [judging('REQ-017')],
    }),
    buildScenario('echo', {
      area: 'callback',
      position: at('callback/success-body.suite.yaml'),
      steps: [judging('CB-008')],
    }),
  ],
  invariants: [
    buildStanding('error-form', { expectations: [buildExpectation({}, 'ERR-001')], seenIn: ['jti-repeated'] }),
    buildStanding('window-form', { expectations: [buildExpectation({}, 'REQ-016')], seenIn: ['jti-window'] }),
    buildStanding('over-the-run', { on: 'run', expectations: [buildExpectation({}, 'ERR-001')], seenIn: ['grant'] }),
  ],
  bases: {},
  digests: { rules: '', suites: '' },
  files: [],
};

const suggest = (wrong: string, names: readonly string[]): string[] => {
  const near = nearestName(wrong, names);
  return near === undefined ? [] : [near];
};
function run(what: readonly string[], level: Level = 'informational') {
  const { cases, invariants, rules, beside = new Set() } = selectSuites(suites, { what, level }, suggest);
  const own = invariants.map(({ id }) => id).filter((id) => !beside.has(id));
  return { cases: cases.map(({ id }) => id), invariants: own, rules: [...rules].toSorted() };
}

const allCases = ['jti-repeated', 'jti-window/at-4m30s', 'jti-window/at-5m30s', 'grant', 'echo'];

describe('what is selected', () => {
  test('nothing named: everything', () => {
    expect(run([])).toEqual({
      cases: allCases,
      invariants: ['error-form', 'window-form', 'over-the-run'],
      rules: ['CB-008', 'ERR-001', 'REQ-015', 'REQ-016', 'REQ-017'],
    });
  });

  test.each<[string, string[], string[], string[], string[]]>([
    ['a rule', ['REQ-015'], ['jti-repeated', 'jti-window/at-4m30s'], [], ['REQ-015']],
    ['a rule in lower case', ['req-017'], ['grant'], [], ['REQ-017']],
    [
      'a rule that an invariant judges: the cases it is seen in',
      ['ERR-001'],
      ['jti-repeated', 'grant'],
      ['error-form', 'over-the-run'],
      ['ERR-001'],
    ],
    ['a case', ['echo'], ['echo'], [], ['CB-008']],
    ['a row', ['jti-window/at-5m30s'], ['jti-window/at-5m30s'], [], ['REQ-016']],
    ['a matrix', ['jti-window'], ['jti-window/at-4m30s', 'jti-window/at-5m30s'], [], ['REQ-015', 'REQ-016']],
    ['an invariant', ['error-form'], ['jti-repeated'], ['error-form'], ['ERR-001']],
    ['a suite by its title', ['Granted lives'], ['grant'], [], ['REQ-017']],
    ['a file', ['callback/success-body.suite.yaml'], ['echo'], [], ['CB-008']],
    ['a file without its ending', ['success-body'], ['echo'], [], ['CB-008']],
    ['area and file', ['callback/success-body'], ['echo'], [], ['CB-008']],
    ['an area', ['callback'], ['echo'], [], ['CB-008']],
    ['a star', ['*-5m30s'], ['jti-window/at-5m30s'], [], ['REQ-016']],
    ['a question mark', ['REQ-01?'], allCases.slice(0, 4), ['window-form'], ['REQ-015', 'REQ-016', 'REQ-017']],
    ['two', ['echo', 'grant'], ['grant', 'echo'], [], ['CB-008', 'REQ-017']],
  ])('%s', (_, what, cases, invariants, rules) => expect(run(what)).toEqual({ cases, invariants, rules }));

  test('every invariant judges the messages of a case, however that was named', () => {
    const besideOf = (...what: readonly string[]) => [
      ...(selectSuites(suites, { what, level: 'required' }, suggest).beside ?? []),
    ];
    expect(besideOf('echo')).toEqual(['error-form', 'over-the-run']);
    expect(besideOf('callback')).toEqual(['error-form', 'over-the-run']);
    expect(besideOf('CB-008')).toEqual(['error-form', 'over-the-run']);
    expect(besideOf()).toEqual([]);
  });

  test('an invariant beside a case needs no other case; one over the whole run brings those that show it', () => {
    expect(run(['echo', 'error-form'])).toMatchObject({ cases: ['echo'], invariants: ['error-form'] });
    expect(run(['echo', 'over-the-run'])).toMatchObject({ cases: ['grant', 'echo'], invariants: ['over-the-run'] });
    expect(run(['echo', 'ERR-001'])).toMatchObject({ cases: ['jti-repeated', 'grant', 'echo'] });
  });

  test('signs of a pattern that are no glob stand for themselves', () => {
    expect(() => run(['REQ-01[56]'])).toThrow('nothing is called REQ-01[56]');
    expect(() => run(['(echo|grant)'])).toThrow('nothing is called (echo|grant)');
    expect(() => run(['ech.'])).toThrow('nothing is called ech.');
  });
});

describe('the folder of the suites', () => {
  const movedTo = (folder: string): Suites => ({
    ...suites,
    cases: suites.cases.map((one) => ({ ...one, position: at(`${folder}/${one.id}.suite.yaml`) })),
  });
  const moved = movedTo('/home/echo-and-grant-15');

  test('is part of no glob', () => {
    expect(selectSuites(moved, { what: ['*echo*'] }, suggest).cases.map(({ id }) => id)).toEqual(['echo']);
    expect(() => selectSuites(moved, { what: ['*home*'] }, suggest)).toThrow('nothing is called *home*');
  });

  test('is in no suggestion', () => {
    let known: readonly string[] = [];
    const keep = (_: string, names: readonly string[]): string[] => {
      known = names;
      return [];
    };
    expect(() => selectSuites(moved, { what: ['req-15'] }, keep)).toThrow('nothing is called req-15');
    expect(known).toContain('jti-repeated');
    expect(known.filter((name) => name.includes('home'))).toEqual([]);
  });

  test('is part of the whole path, which names a file', () => {
    const what = ['/home/echo-and-grant-15/echo.suite.yaml'];
    expect(selectSuites(moved, { what }, suggest).cases.map(({ id }) => id)).toEqual(['echo']);
  });
});

describe('the level', () => {
  test('leaves out what is below it', () => {
    expect(run([], 'required')).toEqual({
      cases: ['jti-repeated', 'jti-window/at-4m30s', 'echo'],
      invariants: ['error-form', 'over-the-run'],
      rules: ['CB-008', 'ERR-001', 'REQ-015'],
    });
    expect(run([], 'recommended').rules).toEqual(['CB-008', 'ERR-001', 'REQ-015', 'REQ-017']);
  });

  test('also where a case is named that judges rules below it', () =>
    expect(run(['jti-window/at-4m30s'], 'required').rules).toEqual(['REQ-015']));

  test('a level that leaves nothing of the selection selects nothing', () => {
    const selecting = () => run(['REQ-016'], 'required');
    expect(selecting).toThrow(expect.objectContaining({ code: 'nothing-selected' }));
  });
});

describe('a name that nothing has', () => {
  test.each([
    ['REQ-051', 'nothing is called REQ-051; did you mean REQ-015?'],
    ['eco', 'nothing is called eco; did you mean echo?'],
    ['something-else', 'nothing is called something-else; see carrierspec list'],
    ['*-nowhere', 'nothing is called *-nowhere; see carrierspec list'],
    ['', 'nothing is called ; see carrierspec list'],
  ])('%s', (what, message) =>
    expect(() => run([what])).toThrow(expect.objectContaining({ message, code: 'nothing-selected' })),
  );

  test('one wrong name among right ones is an error all the same', () =>
    expect(() => run(['echo', 'nowhere'])).toThrow('nothing is called nowhere; see carrierspec list'));
});

describe('the rules of a case', () => {
  const rules = (...steps: Parameters<typeof buildStep>[0][]) => [
    ...caseRuleIds(buildScenario('a', { rules: [{ rule: 'OWN' }], steps: steps.map(buildStep) })),
  ];
  const judges = (rule: string) => ({ expectations: [buildExpectation({ outcome: 'accepted' }, rule)] });

  test('are those its steps judge; controls judge none', () =>
    expect(rules(judges('A'), { ...judges('B'), control: true }, judges('A'))).toEqual(['A']));

  test('are its own where nothing is judged, or something is recorded', () => {
    expect(rules({ control: true })).toEqual(['OWN']);
    expect(rules(judges('A'), { record: [['x', buildTemplate(1)]] })).toEqual(['A', 'OWN']);
  });
});
