import { describe, expect, test } from 'vitest';
import { unguessableParts } from '../../lib/unguessable-part.ts';
import { buildClient } from '../../testing/parts/keys.ts';
import { buildTarget } from '../../testing/parts/target.ts';
import { createReceiverLock } from '../receive/lock.ts';
import { checkLocks, checkSources, warnOfOpenUris } from './receiver.ts';

const drawn = '3f9a41c07be25d8816f0a2d4c97e1b35';
const receiver = { host: '127.0.0.1', port: 0 };
const guessed = buildClient({ notificationUris: ['/si/notify', '/si/other'], eventUri: '/events' });
const lockedClient = buildClient({ notificationUris: [`/main/${drawn}/notify`], eventUri: `/main/${drawn}/events` });

const notesFor = (parts: Parameters<typeof buildTarget>[0]) =>
  checkLocks(buildTarget({ receiver, ...parts })).map(({ about, state }) => `${about}: ${state}`);

describe('the lock of the receiver', () => {
  test.each<[string, Parameters<typeof buildTarget>[0], string]>([
    ['drawn parts', { clients: [lockedClient] }, 'by unguessable parts of the registered URIs'],
    ['addresses', { clients: [guessed], receiver: { ...receiver, sources: ['192.0.2.0/24'] } }, 'receiver.sources'],
    ['certificates', { clients: [guessed], receiver: { ...receiver, clientAuthorities: 'PEM' } }, 'receiver.clients'],
  ])('by %s is said once', (_, parts, words) => {
    const notes = checkLocks(buildTarget({ receiver, ...parts }));
    expect(notes).toMatchObject([{ about: 'deliveries', state: 'ok' }]);
    expect(notes[0]?.description).toContain(words);
  });

  test('an event endpoint that can be guessed is a warning, notification URIs are mentioned, each with what to register', () => {
    const [event, notification, ...more] = checkLocks(buildTarget({ receiver, clients: [guessed] }));
    expect(more).toEqual([]);
    expect(event).toMatchObject({ about: 'client main', state: 'warning', whose: 'configuration' });
    expect(event?.description).toMatch(/^event_uri \/events can be guessed: what comes there is judged only /);
    expect(event?.change).toMatch(
      /^register \/events\/[\da-f]{32} in its place, or name receiver\.sources or receiver\.clients$/,
    );
    expect(notification).toMatchObject({ about: 'client main', state: 'ok' });
    expect(notification?.description).toMatch(/^\/si\/notify and \/si\/other in notification_uris can be guessed: /);
    expect(notification?.description).toMatch(
      /\/si\/notify\/[\da-f]{32} and \/si\/other\/[\da-f]{32} would be locked$/,
    );
  });

  test.each<[string, Parameters<typeof buildTarget>[0], string | undefined]>([
    ['one URI', { clients: [buildClient({ notificationUris: [], eventUri: '/events' })] }, '/events'],
    ['two', { clients: [buildClient({ notificationUris: ['/n'], eventUri: '/events' })] }, '/events and 1 more URI'],
    ['three of two clients', { clients: [guessed, buildClient({ eventUri: '/e' })] }, '/events and 4 more URIs'],
    ['those without a drawn part', { clients: [lockedClient, buildClient({ notificationUris: ['/n'] })] }, '/n'],
    ['none: all have a drawn part', { clients: [lockedClient] }, undefined],
    ['none: addresses are known', { clients: [guessed], receiver: { ...receiver, sources: ['192.0.2.1'] } }, undefined],
    [
      'none: certificates are known',
      { clients: [guessed], receiver: { ...receiver, clientAuthorities: 'P' } },
      undefined,
    ],
  ])('where it is missing for %s, one line says so and what to do', (_, parts, open) => {
    const expected =
      open &&
      `no lock of the receiver protects ${open}: strangers can guess where to send, and leave cases without a verdict. To tell the carrier's deliveries apart, register URIs with an unguessable part, or set receiver.sources or receiver.clients`;
    expect(warnOfOpenUris(buildTarget({ receiver, ...parts }))).toBe(expected);
  });

  test.each(['/events', '/events/', 'https://sp.test', 'https://sp.test/events?of=main', '/events#of'])(
    'what is advised in place of %s is a lock, and another each time',
    (eventUri) => {
      const adviceOf = (): string => {
        const [note] = checkLocks(
          buildTarget({ receiver, clients: [buildClient({ notificationUris: [], eventUri })] }),
        );
        return /^register (\S+) in its place/.exec(note?.change ?? '')?.[1] ?? '';
      };
      const [one, other] = [adviceOf(), adviceOf()];
      expect(unguessableParts(one)).toHaveLength(1);
      expect(one).not.toBe(other);
      const client = buildClient({ notificationUris: [], eventUri: one });
      expect(createReceiverLock({ receiver, clients: [client] }).kindOf(one)).toBe('segment');
    },
  );

  test('each client has notes of its own; one without URIs has none', () => {
    const clients = [lockedClient, buildClient({ name: 'second', notificationUris: [], eventUri: '/e' })];
    expect(notesFor({ clients })).toEqual(['deliveries: ok', 'client second: warning']);
    expect(notesFor({ clients: [buildClient({ notificationUris: [] })] })).toEqual([]);
  });
});

describe('receiver.sources behind a tunnel', () => {
  const sources = ['192.0.2.0/24'];
  const look = (from: string, url: string, parts: Parameters<typeof buildTarget>[0] = {}) =>
    checkSources(buildTarget({ receiver: { ...receiver, sources }, ...parts }), url, {
      target: '/canary/1',
      from,
      isCertified: false,
    });

  test.each([
    [
      'lets every sender in whose connection ends at the tunnel',
      '192.0.2.7',
      /arrives from 192\.0\.2\.7, one of receiver\.sources: every sender/,
    ],
    ['lets nobody in', '127.0.0.1', /arrives from 127\.0\.0\.1, none of receiver\.sources: nothing is known/],
    ['lets nobody in, on a socket for both families', '::ffff:127.0.0.1', /none of receiver\.sources/],
  ])('%s', (_, from, description) => {
    const [note, ...more] = look(from, 'https://sp.test');
    expect(more).toEqual([]);
    expect(note).toMatchObject({ state: 'warning', about: 'deliveries', whose: 'configuration' });
    expect(note?.description).toMatch(description);
  });

  test('is no matter without a tunnel, without sources, with certificates, and for a carrier on this machine', () => {
    expect(look('198.51.100.3', 'https://sp.test')).toEqual([]);
    expect(look('127.0.0.1', 'https://sp.test', { receiver })).toEqual([]);
    expect(
      look('192.0.2.7', 'https://sp.test', { receiver: { ...receiver, sources, clientAuthorities: 'PEM' } }),
    ).toEqual([]);
    expect(look('127.0.0.1', 'http://localhost:8602')).toEqual([]);
  });
});
