import type { ScriptedResponse } from '../../model/suite.ts';
import { describe, expect, test } from 'vitest';
import { buildClient } from '../../testing/parts/keys.ts';
import { buildExpectation, buildRuleText, buildScenario, buildStep, suitePosition } from '../../testing/parts/suite.ts';
import { createRuleBook } from '../../judge/rule-book.ts';
import { buildTarget } from '../../testing/parts/target.ts';
import { buildServices } from '../../testing/parts/services.ts';
import { buildResponse } from '../../testing/parts/observations.ts';
import type { CorrelationKeys } from '../../model/interface.ts';
import type { Inbound } from '../../wire/receive/receiver.ts';
import type { CallbackObservation } from '../../judge/observation.ts';
import type { InvariantJudge } from '../../judge/invariants.ts';
import { listenForCase } from '../case/deliveries.ts';
import { awaitDeliveries } from '../act/await.ts';
import type { CaseContext, RunServices } from '../context/case-context.ts';
import { closeInboxes, createInbox, eventKey, openInbox, requestHistory, requestLogName } from '../context/inbox.ts';
import { openContext } from '../context/open-context.ts';
import { omitUndefined } from '../../lib/json.ts';
import { onDelivery } from './recipients.ts';
import { afterSeconds, wholeMillis } from '../../lib/time.ts';

// Form of the digits that these services draw.
const bearer = 'abababababababab';
/** Value of a suite, which is public. */
const state = '0012345678901234567890';
const sub = '001010-8f3a1c5e9b7d4e20a6c1';
const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const setOf = (claims: object): string =>
  JSON.stringify({ set: `${part({ alg: 'RS256', typ: 'set+jwt' })}.${part(claims)}.AAAA` });

/** Case that awaits a callback and an event. Its URIs are guessable, and only `sources` can lock the receiver. */
function listening(
  { carrierKeys, ...parts }: Partial<RunServices> = {},
  sources?: readonly string[],
  keys: CorrelationKeys = { bearer, state },
  receiver: readonly ScriptedResponse[] = [],
) {
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
    case: buildScenario('waits', { receiver }),
    assignment: { client, second: undefined, subscriber },
  });
  const key = eventKey('main', sub);
  ctx.state.events.set(key, createInbox());
  services.registry.events.set(key, ctx);
  const inbox = openInbox(ctx, 'request', keys, named);
  /** A second case under way, whose refused request named the same URIs. */
  const other = (): CaseContext => {
    const also = openContext(services, {
      case: buildScenario('waits-too'),
      assignment: { client, second: undefined, subscriber },
    });
    openInbox(also, 'request', {}, named).settle(buildResponse({ outcome: 'denied' }));
    return also;
  };
  const send = (parts: Partial<Inbound> & { readonly text?: string }) => {
    const body = Buffer.from(parts.text ?? '');
    const inbound = { method: 'POST', target: '/si/notify', headers: [], body, bytes: body.length };
    return onDelivery({ ...inbound, from: '192.0.2.1', isCertified: false, receivedAt: 0, ...parts }, services);
  };
  return { services, ctx, other, inbox, send, asked: () => asked, heard: () => ctx.state.messages.length };
}

const drawn = '/si/notifyabababababababab';
const inCapitals = '/SI/NOTIFY/ABABABABABABABAB';
/** URIs that the request names: two that the run drew, one that can be guessed, and the event endpoint. */
const named = [drawn, inCapitals, '/si/notify/', '/events'].map((path) => `http://127.0.0.1:8443${path}`);

const json = (value: object): string => JSON.stringify(value);
const large = 'x'.repeat(100_000);

describe('what comes to no lock', () => {
  test.each([
    ['the bearer token of a request', { headers: [['Authorization', `Bearer ${bearer}`]] as const, text: '{}' }],
    [
      'it, with a body that nobody would send',
      { headers: [['Authorization', `Bearer ${bearer}`]] as const, text: large },
    ],
  ])('is for the case where it has %s', async (_, parts) => {
    const { send, heard, services } = listening();
    await send(parts);
    expect([heard(), services.state.unsolicited.length, services.state.around.count]).toEqual([1, 0, 0]);
  });

  test.each([
    ['a state that anybody could read', { text: json({ state, error: 'request_denied' }) }],
    ['a bearer token that is not known', { headers: [['Authorization', 'Bearer 1']] as const, text: '{}' }],
    ['tokens', { text: json({ access_token: 'a', id_token: 'b' }) }],
    ['the sub of a subscriber, which results publish', { target: '/events', text: setOf({ sub }) }],
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

  test.each([
    ['sub', { sub }],
    ['sub_id', { sub_id: { format: 'iss_sub', iss: 'x', sub } }],
    ['opaque sub_id', { sub_id: { format: 'opaque', id: sub } }],
  ])('an event that the carrier has signed is for the case that awaits its %s', async (_, claims) => {
    const { send, heard } = listening({ carrierKeys: { signed: () => Promise.resolve(true) } });
    await send({ target: '/events', text: setOf(claims) });
    expect(heard()).toBe(1);
  });

  test('a signed event that no case awaits is no stranger, so cases that await others keep their verdict', async () => {
    const { send, services, ctx } = listening({ carrierKeys: { signed: () => Promise.resolve(true) } });
    services.registry.events.delete(eventKey('main', sub));
    services.registry.events.set(eventKey('main', 'another'), ctx);
    await send({ target: '/events', text: setOf({ sub }) });
    expect([services.state.unsolicited.length, services.state.around.events.has('main')]).toEqual([1, false]);
  });

  test.each([
    ['16 characters that the run has no like of', 'ccid-0123456789a', [], 1],
    ['15 characters', 'ccid-0123456789', [], 0],
    ['12 other characters than the id before', 'ccid-abcdefghijkl', ['ccid-0123456789ab'], 1],
    ['11 other characters than the id before, as if counted up', 'ccid-abcdefghijkb', ['ccid-0123456789ab'], 0],
  ])('an id with %s', async (_, id, before, expected) => {
    const { send, heard, services } = listening({}, undefined, { authReqId: id });
    for (const one of [...before, id]) services.state.requestIds.add(one);
    await send({ text: json({ auth_req_id: id }) });
    expect(heard()).toBe(expected);
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
});

test('a delivery that we answer late is held only as long as its sender waits', async () => {
  const { send, services } = listening({}, undefined, undefined, [{ status: 200, delay: 1 }]);
  const gone = new AbortController();
  const sent = send({ headers: [['Authorization', `Bearer ${bearer}`]], text: '{}', gone: gone.signal });
  await expect.poll(() => services.state.held).toBe(1);
  gone.abort();
  expect(services.state.held).toBe(0);
  await sent;
  expect(services.state.held).toBe(0);
});

test.each(['OPTIONS', 'HEAD', 'GET'])(
  'an empty %s of the carrier is neither an event nor a callback (P27)',
  async (method) => {
    const { send, heard, services } = listening({}, ['192.0.2.1']);
    services.destinations.forget(named);
    await send({ method, target: '/events' });
    await send({ method, target: '/events?challenge=abc' });
    await send({ method, headers: [['Authorization', `Bearer ${bearer}`]] });
    expect([heard(), services.state.unsolicited.length, services.state.around.count]).toEqual([0, 3, 0]);
    await send({ method, target: '/si/notify?error=x', headers: [['Authorization', `Bearer ${bearer}`]] });
    expect(heard()).toBe(1);
    const { set } = JSON.parse(setOf({ sub })) as { readonly set: string };
    await send({ method, target: `/events?set=${set}` });
    expect([heard(), services.state.unsolicited.length]).toEqual([2, 3]);
  },
);

/** Another case, which raised its events last. */
function openLater(ctx: CaseContext): CaseContext {
  const { services, client, subscriber } = ctx;
  const other = openContext(services, {
    case: buildScenario('another'),
    assignment: { client, second: undefined, subscriber },
  });
  other.state.eventsRaised.set(subscriber.name, afterSeconds(ctx.now(), 1));
  return other;
}

describe('an event about another user of the SP', () => {
  const other = '001010-00000000000000000000';
  const rules = createRuleBook([buildRuleText('EVT-030')]);
  const open = () => {
    const listener = listening({ carrierKeys: { signed: () => Promise.resolve(true) }, rules });
    listener.ctx.state.eventsRaised.set(listener.ctx.subscriber.name, listener.ctx.now());
    return listener;
  };
  const awaited = async (outcome: 'delivered' | 'silence', subs: readonly string[], { ctx, send } = open()) => {
    for (const one of subs) await send({ target: '/events', text: setOf({ sub: one, events: ['device_change'] }) });
    const until = { source: '', position: suitePosition, paths: [], evaluate: () => afterSeconds(ctx.now(), 0.2) };
    const step = buildStep({ expectations: [buildExpectation({ outcome })] });
    const seen = await awaitDeliveries({ what: 'events', until }, step, ctx);
    return seen.kind === 'events' ? seen.deliveries.map(({ set }) => set?.['sub']) : [];
  };

  test('is not taken for the one that is awaited', async () =>
    expect(await awaited('delivered', [other, sub])).toEqual([sub]));

  test('breaks the rule of the subject where the one that is awaited does not come, and no other (P25)', async () => {
    const listener = open();
    await expect(awaited('delivered', [other], listener)).rejects.toThrow('an event came, and its sub is not that of ');
    expect(listener.ctx.state.findings).toMatchObject([
      { rule: 'EVT-030', path: 'set.sub', expected: sub, actual: other },
    ]);
  });

  test('breaks no rule where it is of another kind', async () => {
    const { ctx, send } = open();
    await send({ target: '/events', text: setOf({ sub: other, events: ['verification'] }) });
    const until = { source: '', position: suitePosition, paths: [], evaluate: () => afterSeconds(ctx.now(), 0.2) };
    const step = buildStep({ expectations: [buildExpectation({ outcome: 'delivered' })] });
    await awaitDeliveries({ what: 'events', event: 'device_change', until }, step, ctx);
    expect(ctx.state.findings).toEqual([]);
  });

  test('is not said not to have come where one came that cannot be read (P25)', async () => {
    const listener = open();
    listener.ctx.services.registry.events.set(eventKey('main', 'of-another-case'), openLater(listener.ctx));
    await listener.send({ target: '/events', text: '\ufeff{}' });
    await expect(awaited('delivered', [], listener)).rejects.toThrow('an event came that cannot be read');
    expect(listener.ctx.state.findings).toEqual([]);
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

describe('a delivery at a URI that the request named and the client did not register', () => {
  const refused = buildResponse({ outcome: 'denied', sentAt: 0 });
  const broken = { target: drawn, text: '\u0000{' };

  test.each([
    ['with nothing in it', {}],
    ['with a broken body', broken],
    ['with a body that nobody would send', { target: drawn, text: large }],
    ['with a method that is none of a callback', { target: drawn, method: 'GET' }],
    ['with a query that the carrier added', { target: `${drawn}?error=invalid_request` }],
    ['with its digits in capitals', { target: inCapitals }],
  ])('is for the case %s', async (_, parts) => {
    const { send, inbox, heard, services } = listening();
    inbox.settle(refused);
    await send({ target: drawn, ...parts });
    expect([heard(), services.state.unsolicited.length]).toEqual([1, 0]);
    await expect.poll(() => inbox.deliveries).toMatchObject([{ stray: true, sent: { outcome: 'denied' } }]);
  });

  test('has no form to judge: it must not come', async () => {
    const onCallback: CallbackObservation[] = [];
    const { invariants } = buildServices(buildTarget());
    const judge = { ...invariants, onCallback: (one: CallbackObservation) => void onCallback.push(one) };
    const { send, inbox } = listening({ invariants: judge });
    inbox.settle(refused);
    await send({ target: drawn, headers: [['Authorization', `Bearer ${bearer}`]], text: '{}' });
    await send({ target: drawn, text: '{}' });
    await send({ headers: [['Authorization', `Bearer ${bearer}`]], text: '{}' });
    await expect.poll(() => onCallback.map(({ stray }) => stray)).toEqual([true, true, undefined]);
  });

  test('is a callback like any other where the request was accepted and it names this request', async () => {
    const { send, inbox } = listening();
    inbox.settle(buildResponse({ outcome: 'accepted' }));
    await send({ target: drawn, headers: [['Authorization', `Bearer ${bearer}`]], text: '{}' });
    await send({ target: drawn, text: '{}' });
    await expect.poll(() => inbox.deliveries.map(({ stray }) => stray)).toEqual([undefined, true]);
  });

  test.each<[string, readonly string[] | undefined, number]>([
    ['shows nothing where anybody can guess it: the case has no verdict', undefined, 0],
    ['is for the case where it comes from the carrier', ['192.0.2.1'], 1],
  ])('%s', async (_, sources, expected) => {
    const { send, inbox, ctx, heard } = listening({}, sources);
    inbox.settle(refused);
    await send({ target: '/si/notify/' });
    expect(heard()).toBe(expected);
    if (expected === 1) expect(ctx.state.incomplete).toBeUndefined();
    else
      expect(ctx.state.incomplete).toBe(
        'no delivery to /si/notify/, which the case named, could be attributed to the carrier, but one came: register URIs with an unguessable part, or set receiver.sources or receiver.clients',
      );
  });

  test.each<[string, readonly string[] | undefined]>([
    ['without a lock', undefined],
    ['with a lock', ['192.0.2.1']],
  ])('at a URI that two cases under way have named, %s: no case can pass by the other', async (_, sources) => {
    const { send, inbox, ctx, other } = listening({}, sources);
    inbox.settle(refused);
    const second = other();
    await send({ target: '/si/notify/' });
    const isLocked = sources !== undefined;
    expect(
      [ctx, second].map(({ state: { messages, incomplete, again } }) => [
        messages.length,
        incomplete !== undefined,
        again,
      ]),
    ).toEqual([
      [0, true, isLocked],
      [isLocked ? 1 : 0, !isLocked, false],
    ]);
  });

  test.each([
    ['empty', '', 'request'],
    ['a callback', '{"error":"invalid_request"}', 'request'],
    ['an event', setOf({ sub }), 'events'],
    ['anything else', '{}', 'events'],
  ])('at the event endpoint, %s', async (_, text, step) => {
    const { send, inbox, ctx } = listening({}, ['192.0.2.1']);
    inbox.settle(refused);
    await send({ target: '/events', text });
    expect(ctx.state.messages).toMatchObject([{ step }]);
  });

  test.each<[string, readonly string[] | undefined, readonly string[]]>([
    ['without a lock, at the URI that cannot be guessed', undefined, [drawn]],
    ['with a lock, at each URI that is no event endpoint', ['192.0.2.1'], [drawn, '/si/notify/']],
  ])('is judged by the invariants when the case is over, %s, and listed as unsolicited', async (_, sources, judged) => {
    const seen: unknown[] = [];
    const { invariants } = buildServices(buildTarget());
    const judge: InvariantJudge = {
      ...invariants,
      onCallback: ({ stray, message, target }, { caseId }) => void seen.push({ stray, message, target, caseId }),
    };
    const { send, inbox, ctx, heard, services } = listening({ invariants: judge }, sources);
    services.registry.events.clear();
    inbox.settle(refused);
    closeInboxes(ctx);
    for (const target of [drawn, '/si/notify/', '/events']) await send({ target });
    expect(seen).toEqual(judged.map((target) => ({ stray: true, message: '', target, caseId: 'waits' })));
    expect([heard(), services.state.unsolicited.length]).toEqual([0, 3]);
  });

  test('a canary is for its case until the case is over', async () => {
    const { send, ctx, heard, services } = listening();
    listenForCase(ctx)();
    await send({ target: ctx.canary.path, method: 'GET' });
    expect([heard(), ctx.canary.inbox.deliveries.length]).toEqual([1, 1]);
    closeInboxes(ctx);
    await send({ target: ctx.canary.path, method: 'GET' });
    expect([heard(), services.state.unsolicited.length]).toEqual([1, 1]);
  });
});

describe('a callback that does not come', () => {
  const awaited = async (outcome: 'completed' | 'silence', parts: Partial<Inbound>, sources?: readonly string[]) => {
    const { ctx, inbox, send } = listening({}, sources);
    inbox.settle(buildResponse({ sentAt: ctx.now() / 1000, client: 'main' }));
    ctx.state.lastRequest = 'request';
    await send(parts);
    const until = { source: '', position: suitePosition, paths: [], evaluate: () => wholeMillis(ctx.now() + 100) };
    const step = buildStep({ expectations: [buildExpectation({ outcome })] });
    return awaitDeliveries({ what: 'callback', until }, step, ctx).then(
      ({ summary = '' }: { readonly summary?: string }) => summary,
      ({ message }: Error) => message,
    );
  };
  const unattributed = /^no callback could be attributed to the carrier: /;

  test('may be one that nothing attributes, where there is no lock', async () =>
    expect(await awaited('completed', {})).toMatch(unattributed));

  test.each<[string, Parameters<typeof awaited>]>([
    ['is missing where there is a lock', ['completed', {}, ['198.51.100.7']]],
    ['is missing where only others were called', ['completed', { target: '/elsewhere' }]],
    ['is missing where no callback came, but a look at the URI', ['completed', { method: 'GET' }]],
    ['is silence, as expected', ['silence', {}]],
  ])('%s', async (_, given) => expect(await awaited(...given)).toMatch(/^no callback within 0 s$/));
});

test('nothing that comes after another case refused a delivery may be the work of a carrier that switched the endpoint off', async () => {
  const { services, ctx, send } = listening({}, ['192.0.2.1']);
  const refusing = openContext(services, {
    case: buildScenario('refuses', { eventReceiver: [{ status: 503 }] }),
    assignment: { client: ctx.client, second: undefined, subscriber: ctx.subscriber },
  });
  const until = { source: '', position: suitePosition, paths: [], evaluate: () => wholeMillis(ctx.now() + 100) };
  const summaryOf = async (one: CaseContext): Promise<string | undefined> => {
    const observed = await awaitDeliveries({ what: 'events', until }, buildStep({}), one);
    return 'summary' in observed ? observed.summary : undefined;
  };
  expect(await summaryOf(ctx)).toBe('no event within 0 s');
  refusing.state.events.set(eventKey('main', sub), createInbox());
  services.registry.events.set(eventKey('main', sub), refusing);
  await send({ target: '/events', text: setOf({ sub }) });
  expect(await summaryOf(ctx)).toBe(
    'no event within 0 s; nothing has come to this endpoint since it answered 503 in refuses: the carrier may have switched it off',
  );
  services.registry.events.set(eventKey('main', sub), ctx);
  await send({ target: '/events', text: setOf({ sub }) });
  await expect.poll(() => summaryOf(ctx)).not.toMatch(/^no event/);
  expect(await summaryOf(ctx)).toBe('no event within 0 s');
});

test.each([
  [5.5, true],
  [4.5, undefined],
])('%d s before the end of a request, a person is known to have acted: %s', (left, done) => {
  const { ctx, inbox, services } = listening();
  const sent = buildResponse({ sentAt: ctx.now() / 1000 - 300 + left, granted: 300, client: 'main' });
  const call = { action: 'approve', at: 0, request: requestLogName(sent, services), client: 'main', given: {} };
  services.state.calls.begin({ ...call, attended: true }, ctx.subscriber.name)(true);
  expect(requestHistory(inbox, sent).calls).toEqual([
    { ...call, attended: true, ...(done === undefined ? {} : { done }) },
  ]);
});
