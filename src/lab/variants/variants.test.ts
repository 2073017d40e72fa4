import { expect, test } from 'vitest';
import { applyFaults, faultCatalogue, variants } from '../catalogue.ts';
import { asText } from '../../carrier/json.ts';
import { strictCarrier } from '../../carrier/strict-carrier.ts';
import { openAlteredSetup } from '../testing/altered-setup.ts';

test.each([...faultCatalogue, ...variants].map((one) => ({ one, name: one.name })))(
  '$name changes the carrier',
  ({ one }) => {
    expect(applyFaults(strictCarrier, [one.name])).not.toEqual(strictCarrier);
    expect(one.name).toMatch(/^[a-z0-9]+([-_][a-z0-9]+)*$/);
    expect(one.description).toMatch(/^.{10,}\.$/);
  },
);

test.each(variants.map(({ name }) => ({ name })))('with $name a plain request is approved', async ({ name }) => {
  const setup = await openAlteredSetup({ faults: [name] });
  try {
    const { status, body } = await setup.authorize({ client_notification_token: 'x'.repeat(32) });
    expect(status).toBe(200);
    await setup.admin('POST', `/requests/${asText(body['auth_req_id'])}/approve`);
    await setup.settle();
    await setup.move(10);
    const tokens = setup.callbacks.map((callback) => typeof callback.body['access_token']);
    expect([...new Set(tokens)]).toEqual(['string']);
    expect(tokens).toHaveLength(name === 'callbacks-twice' ? 2 : 1);
  } finally {
    await setup.close();
  }
});

test('a dropped request gets its 200, shows nothing and sends no callback', async () => {
  const setup = await openAlteredSetup({ faults: ['stale-requests-dropped'] });
  try {
    const { status, body } = await setup.authorize({ iat: setup.now() - 400 });
    expect(status).toBe(200);
    const path = `/requests/${asText(body['auth_req_id'])}`;
    expect((await setup.admin('GET', path)).body['card']).toMatchObject({ shown: false });
    expect((await setup.admin('POST', `${path}/approve`)).status).toBe(409);
    await setup.move(600);
    expect(setup.callbacks).toEqual([]);
  } finally {
    await setup.close();
  }
});

test('a variant is applied by its name', async () => {
  const setup = await openAlteredSetup({ faults: ['granted-as-digits'] });
  try {
    expect((await setup.authorize()).body['expires_in']).toBe('300');
  } finally {
    await setup.close();
  }
});

test('an unknown variant names those near it', async () => {
  await expect(openAlteredSetup({ faults: ['slow-answer'] })).rejects.toThrow(
    'there is no fault slow-answer; did you mean slow-answers?',
  );
});
