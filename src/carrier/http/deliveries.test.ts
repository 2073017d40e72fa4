import { createServer } from 'node:https';
import { expect, test } from 'vitest';
import { createCarrier } from '../create-carrier.ts';
import { parties } from '../testing/calls.ts';
import { openSetup, readRegistrations, carrierStart } from '../testing/setup.ts';
import { selfSigned } from '../testing/self-signed.ts';

test.each([
  ['is not trusted', {}, 0],
  ['is by a carrier that checks none', { receiverCertificateChecked: false }, 1],
])('a receiver with a self-signed certificate %s', async (_, variants, expected) => {
  let hits = 0;
  const receiver = createServer(selfSigned, (incoming, outgoing) => {
    hits++;
    incoming.resume();
    outgoing.end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const address = receiver.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const registrations = readRegistrations(`https://127.0.0.1:${port}`);
  const carrier = await createCarrier({ registrations, clock: 'virtual', startAt: carrierStart, variants });
  const setup = await openSetup();
  for (const name of ['second', 'privileged'] as const) {
    const url = `${carrier.adminOrigin}/clients/${parties[name].id}/flags`;
    await setup.send('PUT', url, '{"events":false}', { 'content-type': 'application/json' });
  }
  await setup.send('POST', `${carrier.adminOrigin}/subscribers/first/move-sim`);
  for (;;) {
    const { body } = await setup.send('GET', `${carrier.adminOrigin}/clock`);
    if (body['inFlight'] === 0) break;
  }
  expect(hits).toBe(expected);
  await Promise.all([carrier.close(), setup.close(), new Promise((resolve) => receiver.close(resolve))]);
});
