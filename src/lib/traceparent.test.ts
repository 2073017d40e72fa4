import { expect, test } from 'vitest';
import { readTraceparent, writeTraceparent } from './traceparent.ts';

const place = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };
const written = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

test('what is written is read back', () => {
  expect(writeTraceparent(place)).toBe(written);
  expect(readTraceparent(written)).toEqual(place);
  expect(readTraceparent(written.replace(/01$/, '00'))).toEqual(place);
});

test.each([
  [''],
  ['00'],
  [written.toUpperCase()],
  [written.replace('4bf9', '4bfg')],
  [written.replace(place.traceId, '0'.repeat(32))],
  [written.replace(place.spanId, '0'.repeat(16))],
  [written.replace('00-', 'ff-')],
  [`${written}-x`],
  [`${written}\n`],
])('%j names no span', (value) => expect(readTraceparent(value)).toBeUndefined());
