import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { createAlteredCarrier } from '../reference/altered-carrier.ts';
import { findFreePort } from '../../setup/reference.ts';
import { readTarget } from '../../setup/read-files.ts';
import type { Target } from '../../model/target.ts';
import { type DrawnChoices, drawCarrier, type DrawnCarrier, writeDrawnCarrier } from './draw.ts';
import { readFreedoms } from './freedoms.ts';

const freedoms = readFreedoms();
const ports = { public: 20_001, admin: 20_002, receiver: 20_003 };
const draw = (choices: DrawnChoices): DrawnCarrier => drawCarrier(freedoms, choices, ports);
const plain = draw({});

function targetOf(drawn: DrawnCarrier): Target {
  const file = writeDrawnCarrier(drawn, mkdtempSync(`${tmpdir()}/carrierspec-drawn-`));
  return readTarget(file, drawn.env);
}

/** The same choice of every freedom, counted from the plain one. */
const all = (at: number): DrawnChoices =>
  Object.fromEntries(freedoms.map(({ id, choices }) => [id, choices[at % choices.length]?.name ?? '']));

test('the same choices draw the same carrier', () => {
  expect(draw(all(2))).toEqual(draw(all(2)));
});

test('the plain choices draw the reference carrier', () => {
  const { options } = draw(all(0));
  expect(options).toMatchObject({ variants: {}, faults: [], server: {}, addresses: { paths: {} } });
  expect(draw(all(0))).toEqual(draw({}));
});

test.each(freedoms.flatMap(({ id, choices }) => choices.slice(1).map(({ name }) => ({ id, name }))))(
  '$id/$name differs from the plain carrier',
  ({ id, name }) => {
    const drawn = draw({ [id]: name });
    expect([drawn.options, drawn.target, drawn.files]).not.toEqual([plain.options, plain.target, plain.files]);
  },
);

test.each([1, 2, 3])('the target file of drawing %s is right, and names what the carrier has registered', (at) => {
  const drawn = draw(all(at));
  const target = targetOf(drawn);
  const { clients = [] } = JSON.parse(JSON.stringify(drawn.options.registrations)) as {
    clients?: { client_id: string; redirect_uris: string[]; keys: { kid: string }[] }[];
  };
  expect(target.clients.map(({ clientId }) => clientId)).toEqual(clients.map(({ client_id: id }) => id));
  expect(target.clients.map(({ redirectUris }) => redirectUris)).toEqual(
    clients.map(({ redirect_uris: uris }) => uris),
  );
  const kids = target.clients.map(({ keys }) => keys.map(({ kid }) => kid));
  expect(kids).toEqual(clients.map(({ keys }) => keys.map(({ kid }) => kid)));
  const subs = target.subscribers.flatMap((one) => Object.values(one.subs));
  expect(new Set(subs).size).toBe(subs.length);
});

test('a drawn carrier publishes itself where its target file looks', async () => {
  const drawn = drawCarrier(
    freedoms,
    { 'base-path': 'deep', 'endpoint-paths': 'others', 'own-codes': 'four', 'header-case': 'upper' },
    { public: await findFreePort(), admin: await findFreePort(), receiver: await findFreePort() },
  );
  const carrier = await createAlteredCarrier({ ...drawn.options, clock: 'virtual' });
  try {
    const target = targetOf(drawn);
    const query = `client_id=${target.clients[0]?.clientId}&mccmnc=31099`;
    const response = await fetch(`${target.discovery}/.well-known/openid_configuration?${query}`);
    expect(await response.json()).toMatchObject({
      issuer: target.discovery,
      token_endpoint: `${target.discovery}/as/token.oauth2`,
      mccmnc: '31099',
    });
  } finally {
    await carrier.close();
  }
});

test('a choice and a freedom that are not there are refused', () => {
  expect(() => draw({ 'callback-latency': 'never' })).toThrow('the freedom callback-latency has no choice never');
  expect(() => draw({ weather: 'fine' })).toThrow('there is no freedom weather');
});
