import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseDuration } from './duration.ts';

test.each([
  ['5m30s', 330],
  ['48h', 172_800],
  ['90s', 90],
  ['1d', 86_400],
  ['250ms', 0.25],
  ['1.5h', 5_400],
  ['1m1ms', 60.001],
  ['0s', 0],
])('%s', (text, seconds) => expect(parseDuration(text)).toBe(seconds));

test.each(['', '5', 'm', '30s5m', '5m5m', '-5m', '5 m', '5min', '1e3s', '.5s', '5M'])('"%s" is none', (text) =>
  expect(parseDuration(text)).toBeUndefined(),
);

test('every way of writing whole units is their sum', () => {
  const unit = fc.option(fc.nat(1000), { nil: undefined });
  fc.assert(
    fc.property(unit, unit, unit, unit, (d, h, m, s) => {
      const parts = [d, h, m, s].map((count, index) => (count === undefined ? '' : `${count}${'dhms'[index]}`));
      const expected = (d ?? 0) * 86_400 + (h ?? 0) * 3_600 + (m ?? 0) * 60 + (s ?? 0);
      expect(parseDuration(parts.join(''))).toBe(parts.join('') === '' ? undefined : expected);
    }),
  );
});
