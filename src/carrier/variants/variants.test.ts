import { expect, test } from 'vitest';
import { applyFaults } from '../apply-faults.ts';
import { faultNames, faults } from '../faults/catalogue.ts';
import { asText } from '../json.ts';
import { parseOptions } from '../options.ts';
import { strictCarrier } from '../strict-carrier.ts';
import { openRig } from '../testing/rig.ts';
import { variantNames, variants } from './catalogue.ts';

test('there are thirty variants and more, and no name stands twice among them and the faults', () => {
  expect(variants.length).toBeGreaterThanOrEqual(30);
  const names = [...faultNames(), ...variantNames()];
  expect(new Set(names).size).toBe(names.length);
  expect(names).toHaveLength(faults.length + variants.length);
});

test.each([...faults, ...variants].map((one) => ({ one, name: one.name })))('$name changes the carrier', ({ one }) => {
  expect(applyFaults(strictCarrier, [one.name])).not.toEqual(strictCarrier);
  expect(one.name).toMatch(/^[a-z0-9]+([-_][a-z0-9]+)*$/);
  expect(one.description).toMatch(/^.{10,}\.$/);
});

test.each(variants.map(({ name }) => ({ name })))('with $name a plain request is approved', async ({ name }) => {
  const rig = await openRig({ variant: name });
  try {
    const { status, body } = await rig.authorize();
    expect(status).toBe(200);
    await rig.admin('POST', `/requests/${asText(body['auth_req_id'])}/approve`);
    await rig.settle();
    await rig.move(10);
    expect(rig.callbacks.map((callback) => typeof callback.body['access_token'])).toEqual(['string']);
  } finally {
    await rig.close();
  }
});

test('a dropped request gets its 200, shows nothing and calls nobody', async () => {
  const rig = await openRig({ variant: 'stale-requests-dropped' });
  try {
    const { status, body } = await rig.authorize({ iat: rig.now() - 400 });
    expect(status).toBe(200);
    const path = `/requests/${asText(body['auth_req_id'])}`;
    expect((await rig.admin('GET', path)).body['card']).toMatchObject({ shown: false });
    expect((await rig.admin('POST', `${path}/approve`)).status).toBe(409);
    await rig.move(600);
    expect(rig.callbacks).toEqual([]);
  } finally {
    await rig.close();
  }
});

test.each([
  ['a variant', { variant: 'granted-as-digits' }],
  ['a variant among the faults', { faults: ['granted-as-digits'] }],
])('%s is applied by its name', async (_, options) => {
  const rig = await openRig(options);
  try {
    expect((await rig.authorize()).body['expires_in']).toBe('300');
  } finally {
    await rig.close();
  }
});

test('a variant that does not exist names those near it, and one that is no name is refused', async () => {
  await expect(openRig({ variant: 'slow-answer' })).rejects.toThrow(
    'there is no fault slow-answer; did you mean slow-answers?',
  );
  expect(parseOptions({ clock: 'driven', variant: 'slow-answers' })).toMatchObject({ variant: 'slow-answers' });
  expect(() => parseOptions({ clock: 'driven', variant: 1 })).toThrow('carrier options: variant must be a name');
});
