import { describe, expect, test } from 'vitest';
import { buildClient } from '../../testing/parts/keys.ts';
import { buildExpectation, buildScenario, buildStep, suitePosition } from '../../testing/parts/suite.ts';
import { buildTarget } from '../../testing/parts/target.ts';
import { buildServices } from '../../testing/parts/services.ts';
import type { Inbound } from '../../wire/receive/receiver.ts';
import { awaitDeliveries } from '../act/await.ts';
import type { RunServices } from '../context/case-context.ts';
import { createInbox, eventKey, openInbox } from '../context/inbox.ts';
import { openContext } from '../context/open-context.ts';
import { omitUndefined } from '../../lib/json.ts';
import { onDelivery } from './recipients.ts';

// Form of the digits that these services draw.
const bearer = 'abababababababab';
/** Value of a suite, which is public. */
const state = '0012345678901234567890';
const sub = '001010-8f3a1c5e9b7d4e20a6c1';
const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const setOf = (claims: object): string =>
  JSON.stringify({ set: `${part({ alg: 'RS256', typ: 'set+jwt' })}.${part(claims)}.AAAA` });

/** Case that awaits a callback and an event. Its URIs are guessable, and only `sources` can lock the receiver. */
function listening({ carrierKeys, ...parts }: Partial<RunServices> = {}, sources?: readonly string[]) {
  const target = buildTarget({
    clients: [buildClient({ eventUri: '/events' })],
    receiver: { host: '127.0.0.1', port: 0, ...omitUndefined({ sources }) },
  });
  let asked = 0;
  const services = buildServices(target, {
    carrierKeys: {
      signed: () => {
        asked += 1;
        return Promise.resolve(false);
      },
      ...carrierKeys,
    },
    ...parts,
  });
  const [client, subscriber] = [target.clients[0], target.subscribers[0]];
  if (client === undefined || subscriber === undefined) throw new Error('no client or subscriber');
  const ctx = openContext(services, {
    case: buildScenario('waits'),
    assignment: { client, second: undefined, subscriber },
  });
  const key = eventKey('main', sub);
  ctx.state.events.set(key, createInbox());
  services.registry.events.set(key, ctx);
  openInbox(ctx, 'request', { bearer, state });
  const send = (parts: Partial<Inbound> & { readonly text?: string }) => {
    const body = Buffer.from(parts.text ?? '');
    const inbound = { method: 'POST', target: '/si/notify', headers: [], body, bytes: body.length };
    return onDelivery({ ...inbound, from: '192.0.2.1', isCertified: false, receivedAt: 0, ...parts }, services);
  };
  return { services, ctx, send, asked: () => asked, heard: () => ctx.state.messages.length };
}

const json = (value: object): string => JSON.stringify(value);
const large = 'x'.repeat(100_000);

describe('what comes to no lock', () => {
  test.each([
    ['the bearer token of a request', { headers: [['Authorization', `Bearer ${bearer}`]] as const, text: '{}' }],
    [
      'it, with a body that nobody would send',
      { headers: [['Authorization', `Bearer ${bearer}`]] as const, text: large },
    ],
    ['the sub of a subscriber', { target: '/events', text: setOf({ sub }) }],
    ['it as sub_id alone', { target: '/events', text: setOf({ sub_id: { format: 'iss_sub', iss: 'x', sub } }) }],
    ['it as an opaque id', { target: '/events', text: setOf({ sub_id: { format: 'opaque', id: sub } }) }],
  ])('is for the case where it has %s', async (_, parts) => {
    const { send, heard, services } = listening();
    await send(parts);
    expect([heard(), services.state.unsolicited.length, services.state.around.count]).toEqual([1, 0, 0]);
  });

  test.each([
    ['a state that anybody could read', { text: json({ state, error: 'request_denied' }) }],
    ['a bearer token that is not known', { headers: [['Authorization', 'Bearer 1']] as const, text: '{}' }],
    ['tokens', { text: json({ access_token: 'a', id_token: 'b' }) }],
    ['an event about nobody', { target: '/events', text: setOf({ aud: 'ccid-conftestclient01' }) }],
    ['an event about another', { target: '/events', text: setOf({ sub: '001010-00000000000000000000' }) }],
    ['rubbish', { target: '/events', text: '\u0000' }],
    ['nothing', { method: 'GET' }],
    ['an event that is very long', { target: '/events', text: setOf({ sub, large }) }],
    ['a coding', { target: '/events', headers: [['Content-Encoding', 'gzip']] as const, text: setOf({ sub }) }],
    ['a path that is no canary', { target: '/canary/abababababababaa' }],
  ])('is for no case where it has %s', async (_, parts) => {
    const { send, heard, services } = listening();
    expect(await send(parts)).toEqual({ status: 200 });
    expect([heard(), services.state.unsolicited.length, services.state.around.count]).toEqual([0, 1, 1]);
    expect(services.state.unsolicited[0]?.stranger).toBe(true);
    expect(services.state.around.events.has('main')).toBe('target' in parts && parts.target === '/events');
  });

  test.each<[string, boolean]>([
    ['anybody', false],
    ['the carrier', true],
  ])('an event with the sub of a subscriber from elsewhere, where there is a lock, signed by %s', async (_, signed) => {
    const parts = { target: '/events', text: setOf({ sub }) };
    const { send, heard, services } = listening({ carrierKeys: { signed: () => Promise.resolve(signed) } }, [
      '198.51.100.7',
    ]);
    await send(parts);
    expect([heard(), services.state.around.count]).toEqual(signed ? [1, 0] : [0, 1]);
    await send({ ...parts, from: '198.51.100.7' });
    expect(heard()).toBe(signed ? 2 : 1);
  });

  test('is for the case if the carrier has signed it and it names no subscriber', async () => {
    const { send, heard } = listening({ carrierKeys: { signed: () => Promise.resolve(true) } });
    await send({ target: '/events', text: setOf({ aud: 'x' }) });
    expect(heard()).toBe(1);
  });

  test('asks for no keys where no case waits for an event', async () => {
    const { send, services, asked } = listening();
    services.registry.events.clear();
    await send({ target: '/events', text: setOf({ aud: 'x' }) });
    expect(asked()).toBe(0);
  });
});

describe('an event about another user of the SP', () => {
  const other = '001010-00000000000000000000';
  const awaited = async (outcome: 'delivered' | 'silence', subs: readonly string[]) => {
    const { ctx, send } = listening({ carrierKeys: { signed: () => Promise.resolve(true) } });
    for (const one of subs) await send({ target: '/events', text: setOf({ sub: one, events: ['device_change'] }) });
    const until = { source: '', position: suitePosition, paths: [], evaluate: () => ctx.now() / 1000 + 0.2 };
    const step = buildStep({ expectations: [buildExpectation({ outcome })] });
    const seen = await awaitDeliveries({ what: 'events', until }, step, ctx);
    return seen.kind === 'events' ? seen.deliveries.map(({ set }) => set?.['sub']) : [];
  };

  test('is not taken for the one that is awaited', async () => {
    expect(await awaited('delivered', [other, sub])).toEqual([sub]);
  });

  test('is the one that is awaited where no other comes: its sub is wrong', async () => {
    expect(await awaited('delivered', [other])).toEqual([other]);
  });

  test('breaks no silence', async () => {
    expect(await awaited('silence', [other])).toEqual([]);
    expect(await awaited('silence', [other, sub])).toEqual([sub]);
  });

  test('takes no response out of the script', async () => {
    const { ctx, send } = listening({ carrierKeys: { signed: () => Promise.resolve(true) } });
    const scripted = openContext(ctx.services, {
      case: buildScenario('scripted', { eventReceiver: [{ status: 503 }, { status: 200 }] }),
      assignment: { client: ctx.client, second: undefined, subscriber: ctx.subscriber },
    });
    scripted.state.events.set(eventKey('main', sub), createInbox());
    ctx.services.registry.events.set(eventKey('main', sub), scripted);
    expect((await send({ target: '/events', text: setOf({ sub: other }) })).status).toBe(503);
    expect((await send({ target: '/events', text: setOf({ sub }) })).status).toBe(503);
  });
});

test('a case keeps two thousand messages, and has no verdict where more came', async () => {
  const { send, ctx, heard } = listening();
  const delivery = { headers: [['Authorization', `Bearer ${bearer}`]] as const, text: '{}' };
  for (let at = 0; at < 2000; at += 1) await send(delivery);
  expect([heard(), ctx.state.incomplete]).toEqual([2000, undefined]);
  expect((await send(delivery)).status).toBe(200);
  expect(heard()).toBe(2000);
  expect(ctx.state.incomplete).toMatch(/^more than 2000 messages: /);
});

test('a thousand strangers are counted, and a hundred are kept', async () => {
  const { send, services, heard } = listening();
  for (let at = 0; at < 1000; at += 1) await send({ target: '/events', text: setOf({ jti: at }) });
  const { deliveries, unsolicited, around } = services.state;
  expect([deliveries, unsolicited.length, around.count, heard()]).toEqual([1000, 100, 1000, 0]);
});

test('beyond a thousand in a second, connections are closed and counted', async () => {
  const { send, services } = listening();
  const answers: boolean[] = [];
  services.state.around.second.begun = performance.now() + 60_000;
  for (let at = 0; at < 1100; at += 1) answers.push((await send({ method: 'GET' })).reset === true);
  expect(answers.indexOf(true)).toBe(1000);
  expect(answers.filter(Boolean)).toHaveLength(100);
  expect(services.state.around.count).toBe(1100);
  expect(await send({ headers: [['Authorization', `Bearer ${bearer}`]], text: '{}' })).toEqual({ status: 200 });
});

test('strangers are not what the clock waits for', async () => {
  let entered = 0;
  const { timeline } = buildServices(buildTarget());
  const counting = {
    ...timeline,
    enter: () => {
      entered += 1;
    },
  };
  const { send } = listening({ timeline: counting });
  await send({ method: 'GET' });
  expect(entered).toBe(0);
  await send({ headers: [['Authorization', `Bearer ${bearer}`]], text: '{}' });
  expect(entered).toBeGreaterThan(0);
});

test('an unsolicited delivery shows neither the tokens of cases nor the secrets of clients', async () => {
  const { send, services, ctx } = listening();
  services.secrets.keep('client_secret', 'the secret of a client');
  ctx.redactor.learn('token', 'opaque-Zk3vQ9xT1mW8');
  await send({
    target: '/nowhere?token=opaque-Zk3vQ9xT1mW8',
    headers: [['X-Debug', 'the secret of a client']],
    text: 'opaque-Zk3vQ9xT1mW8',
  });
  const kept = JSON.stringify(services.state.unsolicited);
  expect(kept).not.toMatch(/Zk3vQ9xT1mW8|the secret of a client/);
  expect(kept.match(/\[token sha256:/g)).toHaveLength(2);
});
