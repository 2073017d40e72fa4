import { expect, test } from 'vitest';
import { createSkewOfOrigins } from './skew.ts';

const now = 1_767_225_600_000;
const at = (ahead: number): readonly [string, number, number] => [new Date(now + ahead).toUTCString(), now, now];
const [configuration, requests] = ['https://id.carrier.test/.well-known', 'https://api.carrier.test/authorize'];

test('who was asked first counts, until another is followed', () => {
  const skew = createSkewOfOrigins();
  expect(skew.current()).toBeUndefined();
  expect(skew.doubt()).toBeUndefined();
  skew.observe(configuration, ...at(30_000));
  skew.observe(requests, ...at(0));
  expect(skew.current()).toMatchObject({ offset: 30_500 });
  skew.follow(requests);
  expect(skew.current()).toMatchObject({ offset: 500 });
});

test('the clock of one that is followed says nothing of another', () => {
  const skew = createSkewOfOrigins();
  skew.observe(configuration, ...at(30_000));
  skew.follow(requests);
  expect(skew.current()).toBeUndefined();
  skew.observe(configuration, ...at(30_000));
  expect(skew.current()).toBeUndefined();
  skew.observe(requests, ...at(-20_000));
  expect(skew.current()).toMatchObject({ offset: -19_500 });
});

test('what is not believed is that of the one who counts', () => {
  const skew = createSkewOfOrigins();
  skew.follow(requests);
  skew.observe(requests, ...at(30_000));
  skew.disbelieve('a Date that is off');
  expect([skew.current(), skew.doubt()]).toEqual([undefined, 'a Date that is off']);
  skew.disbelieve(undefined);
  expect(skew.current()).toMatchObject({ offset: 30_500 });
});
