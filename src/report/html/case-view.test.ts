import { describe, expect, it } from 'vitest';
import { buildCase, buildDelivery, buildExchange, buildFinding, startOfRun } from '../../testing/result.ts';
import { chooseDetails, detailNote, renderChunk, spansOf } from './case-view.ts';

const body = 'x'.repeat(10_000);
const heavy = (id: string, verdict: 'pass' | 'fail') =>
  buildCase({ id, verdict, messages: [buildExchange({ request: { headers: [], body, bytes: body.length } })] });

describe('chooseDetails', () => {
  const cases = [heavy('one', 'pass'), heavy('two', 'fail')];
  const marks = new Map();

  it('keeps everything where there is space', () => {
    const details = chooseDetails(cases, marks, 100_000);
    expect([details.ordinary?.body, details.notable?.body]).toEqual([16_000, 16_000]);
    expect(detailNote(details)).toBe('');
  });

  it('shortens first what passed, then the rest, and notes it', () => {
    const first = chooseDetails(cases, marks, 14_000);
    expect([first.ordinary?.body, first.notable?.body]).toEqual([2000, 16_000]);
    expect(detailNote(first)).toBe(
      'To keep this file small the exchanges of cases that passed or only recorded are shortened; result.json has them in full.',
    );
    const then = chooseDetails(cases, marks, 3000);
    expect([then.ordinary?.body, then.notable?.body]).toEqual([600, 600]);
    expect(detailNote(then)).toBe(
      'To keep this file small the exchanges of all cases are shortened; result.json has them in full.',
    );
  });

  it('keeps what failed longest, and nothing where nothing fits', () => {
    const one = chooseDetails(
      [heavy('two', 'fail'), ...Array.from({ length: 9 }, () => heavy('one', 'pass'))],
      marks,
      2000,
    );
    expect([one.ordinary, one.notable?.body]).toEqual([undefined, 600]);
    expect(detailNote(one)).toBe(
      'To keep this file small the exchanges of cases that passed or only recorded are left out, those of the others shortened; result.json has them in full.',
    );
    const none = chooseDetails(cases, marks, 100);
    expect(none).toEqual({ notable: undefined, ordinary: undefined });
    expect(detailNote(none)).toBe(
      'To keep this file small the exchanges of all cases are left out; result.json has them in full.',
    );
  });

  it('stays within the space it is given', () => {
    for (const room of [1000, 2000, 5000, 13_000, 25_000]) {
      const { notable, ordinary } = chooseDetails(cases, marks, room);
      const kept = [ordinary, notable].map((detail, index) => {
        const ended = cases[index];
        return detail === undefined || ended === undefined ? 0 : renderChunk(ended, detail, marks).length;
      });
      expect((kept[0] ?? 0) + (kept[1] ?? 0)).toBeLessThanOrEqual(room);
    }
  });
});

describe('spansOf', () => {
  const late = buildDelivery({ id: 'c#d2', receivedAt: startOfRun + 90_000 });
  const spacing = {
    code: 'spacing',
    message: 'c#d2',
    expected: '60 s, at most 5 s early and 15 s late',
    actual: 90,
  } as const;

  it('has the window in which a delivery should have come, after the one before it', () => {
    const ended = buildCase({ messages: [late], findings: [buildFinding(spacing)] });
    expect(spansOf(ended).windows).toEqual([[startOfRun + 55_000, startOfRun + 75_000, 'd2']]);
  });

  it('has no window for what it cannot read', () => {
    const findings = [
      buildFinding({ ...spacing, expected: 'soon' }),
      buildFinding({ ...spacing, actual: 'late' }),
      buildFinding({ ...spacing, message: 'gone' }),
      buildFinding({ ...spacing, code: 'count' }),
    ];
    expect(spansOf(buildCase({ messages: [late], findings })).windows).toEqual([]);
  });

  it.each([
    ['{"expires_in":"300"}', [[startOfRun, startOfRun + 300_000, 'x1']]],
    ['{"expires_in":300}', [[startOfRun, startOfRun + 300_000, 'x1']]],
    ['{"expires_in":1e300}', []],
    ['{"expires_in":-1}', []],
    ['{"expires_in":{}}', []],
    ['[]', []],
    ['not JSON', []],
  ])('takes from %s how long a request stays open', (response, pending) => {
    const exchange = buildExchange({
      id: 'c#x1',
      purpose: 'request',
      sentAt: startOfRun,
      response: { status: 200, headers: [], body: response, bytes: response.length },
    });
    expect(spansOf(buildCase({ messages: [exchange] })).pending).toEqual(pending);
  });
});
