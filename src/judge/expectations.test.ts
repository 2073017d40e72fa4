import { describe, expect, test } from 'vitest';
import { MissingValue } from '../model/suite.ts';
import { createSchemaCheck } from '../suite/expectations/schema-check.ts';
import {
  buildResponse,
  buildAwait,
  buildDenial,
  buildLook,
  buildRefusal,
  buildSilence,
  buildTokens,
  observedStart,
} from '../testing/parts/observations.ts';
import { buildExpectation } from '../testing/parts/suite.ts';
import { buildScope, buildTemplates } from '../testing/parts/templates.ts';
import { judgeExpectation } from './expectations.ts';
import type { CallbackObservation, Judgeable, TriggerObservation } from './observation.ts';
import type { Expectation } from '../suite/expectations/expectations.ts';
import type { Outcome } from '../model/outcome.ts';

const judge = (parts: Partial<Expectation>, observation: Judgeable, roots: Record<string, unknown> = {}) =>
  judgeExpectation(buildExpectation(parts), observation, buildScope(roots));

const trigger: TriggerObservation = {
  kind: 'trigger',
  step: 'approve',
  sentAt: observedStart,
  done: true,
  summary: 'approve done',
};
const both = buildTokens({ error: true });
const neither = buildTokens({ tokens: false });

const observations = {
  accepted: buildResponse(),
  denied: buildRefusal('invalid_request'),
  forbidden: buildRefusal('access_denied', { status: 403 }),
  redirected: buildResponse({ status: 302, outcome: 'redirected', summary: 'redirected 302' }),
  broken: buildResponse({ status: 500, outcome: 'broken', summary: 'broken 500' }),
  dropped: buildResponse({ dropped: true }),
  kept: buildResponse({ dropped: false, summary: 'accepted 200, and tokens came' }),
  reset: buildSilence('reset'),
  timeout: buildSilence('timeout'),
  nothing: buildAwait([]),
  tokens: buildAwait([buildTokens()]),
  denial: buildAwait([buildDenial()]),
  both: buildAwait([both]),
  neither: buildAwait([neither]),
  'tokens after denial': buildAwait([buildDenial(), buildTokens()]),
  'denial after tokens': buildAwait([buildTokens(), buildDenial()]),
  look: buildLook({ shown: true }),
  trigger,
} as const;

/** Observations for which each outcome holds; it holds for no other. */
const holds: Readonly<Partial<Record<Outcome, readonly (keyof typeof observations)[]>>> = {
  accepted: ['accepted', 'dropped', 'kept'],
  denied: ['denied', 'forbidden'],
  'denied-or-dropped': ['denied', 'forbidden', 'dropped', 'reset'],
  answered: ['accepted', 'denied', 'forbidden', 'redirected', 'dropped', 'kept'],
  completed: ['tokens', 'both', 'tokens after denial'],
  failed: ['denial', 'denial after tokens'],
  'no-tokens': ['nothing', 'denial', 'neither'],
  'no-error': ['nothing', 'tokens', 'neither'],
  silence: ['nothing'],
};

describe.each(Object.entries(holds))('the outcome %s', (name, kept) => {
  const outcome = Object.keys(holds).find((one): one is keyof typeof holds => one === name);

  test.each(Object.entries(observations))('%s', (what, observation) => {
    const found = judge(outcome === undefined ? {} : { outcome }, observation);
    const names: readonly string[] = kept;
    const isMessage = observation.kind === 'response' || observation.kind === 'await';
    const meant = ['completed', 'failed', 'no-tokens', 'no-error', 'silence'].includes(name) ? 'await' : 'response';
    const actual = isMessage && observation.kind === meant ? observation.summary : observation.kind;
    const isForbidden = ['denied-or-dropped', 'failed', 'no-tokens', 'silence'].includes(name);
    const came = observation.kind === 'await' && observation.deliveries.some(({ tokens }) => tokens);
    const carried = isForbidden && came ? { carries: 'tokens' } : {};
    expect(found).toEqual(names.includes(what) ? [] : [{ code: 'outcome', expected: name, actual, ...carried }]);
  });
});

describe('the outcome at-most-one', () => {
  const { accepted, denied } = observations;
  test.each<[string, Judgeable]>([
    ['none was accepted', { ...denied, repetitions: [denied, denied] }],
    ['one was', { ...denied, repetitions: [denied, accepted, denied] }],
    ['several were, and one brought tokens', { ...accepted, repetitions: [accepted, accepted], completed: 1 }],
  ])('holds where %s', (_, observation) => expect(judge({ outcome: 'at-most-one' }, observation)).toEqual([]));

  test.each<[string, Judgeable, string]>([
    ['two were accepted', { ...denied, repetitions: [accepted, accepted, denied] }, '2 of 3 accepted'],
    ['two brought tokens', { ...accepted, repetitions: [accepted, accepted], completed: 2 }, accepted.summary],
  ])('does not hold where %s', (_, observation, actual) =>
    expect(judge({ outcome: 'at-most-one' }, observation)).toEqual([
      { code: 'outcome', expected: 'at-most-one', actual },
    ]),
  );
});

test('where the outcome is another, nothing else is judged', () => {
  const found = judge({ outcome: 'denied', error: ['x'], status: [418], absent: ['body'] }, observations.accepted);
  expect(found.map(({ code }) => code)).toEqual(['outcome']);
});

describe('error', () => {
  test.each<[string, Judgeable]>([
    ['the right one', buildRefusal('invalid_request')],
    ['of a callback', buildDenial('invalid_request')],
    ['of what an await took', buildAwait([buildDenial('invalid_request')])],
    ['not where nothing was refused', observations.accepted],
    ['not where tokens came', observations.tokens],
    ['not where nothing came', observations.nothing],
    ['not where the connection was reset', observations.reset],
  ])('%s', (_, observation) => {
    expect(judge({ error: ['invalid_scope', 'invalid_request'] }, observation)).toEqual([]);
  });

  test.each<[string, Judgeable, string | null | number]>([
    ['another one', buildRefusal('access_denied'), 'access_denied'],
    ['none', buildRefusal('x', { body: {} }), null],
    ['no JSON', buildRefusal('x', { body: 'oops' }), null],
    ['a number', buildRefusal('x', { body: { error: 5 } }), 5],
    ['of a callback', buildDenial('server_error'), 'server_error'],
  ])('%s', (_, observation, actual) => {
    expect(judge({ error: ['invalid_scope', 'invalid_request'] }, observation)).toEqual([
      { code: 'error-code', path: 'body.error', expected: ['invalid_scope', 'invalid_request'], actual },
    ]);
  });
});

describe('status', () => {
  test.each<[readonly (number | string)[], number]>([
    [[200], 200],
    [[400, 401], 401],
    [['4xx'], 499],
    [['2xx', '3xx'], 302],
    [['5xx', 418], 418],
  ])('%j holds %d', (status, actual) => {
    expect(judge({ status }, buildResponse({ status: actual }))).toEqual([]);
  });

  test.each<[readonly (number | string)[], number]>([
    [[200], 201],
    [['4xx'], 500],
    [['4xx', 200], 302],
    [[], 200],
  ])('%j does not hold %d', (status, actual) => {
    const observation = buildResponse({ status: actual, summary: `it was ${actual}` });
    expect(judge({ status }, observation)).toEqual([
      { code: 'status', path: 'status', expected: [...status], actual: `it was ${actual}` },
    ]);
  });
});

describe('schemas', () => {
  const check = createSchemaCheck({
    type: 'object',
    required: ['a'],
    properties: { a: { type: 'array', items: { type: 'string' } } },
  });

  test('a mismatch has a path and both values', () => {
    expect(judge({ body: check }, buildResponse({ body: { a: ['x', 5] } }))).toEqual([
      { code: 'schema', path: 'body.a.1', expected: 'a string', actual: 5 },
    ]);
    expect(judge({ card: check }, buildLook({}))).toEqual([
      { code: 'schema', path: 'card.a', expected: 'a list, each item a string', actual: null },
    ]);
  });

  test.each<[string, Partial<Expectation>, Judgeable]>([
    ['body', { body: check }, buildAwait([])],
    ['body', { body: check }, trigger],
    ['idToken', { idToken: check }, buildDenial()],
    ['card', { card: check }, buildResponse()],
  ])('a %s that is not there', (part, parts, observation) => {
    expect(judge(parts, observation)).toEqual([
      { code: 'schema', path: part, expected: `${part} is there, as JSON`, actual: null },
    ]);
  });

  test('tokens without an id_token say nothing about its claims', () => {
    const equals = buildTemplates({ 'idToken.acr': 'a3' });
    const { idToken: _, ...undecodable } = buildTokens();
    for (const judged of [{ idToken: check }, { equals }]) {
      expect(() => judge(judged, { ...undecodable, withoutIdToken: true })).toThrow(new MissingValue('ID token'));
    }
    expect(judge({ equals }, undecodable)).toMatchObject([{ path: 'idToken.acr' }]);
  });
});

describe('equals', () => {
  const observation = buildResponse({ body: { state: 'st', list: [{ b: 2, a: 1 }] }, headers: { location: '/x' } });

  test('every part of an observation', () => {
    const equals = buildTemplates({
      status: 200,
      granted: 300,
      'body.list': [{ a: 1, b: 2 }],
      'body.list.0.b': 2,
      'headers.location': '/x',
    });
    expect(judge({ equals }, observation)).toEqual([]);
    const delivery = buildTemplates({ method: 'POST', target: '/si/notify', 'idToken.nonce': 'n-0S6WzA2Mj' });
    expect(judge({ equals: delivery }, buildTokens())).toEqual([]);
    expect(
      judge(
        { equals: buildTemplates({ 'deliveries.1.body.error': 'x' }) },
        buildAwait([buildTokens(), buildDenial('x')]),
      ),
    ).toEqual([]);
    expect(judge({ equals: buildTemplates({ 'card.shown': true }) }, observations.look)).toEqual([]);
  });
});

test('equalsOrAbsent compares what is there', () => {
  const observation = buildResponse({ body: { issuer: 'https://one.test', none: null } });
  const equalsOrAbsent = buildTemplates({ 'body.issuer': 'https://other.test', 'body.none': 1, 'body.more': 1 });
  expect(judge({ equalsOrAbsent }, observation)).toEqual([
    { code: 'not-equal', path: 'body.issuer', expected: 'https://other.test', actual: 'https://one.test' },
  ]);
});

describe('differs', () => {
  const observation = buildResponse({ body: { issuer: 'https://one.test' } });

  test('another value, or none, differs', () => {
    const differs = buildTemplates({ 'body.issuer': 'https://other.test', 'body.none': 'https://one.test' });
    expect(judge({ differs }, observation)).toEqual([]);
  });

  test('the same value does not', () => {
    expect(judge({ differs: buildTemplates({ 'body.issuer': 'https://one.test' }) }, observation)).toEqual([
      {
        code: 'check',
        path: 'body.issuer',
        expected: 'another value than "https://one.test"',
        actual: 'https://one.test',
      },
    ]);
  });
});

describe('absent', () => {
  const observation = buildResponse({ body: { a: null, b: '' } });

  test('what is not there at all, and null (P5)', () => {
    expect(judge({ absent: ['body.a', 'body.c', 'headers.location', 'body.a.x'] }, observation)).toEqual([]);
  });

  test('the empty string is there', () => {
    expect(judge({ absent: ['body.b', 'status'] }, observation)).toEqual([
      { code: 'not-absent', path: 'body.b', expected: null, actual: '' },
      { code: 'not-absent', path: 'status', expected: null, actual: 200 },
    ]);
  });

  test('what an endpoint gives away there stands at once (P21)', () => {
    const profile = buildResponse({ body: { email: 'a@sp.test' }, gives: 'data' });
    expect(judge({ absent: ['body.email', 'status'] }, profile)).toEqual([
      { code: 'not-absent', path: 'body.email', expected: null, actual: 'a@sp.test', carries: 'data' },
      { code: 'not-absent', path: 'status', expected: null, actual: 200 },
    ]);
  });
});

describe('echo', () => {
  const echo = ['state'];
  const sent = (claims: Record<string, string | number>) => buildResponse({ claims });

  test.each<[string, Judgeable]>([
    ['a response', buildResponse({ claims: { state: 's' }, body: { state: 's' } })],
    ['a callback', buildTokens({ sent: sent({ state: 's' }), body: { state: 's' } })],
    ['an await', buildAwait([buildTokens({ body: { state: 's' } })], { sent: sent({ state: 's' }) })],
    ['not sent, not there', buildTokens({ sent: sent({}), body: {} })],
    ['not sent, empty', buildTokens({ sent: sent({}), body: { state: '' } })],
    ['sent empty, empty', buildTokens({ sent: sent({ state: '' }), body: { state: '' } })],
    ['sent empty, not there', buildTokens({ sent: sent({ state: '' }), body: {} })],
    ['sent as another type, not there', buildTokens({ sent: sent({ state: 5 }), body: {} })],
  ])('%s', (_, observation) => {
    expect(judge({ echo }, observation)).toEqual([]);
  });

  test.each<[string, Judgeable, string | number | null, string | number | null]>([
    ['another value', buildTokens({ sent: sent({ state: 's' }), body: { state: 'S' } }), 's', 'S'],
    ['another type', buildTokens({ sent: sent({ state: '5' }), body: { state: 5 } }), '5', 5],
    ['missing', buildTokens({ sent: sent({ state: 's' }), body: {} }), 's', null],
    ['another value, though empty was sent', buildTokens({ sent: sent({ state: '' }), body: { state: 'x' } }), '', 'x'],
    ['no JSON', buildTokens({ sent: sent({ state: 's' }), body: 's' }), 's', null],
    ['invented', buildTokens({ sent: sent({}), body: { state: 'x' } }), null, 'x'],
    ['null where nothing was sent', buildTokens({ sent: sent({}), body: { state: null } }), null, null],
  ])('%s', (_, observation, expected, actual) => {
    expect(judge({ echo }, observation)).toEqual([{ code: 'not-echoed', path: 'body.state', expected, actual }]);
  });
});

describe('count', () => {
  test('of what an await took', () => {
    expect(judge({ count: 2 }, buildAwait([buildTokens(), buildTokens()]))).toEqual([]);
    expect(judge({ count: 0 }, observations.nothing)).toEqual([]);
    expect(judge({ count: 4 }, observations.tokens)).toEqual([
      { code: 'count', path: 'deliveries', expected: 4, actual: 1 },
    ]);
  });
});

describe('spacing', () => {
  const spacing = { every: 60, early: 5, late: 15 };
  const at = (...moments: number[]): readonly CallbackObservation[] =>
    moments.map((offset, index) =>
      buildTokens({ receivedAt: observedStart + offset, message: `a-case#d${index + 1}` }),
    );

  test.each([[55], [60], [75], [74.9996], [54.9996]])('a gap of %d s holds', (gap) => {
    expect(judge({ spacing }, buildAwait(at(0, gap)))).toEqual([]);
  });

  test.each([
    [54.999, 54.999],
    [75.001, 75.001],
    [0, 0],
  ])('a gap of %d s does not', (gap, actual) => {
    expect(judge({ spacing }, buildAwait(at(0, gap)))).toEqual([
      {
        code: 'spacing',
        path: 'deliveries.1',
        expected: '60 s, at most 5 s early and 15 s late',
        actual,
        message: 'a-case#d2',
        window: { from: 55, to: 75 },
      },
    ]);
  });
});

test.each([
  [2, ['latency']],
  [1.9, []],
  [-2, ['latency']],
])('medians %d ms apart, with ranks far apart: %j', (apart, paths) => {
  const around = (median: number): readonly number[] =>
    Array.from({ length: 41 }, (_, at) => median + (at - 20) / 1000);
  const other = buildResponse({ samples: around(10) });
  const ours = buildResponse({ samples: around(10 + apart) });
  expect(judge({ latencyLike: 'other' }, ours, { other }).map(({ path }) => path)).toEqual(paths);
});

const refusal = { status: 403, body: { error: 'access_denied', error_description: 'no such user' } };

test.each<[string, Parameters<typeof buildResponse>[0], readonly (string | undefined)[]]>([
  ['the same words', refusal, []],
  ['another description', { ...refusal, body: { ...refusal.body, error_description: 'gone' } }, []],
  ['another status', { ...refusal, status: 401 }, ['status and error']],
  ['no description', { ...refusal, body: { error: 'access_denied' } }, ['members and headers']],
  ['Retry-After', { ...refusal, headers: { 'retry-after': '3600' } }, ['members and headers']],
  ['another trace id', { ...refusal, headers: { 'x-request-id': 'a1' } }, []],
])('a refusal is like another: %s', (_, ours, paths) => {
  const found = judge({ like: 'other' }, buildResponse(ours), { other: buildResponse(refusal) });
  expect(found.map(({ path }) => path)).toEqual(paths);
});
