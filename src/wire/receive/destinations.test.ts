import { describe, expect, test } from 'vitest';
import { createDestinations } from './destinations.ts';

const sp = 'https://sp.test';
const registered = [`${sp}/notify`, `${sp}/other?of=main`, 'sptest://cb', `${sp}/cb`, `${sp}/hooks/`];

/** Finds the owner of a delivery after one request has named a URI. */
function found(named: string, target: string, host = 'sp.test'): string | undefined {
  const destinations = createDestinations<string>(registered);
  destinations.add('the request', [named]);
  return destinations.find({ target, headers: [['Host', host]] })[0];
}

describe('a delivery is for the request that named its URI', () => {
  test.each([
    ['another path', `${sp}/notify0a1b`, '/notify0a1b'],
    ['a slash after it', `${sp}/notify/`, '/notify/'],
    ['another case', `${sp}/NOTIFY`, '/NOTIFY'],
    ['another query', `${sp}/notify?next=1`, '/notify?next=1'],
    ['another query than the registered one', `${sp}/other?of=second`, '/other?of=second'],
    ['a query that the carrier adds to another path', `${sp}/notify0a1b`, '/notify0a1b?error=x'],
    ['dot segments, as written', `${sp}/x/../notify0a1b`, '/x/../notify0a1b'],
    ['dot segments, normalized', `${sp}/x/../notify0a1b`, '/notify0a1b'],
    ['an escape, as written', `${sp}/n%6Ftify`, '/n%6Ftify'],
    ['another scheme, another port, user information and a fragment', 'http://u:p@sp.test:1/x?y#z', '/x?y'],
    ['another host', 'https://other.test/notify0a1b', '/notify0a1b'],
    ['no path', 'https://other.test?x', '/?x'],
    ['a path that the carrier adds', `${sp}/notify0a1b`, '/notify0a1b/more/of?it'],
    ['slashes that the carrier doubles', `${sp}/notify0a1b`, '//notify0a1b'],
  ])('with %s', (_, named, target) => expect(found(named, target)).toBe('the request'));

  test.each([
    ['as written', '127.1'],
    ['as written, in capitals', '127.1'.toUpperCase()],
    ['normalized', '127.0.0.1'],
  ])('with another host for a registered path, %s', (_, host) =>
    expect(found('https://127.1/notify', '/notify', host)).toBe('the request'),
  );
});

describe('a delivery is for no request', () => {
  test.each([
    ['that names a registered URI', `${sp}/notify`, '/notify'],
    ['that names one with a fragment', `${sp}/notify#next`, '/notify'],
    ['that names one with user information', 'https://user@sp.test/notify', '/notify'],
    ['that names the registered URI of a redirect', `${sp}/cb`, '/cb'],
    ['that names another URI', `${sp}/notify0a1b`, '/notify0a1c'],
    ['at a registered path below one that the request named', `${sp}/`, '/notify'],
    ['at a registered path, without the query that the request named', `${sp}/notify?next=1`, '/notify'],
    [
      'at a registered path with a slash behind, without the slash that the request left out',
      `${sp}/hooks?`,
      '/hooks/',
    ],
    ['that names no URI', 'notify', '/notify'],
    ['that names nothing', '', '/'],
  ])('%s', (_, named, target) => expect(found(named, target)).toBeUndefined());

  test('at a registered path of the registered host, though another host was named', () =>
    expect(found('https://127.1/notify', '/notify')).toBeUndefined());
});

test('the latest owner of a URI is first, the latest eight are kept, and a URI can be forgotten', () => {
  const { add, find, forget } = createDestinations<string>(registered);
  const at = (target: string): string => find({ target, headers: [] }).join(' ');
  add('one', [`${sp}/x`, `${sp}/y`]);
  add('two', [`${sp}/y`]);
  expect([at('/x'), at('/y')]).toEqual(['one', 'two one']);
  for (let more = 3; more <= 9; more += 1) add(`${more}`, [`${sp}/y`]);
  expect(at('/y')).toBe('9 8 7 6 5 4 3 two');
  forget([`${sp}/y`]);
  expect([at('/x'), at('/y')]).toEqual(['one', '']);
});

test('ten thousand URIs are remembered', () => {
  const { add, find } = createDestinations<number>(registered);
  for (let owner = 0; owner <= 10_000; owner += 1) add(owner, [`${sp}/${owner}`]);
  const at = (owner: number): number | undefined => find({ target: `/${owner}`, headers: [] })[0];
  expect([at(0), at(1), at(10_000)]).toEqual([undefined, 1, 10_000]);
});
