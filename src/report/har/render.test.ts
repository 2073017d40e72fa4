import { describe, expect, it } from 'vitest';
import { harMistakes } from '../../testing/results/report-parsers.ts';
import {
  buildCase,
  buildCutOffResult,
  buildDelivery,
  buildExchange,
  buildResult,
  startOfRun,
} from '../../testing/results/result.ts';
import { sampleResult } from '../../testing/results/sample-result.ts';
import { shippedSample } from '../../testing/results/shipped-sample.ts';
import type { Message } from '../../model/exchange.ts';
import { renderHar } from './render.ts';

const parse = (...result: Parameters<typeof renderHar>): unknown => JSON.parse([...renderHar(...result)].join(''));

const withMessages = (...messages: readonly Message[]) => buildResult({ cases: [buildCase({ messages })] });

const { response: _, ...unanswered } = buildExchange();

describe('renderHar', () => {
  it.each([
    ['the sample', sampleResult],
    ['a real run', shippedSample],
    ['no message at all', buildResult()],
    ['a result that was cut off', buildCutOffResult()],
    ['no answer', withMessages({ ...unanswered, noResponse: { reason: 'timeout', detail: 'nothing in 30 s' } })],
    [
      'times that no date can hold',
      withMessages(buildExchange({ sentAt: 1e300, receivedAt: -1e300 }), buildDelivery({ receivedAt: 8.64e15 })),
    ],
  ])('fits the schemas of HAR 1.2: %s', (_name, result) => {
    expect(harMistakes(parse(result))).toEqual([]);
  });

  it('would be told if it did not', () => {
    expect(harMistakes({ log: { version: '1.2', creator: { name: 'x', version: '1' }, entries: [{}] } })).not.toEqual(
      [],
    );
    const entry = { ...buildExchange(), startedDateTime: 'x' };
    expect(
      harMistakes({ log: { version: '1.2', creator: { name: 'x', version: '1' }, entries: [entry] } }),
    ).not.toEqual([]);
  });

  it.each([
    [253_402_300_799_999, '9999-12-31T23:59:59.999Z'],
    [253_402_300_800_000, '1970-01-01T00:00:00.000Z'],
  ])('has the time %i as %s, because its years have four digits', (receivedAt, startedDateTime) => {
    const unsolicited = [buildDelivery({ receivedAt })];
    expect(parse(buildResult({ unsolicited }))).toMatchObject({ log: { entries: [{ startedDateTime }] } });
  });

  it('has a delivery with our receiver as the server, whatever its Host header says', () => {
    const unsolicitedDelivery = buildDelivery({ target: '//evil.test/x?y=1', answered: 503 });
    expect(parse(buildResult({ unsolicited: [unsolicitedDelivery] }))).toMatchObject({
      log: {
        pages: [{ id: 'unsolicited' }],
        entries: [
          {
            pageref: 'unsolicited',
            request: { url: 'http://carrierspec-receiver.invalid//evil.test/x?y=1', _url: '//evil.test/x?y=1' },
            response: { status: 503 },
            _kind: 'delivery',
            _unsolicited: true,
          },
        ],
      },
    });
  });

  it.each([
    ['held', 'our receiver held its response back'],
    ['reset', 'our receiver reset the connection'],
  ] as const)('says that a delivery was %s', (answered, why) => {
    expect(parse(buildResult({ unsolicited: [buildDelivery({ answered })] }))).toMatchObject({
      log: { entries: [{ response: { status: 0, _error: why } }] },
    });
  });

  it('makes no link of a URL that is none of HTTP', () => {
    expect(parse(withMessages(buildExchange({ url: 'javascript:alert(1)' })))).toMatchObject({
      log: { entries: [{ request: { url: 'about:invalid', _url: 'javascript:alert(1)' } }] },
    });
  });

  it('says where a body was cut', () => {
    const response = { status: 200, headers: [], body: 'x', bytes: 100_000, truncated: true } as const;
    expect(parse(withMessages(buildExchange({ response })))).toMatchObject({
      log: {
        entries: [
          { response: { content: { size: 100_000, text: 'x', comment: 'cut: the whole body had 100000 bytes' } } },
        ],
      },
    });
  });

  it('names the digest of a body that was cut, and the message that has the same', () => {
    const sha256 = '9c'.repeat(32);
    const cut = { headers: [], body: 'x', bytes: 5000, truncated: true, sha256 } as const;
    const again = { ...cut, status: 200, sameAs: 'a-case#x2' };
    expect(parse(withMessages(buildExchange({ request: cut, response: again })))).toMatchObject({
      log: {
        entries: [
          {
            request: {
              postData: { comment: `cut: the whole body had 5000 bytes; sha256 of the whole text: ${sha256}` },
            },
            response: {
              content: {
                comment: `cut: the whole body had 5000 bytes; sha256 of the whole text: ${sha256}; the same body as that of a-case#x2`,
              },
            },
          },
        ],
      },
    });
  });

  it('has the messages of a case in the order of time, and every message once', () => {
    const late = buildExchange({ id: 'late', sentAt: startOfRun + 9 });
    const early = buildDelivery({ id: 'early', receivedAt: startOfRun + 1 });
    expect(parse(withMessages(late, early))).toMatchObject({ log: { entries: [{ _id: 'early' }, { _id: 'late' }] } });
    const sent = [...shippedSample.cases].flatMap(({ messages }) => messages).length + shippedSample.unsolicited.length;
    expect(parse(shippedSample)).toMatchObject({ log: { entries: { length: sent } } });
  });

  it('says that the run was cut off', () => {
    expect(parse(buildCutOffResult())).toMatchObject({ log: { _interrupted: true } });
  });
});
