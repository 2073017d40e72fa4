import { describe, expect, test } from 'vitest';
import { buildClient, ecKey, rsaKey } from '../../testing/parts/keys.ts';
import { buildDenial, buildTokens } from '../../testing/parts/observations.ts';
import { buildScenario } from '../../testing/parts/suite.ts';
import { buildTarget } from '../../testing/parts/target.ts';
import { buildServices } from '../../testing/parts/services.ts';
import { createSkewOfOrigins } from '../../wire/send/skew.ts';
import { openContext } from './open-context.ts';
import { deliverTo, openInbox } from './inbox.ts';

import { createTimeline } from '../clock/timeline.ts';
import type { Case } from '../../suite/suites.ts';
import { wholeMillis } from '../../lib/time.ts';

const main = buildClient({ keys: [rsaKey(), ecKey()], secret: 'hush-hush-hush' });
const second = buildClient({ name: 'second', clientId: 'ccid-2', notificationUris: ['https://elsewhere.test/n'] });
const target = buildTarget({
  endpoints: { server_initiated: 'https://op.carrier.test/si' },
  clients: [main, second],
  subscribers: [
    { name: 'first', tags: ['consented'], phone: '+12175550101', subs: { main: '001010-a', second: '001010-b' } },
    { name: 'other', tags: ['second', 'consented'], subs: { main: '001010-c' } },
  ],
});
const [first] = target.subscribers;
if (first === undefined) throw new Error('no subscriber');

const assignment = { client: main, second, subscriber: first };
const ctx = (parts: Partial<Case> = {}, id = 'a-case', services = buildServices(target)) =>
  openContext(services, { case: buildScenario(id, parts), assignment });
const rootOf = (name: string, extra: Record<string, unknown> = {}, where = ctx()) => where.scope(extra).root(name);

describe('what a template sees', () => {
  test('the client: public values only', () => {
    const kid = 'conftestkey01';
    expect(rootOf('client')).toEqual({
      name: 'main',
      client_id: 'ccid-conftestclient01',
      redirect_uri: 'https://sp.test/cb',
      redirect_uris: ['https://sp.test/cb', 'sptest://cb'],
      notification_uri: 'http://127.0.0.1:8443/si/notify',
      notification_uris: ['http://127.0.0.1:8443/si/notify', 'http://127.0.0.1:8443/si/notify-alternate'],
      keys: [
        { kid, alg: 'RS256' },
        { kid: 'b', alg: 'ES256' },
      ],
      key: { kid, alg: 'RS256' },
      flags: { server_initiated: true },
    });
    expect(JSON.stringify(rootOf('clients'))).not.toMatch(/hush|"d"/);
  });

  test('the subscriber as this client knows it, and the others by trait, never the case’s own', () => {
    expect(rootOf('subscriber')).toEqual({
      name: 'first',
      sub: '001010-a',
      subs: { main: '001010-a', second: '001010-b' },
      phone: '+12175550101',
    });
    expect(rootOf('subscribers')).toEqual({
      consented: { name: 'other', sub: '001010-c', subs: { main: '001010-c' } },
      second: { name: 'other', sub: '001010-c', subs: { main: '001010-c' } },
    });
  });

  test.each([
    [undefined, 'https://op.carrier.test/token'],
    ['token_endpoint', 'https://op.carrier.test/token'],
    ['issuer', 'https://op.carrier.test'],
    ['https://op.carrier.test/elsewhere', 'https://op.carrier.test/elsewhere'],
  ])('what the target file declares; client assertions are meant for %s', (written, audience) => {
    const declared = {
      ...target,
      endpoints: { token: 'https://op.carrier.test/token' },
      latency: { event: 900 },
      carrierCodes: { own: ['001010', '001011'], foreign: ['001012'] },
      ...(written === undefined ? {} : { assertionAudience: written }),
    };
    expect(rootOf('target', {}, ctx({}, 'a-case', buildServices(declared)))).toMatchObject({
      latency: { callback: 30, event: 900, sim_swap: 3600, consent: 60 },
      own_codes: ['001010', '001011'],
      foreign_codes: ['001012'],
      assertion_audience: audience,
    });
  });

  test.each(['nothing', 'constructor', '__proto__', 'toString'])('nothing is called %s', (name) =>
    expect(rootOf(name)).toBeUndefined(),
  );

  test('another run has its own receiver, though the registration is the same', () => {
    const of = (receiver: string) => ctx({}, 'a-case', buildServices(target, { receiver })).scope().root('client');
    expect(of('https://one.test')).toMatchObject({ notification_uri: 'https://one.test/si/notify' });
    expect(of('https://two.test')).toMatchObject({ notification_uri: 'https://two.test/si/notify' });
  });
});

describe('now', () => {
  const at = (kind: 'real' | 'virtual') => {
    const skew = createSkewOfOrigins();
    for (let time = 0; time < 3; time += 1)
      skew.observe('https://carrier.test', new Date(3_600_000).toUTCString(), 0, 0);
    const work = { kind, now: () => wholeMillis(1999), schedule: () => () => undefined, idle: () => undefined };
    return ctx({}, 'a-case', buildServices(target, { skew, timeline: createTimeline(work) }))
      .scope()
      .now();
  };

  test('is the carrier’s time in whole seconds: ours, corrected by its Date headers', () =>
    expect(at('real')).toBe(3602));

  test('is ours on a virtual clock, which is the carrier’s', () => expect(at('virtual')).toBe(1));
});

test('an inbox: each delivery wakes all listeners, in order, also those that stop listening meanwhile', () => {
  const inbox = openInbox(ctx(), 'request', {});
  const woken: string[] = [];
  const once = (): void => {
    woken.push('once');
    inbox.listeners.delete(once);
    inbox.listeners.delete(always);
  };
  const always = (): void => void woken.push('always');
  inbox.listeners.add(once).add(always);
  deliverTo(inbox, buildTokens());
  deliverTo(inbox, buildDenial());
  expect(woken).toEqual(['once', 'always']);
  expect(inbox.deliveries.map(({ tokens }) => tokens)).toEqual([true, false]);
  expect(inbox.taken.size).toBe(0);
});
