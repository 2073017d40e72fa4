import { describe, expect, it } from 'vitest';
import type { Finding } from '../../model/finding.ts';
import type { RunOutcome } from '../../model/rule.ts';
import { buildFinding, buildFooter, buildHeader, buildResult, buildRule } from '../../testing/results/result.ts';
import { renderClause, renderFinding } from './prose.ts';
import { reportNotes } from './notes.ts';
import { outcomeWords, skewWords } from './run-prose.ts';

type Row = readonly [Pick<Finding, 'code' | 'expected' | 'actual'> & { path?: string }, string, string, string];

const rows: readonly Row[] = [
  [
    { code: 'not-seen', path: 'card', expected: 'the colour mode is "dark"', actual: 'no: it is light' },
    'the colour mode is "dark"',
    'no: it is light',
    'the operator did not see that the colour mode is "dark"',
  ],
  [
    { code: 'outcome', expected: 'denied', actual: 'accepted 200' },
    'denied (a 4xx response, and no callback arrives for the request)',
    'accepted 200',
    'expected denied, got accepted 200',
  ],
  [
    { code: 'error-code', path: 'body.error', expected: ['invalid_request', 'invalid_scope'], actual: 'nope' },
    'one of invalid_request, invalid_scope',
    '"nope"',
    'body.error is "nope", not one of invalid_request, invalid_scope',
  ],
  [
    { code: 'error-code', expected: ['request_denied'], actual: null },
    'request_denied',
    'nothing (absent or null)',
    'the error code is nothing (absent or null), not request_denied',
  ],
  [
    { code: 'status', path: 'status', expected: [200, '4xx'], actual: 'broken 500' },
    'HTTP one of 200, 4xx',
    'broken 500',
    'expected HTTP one of 200, 4xx, got broken 500',
  ],
  [
    { code: 'schema', path: 'body.expires_in', expected: 'a number', actual: '3600' },
    'a number',
    '"3600"',
    'body.expires_in is "3600", not a number',
  ],
  [
    { code: 'schema', expected: { type: 'object' }, actual: null },
    '{"type":"object"}',
    'nothing (absent or null)',
    'the value is nothing (absent or null), not {"type":"object"}',
  ],
  [{ code: 'not-equal', path: 'body.state', expected: 'a', actual: 'b' }, '"a"', '"b"', 'body.state is "b", not "a"'],
  [
    { code: 'not-absent', path: 'headers.location', expected: null, actual: 'https://sp.test/cb' },
    'absent',
    '"https://sp.test/cb"',
    'headers.location is there and should not be',
  ],
  [
    { code: 'not-echoed', path: 'body.correlation_id', expected: 'c-1', actual: null },
    '"c-1", as it was sent',
    'nothing (absent or null)',
    'body.correlation_id does not come back as it was sent',
  ],
  [
    { code: 'not-echoed', path: 'body.state', expected: null, actual: 'x' },
    'absent, because it was not sent',
    '"x"',
    'body.state does not come back as it was sent',
  ],
  [{ code: 'count', expected: 4, actual: 2 }, '4 deliveries', '2', 'expected 4 deliveries, got 2'],
  [
    { code: 'spacing', path: 'deliveries.2', expected: '60 s, at most 5 s early and 15 s late', actual: 12.5 },
    '60 s, at most 5 s early and 15 s late',
    '12.5 s',
    'the gap between deliveries (deliveries.2) is 12.5 s, not 60 s, at most 5 s early and 15 s late',
  ],
  [
    { code: 'late-delivery', expected: 'no callback', actual: 'a callback with tokens' },
    'no callback, because the request was refused',
    'a callback with tokens',
    'the request was refused, yet a callback came',
  ],
  [
    { code: 'late-delivery', expected: 'no request to the canary', actual: 'GET /canary/1' },
    'no request to the canary',
    'GET /canary/1',
    'expected no request to the canary, and one came after the step: GET /canary/1',
  ],
  [
    { code: 'check', expected: 'all ids differ', actual: { repeated: ['a'] } },
    'all ids differ',
    '{"repeated":["a"]}',
    'does not hold: all ids differ',
  ],
];

describe('renderFinding', () => {
  it.each(rows)('says %j in English', (parts, expected, actual, summary) => {
    expect(renderFinding(buildFinding(parts))).toEqual({ expected, actual, summary });
  });

  it('cuts what a carrier sent too much of', () => {
    const { actual, summary } = renderFinding(
      buildFinding({ code: 'not-equal', expected: 1, actual: 'x'.repeat(100_000) }),
    );
    expect(actual).toBe(`"${'x'.repeat(299)}…" (100,000 characters)`);
    expect(summary).toContain('(100,000 characters), not 1');
  });
});

it('a clause of the interface has its sign, one of another standard stands as it is', () => {
  expect(renderClause('2.3 jti, 5.1')).toBe('§2.3 jti, 5.1');
  expect(renderClause('RFC 8725 §3.1-3.2, RFC 9101 §10.5')).toBe('RFC 8725 §3.1-3.2, RFC 9101 §10.5');
});

describe('the outcome in words', () => {
  const words = (outcome: RunOutcome, [judged, applicable]: readonly [number, number], broken = 0): string => {
    const { score } = buildFooter();
    const required = { conforming: judged - broken, judged, applicable };
    const rules = Array.from({ length: broken }, () => buildRule({ verdict: 'fail' }));
    return outcomeWords({
      header: buildHeader(),
      footer: buildFooter({ outcome, score: { ...score, required } }),
      rules,
    });
  };

  it.each<[RunOutcome, readonly [number, number], number, string]>([
    ['conformant', [3, 3], 0, '3 of 3 required rules were judged, and none is broken'],
    ['conformant', [3, 5], 0, '3 of 5 required rules were judged, and none is broken; 2 cannot be judged from outside'],
    ['not judged', [0, 0], 0, 'none that applies was selected'],
    ['not judged', [0, 2], 0, 'none that was selected can be judged from outside'],
    ['not conformant', [3, 3], 1, '1 required rule is broken'],
    ['not conformant', [3, 3], 2, '2 required rules are broken'],
    [
      'incomplete',
      [2, 3],
      0,
      'no required rule was found broken, but some applicable rules of the selection have no verdict',
    ],
    ['incomplete', [3, 3], 0, 'no required rule was found broken, but not everything selected was judged'],
  ])('%s, %j judged of applicable, %i broken', (outcome, judged, broken, sentence) => {
    expect(words(outcome, judged, broken)).toBe(sentence);
  });
});

describe('the clock of the carrier', () => {
  const doubt = 'the Date Thu, 01 Jan 1970 00:00:00 GMT, which is more than a day off';

  it('is so far from ours, or is not known where its Date is not believed', () => {
    expect(skewWords(buildFooter())).toBeUndefined();
    expect(skewWords(buildFooter({ skew: { offset: -1500, uncertainty: 500 } }))).toBe(
      '1.5 s behind ours, give or take 0.5 s',
    );
    expect(skewWords(buildFooter({ doubt }))).toBe(`not known: it sends ${doubt}; requests had the time of our clock`);
  });

  it('is noted in the formats that have a line for it and no more', () => {
    expect(reportNotes(buildResult())).toEqual([]);
    expect(reportNotes(buildResult({ footer: buildFooter({ doubt }) }))).toMatchObject([
      { about: 'clock', name: 'Date' },
    ]);
  });
});
