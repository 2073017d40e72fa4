import { afterEach, describe, expect, test } from 'vitest';
import type { Json } from '../../carrier/json.ts';
import { openSetup, type TestSetup, carrierStart } from '../../carrier/testing/setup.ts';

let setup: TestSetup | undefined;
afterEach(() => setup?.close());

/** Names of the faults that differ from the clean carrier on one request. */
async function differingOn(claims: Readonly<Record<string, Json>>, names: readonly string[]): Promise<string[]> {
  const found = new Map<string | undefined, readonly string[]>();
  setup = await openSetup({
    differential: { names, onDiffer: (more, caller) => found.set(caller, [...(found.get(caller) ?? []), ...more]) },
  });
  await setup.post({ request: setup.sign(setup.claims(claims)) }, { 'x-request-id': 'the-request' });
  await setup.close();
  return [...new Set(found.get('the-request'))].toSorted();
}

describe('the differential trace', () => {
  test('a fault differs on the request it would treat otherwise, and on no other', async () => {
    const names = ['aud-not-checked', 'iat-window-4-minutes', 'context-min-ignored'];
    const now = carrierStart / 1000;
    expect(await differingOn({}, names)).toEqual([]);
    expect(await differingOn({ aud: 'https://other.test' }, names)).toEqual(['aud-not-checked']);
    expect(await differingOn({ context: 'short' }, names)).toEqual(['context-min-ignored']);
    expect(await differingOn({ iat: now - 270 }, names)).toEqual(['iat-window-4-minutes']);
  });

  test('one that makes another answer of every request differs on every one', async () => {
    expect(await differingOn({}, ['answers-302', 'error-200'])).toEqual(['answers-302']);
    expect(await differingOn({ aud: 'https://other.test' }, ['answers-302', 'error-200'])).toEqual(['error-200']);
  });
});
