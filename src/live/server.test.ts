import { connect } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { buildFinding } from '../testing/results/result.ts';
import { buildQuestion, callLive, closeLive, openEvents, openTestLive, postLive } from '../testing/pages/live-page.ts';
import { refusalWords } from './guard.ts';
import { maxStreams } from './streams.ts';

afterEach(closeLive);

const { signal } = new AbortController();
const ann = { person: 'ann-1', name: 'Ann' };
const ben = { person: 'ben-1', name: 'Ben' };

describe('the page', () => {
  test('comes with a policy that lets nothing in from elsewhere, and names nothing that is elsewhere', async () => {
    const { url } = await openTestLive({ subject: 'A <b>carrier</b>' });
    const page = await callLive(url);
    expect(page).toMatchObject({
      status: 200,
      headers: {
        'content-security-policy': expect.stringMatching(
          /^default-src 'none'; script-src 'self'; .*frame-ancestors 'none'/,
        ) as unknown,
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      },
    });
    expect(page.text).toContain('<h1>A &lt;b&gt;carrier&lt;/b&gt;</h1>');
    const paths = [...page.text.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, path = '']) => path);
    expect(paths).toEqual(['style.css', 'live.js']);
  });

  test('has its script in one file', async () => {
    const { url } = await openTestLive();
    const { status, text, headers } = await callLive(new URL('live.js', url).href);
    expect([status, headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8']);
    expect(text).not.toMatch(/^import /m);
  });
});

describe('who is refused', () => {
  test('has another token, host or origin, and is told no more than what is wrong with the address', async () => {
    const { url, operatorWith } = await openTestLive();
    void operatorWith(undefined).ask(buildQuestion(), signal);
    const wrong = url.replace(/.(?=\/$)/, (last) => (last === 'A' ? 'B' : 'A'));
    const answer = { ...ann, question: 'q1', attempt: 'x', word: 'done' };
    const refused = await Promise.all([
      callLive(wrong),
      callLive(new URL('/', url).href),
      postLive(wrong, 'answer', answer),
      callLive(url, { headers: { host: 'evil.example' } }),
      postLive(url, 'answer', answer, { origin: 'https://evil.example' }),
      callLive(`${url}answer`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(answer),
      }),
      callLive(`${url}events?person=a`, { headers: { origin: 'https://evil.example' } }),
    ]);
    expect(refused.map(({ status }) => status)).toEqual([404, 404, 404, 421, 403, 403, 403]);
    const port = Number(new URL(url).port);
    const [token, host] = [refusalWords({ why: 'token' }, port), refusalWords({ why: 'host' }, port)];
    expect(refused.map(({ text }) => text)).toEqual([token, token, token, host, '', '', '']);
    expect(host).toContain(`ssh -L ${port}:127.0.0.1:${port}`);
    expect(refused.slice(0, 4).map(({ headers }) => headers['content-type'])).toEqual(
      Array.from({ length: 4 }, () => 'text/plain; charset=utf-8'),
    );
    expect(refused.map(({ text }) => text).join('')).not.toContain(new URL(url).pathname.replaceAll('/', ''));
    expect((await postLive(url, 'answer', answer)).status).toBe(200);
  });

  test('sends an address that cannot be read: with the same words and headers, and without an echo', async () => {
    const { url } = await openTestLive();
    const { origin, port } = new URL(url);
    const found = await Promise.all([
      callLive(`${origin}/%E0%A4%A`, { headers: { host: 'evil.test' } }),
      callLive(`${origin}/%E0%A4%A`),
    ]);
    expect(found.map(({ status, text }) => [status, text])).toEqual([
      [421, refusalWords({ why: 'host' }, Number(port))],
      [404, refusalWords({ why: 'token' }, Number(port))],
    ]);
    for (const { headers } of found) expect(headers['x-content-type-options']).toBe('nosniff');
  });

  test('opens many connections and sends nothing: the page is there all the same', async () => {
    const { url } = await openTestLive();
    const { hostname, port } = new URL(url);
    const silent = Array.from({ length: 150 }, () => connect(Number(port), hostname).on('error', () => undefined));
    try {
      await Promise.all(silent.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
      expect((await callLive(url)).status).toBe(200);
    } finally {
      for (const socket of silent) socket.destroy();
    }
  });

  test('opens many connections and sends nothing: the stream of an operator stays', async () => {
    const { url } = await openTestLive();
    const { hostname, port, pathname } = new URL(url);
    const dial = () => connect(Number(port), hostname).on('error', () => undefined);
    const stream = dial();
    let read = '';
    stream.on('data', (bytes: Buffer) => {
      read += bytes.toString();
    });
    stream.write(`GET ${pathname}events?person=ann-1 HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`);
    await expect.poll(() => read).toContain('event: desk');
    const silent = Array.from({ length: 150 }, dial);
    try {
      await Promise.all(silent.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
      expect((await callLive(url)).status).toBe(200);
      expect(stream.destroyed).toBe(false);
    } finally {
      for (const socket of [stream, ...silent]) socket.destroy();
    }
  });

  test('sends what is malformed, too long, or in a type that a form could send', async () => {
    const { url, operatorWith } = await openTestLive();
    void operatorWith(undefined).ask(buildQuestion(), signal);
    const good = { ...ann, question: 'q1', attempt: 'x', word: 'done' };
    const bad = [
      [],
      null,
      { ...good, person: 'a b' },
      { ...good, person: 'x'.repeat(65) },
      { ...good, name: 'x'.repeat(41) },
      { ...good, word: 'nothing' },
      { ...good, note: 'x'.repeat(2001) },
      { ...good, note: 7 },
      { ...good, attempt: undefined },
    ];
    for (const body of bad) expect([body, (await postLive(url, 'answer', body)).status]).toEqual([body, 400]);
    expect((await postLive(url, 'answer', good, { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await postLive(url, 'answer', { ...good, more: 'x'.repeat(20_000) })).status).toBe(413);
    expect((await postLive(url, 'answer', { ...good, question: 'q7' })).status).toBe(404);
  });
});

test('the address without its last character leads to the page, for who has the token', async () => {
  const { url } = await openTestLive();
  const bare = url.replace(/\/$/, '');
  const found = await Promise.all([callLive(bare), callLive(`${bare}?from=chat`)]);
  expect(found.map(({ status, headers }) => [status, headers['location']])).toEqual([
    [308, new URL(url).pathname],
    [308, new URL(url).pathname],
  ]);
  const unknown = await callLive(`${url}no-such-file`);
  expect([unknown.status, unknown.text]).toEqual([404, refusalWords({ why: 'token' }, undefined)]);
});

describe('a stream', () => {
  test('begins with the state as it is, then tells what changes', async () => {
    const { url, event, operatorWith } = await openTestLive();
    event({ kind: 'started', cases: 4 });
    const stream = await openEvents(url, 'person=ann-1');
    await expect.poll(() => stream.last('state')).toMatchObject({ cases: 4, done: 0, begun: true });
    event({ kind: 'case-finished', id: 'a', verdict: 'fail' });
    const stop = new AbortController();
    void operatorWith(undefined).ask(buildQuestion(), stop.signal);
    await expect.poll(() => stream.last('state')).toMatchObject({ done: 1, counts: { fail: 1 } });
    await expect.poll(() => stream.last('desk')).toMatchObject({ questions: [{ id: 'q1' }] });
    await postLive(url, 'take', { ...ben, question: 'q1' });
    await expect.poll(() => stream.last('desk')).toMatchObject({ questions: [{ holder: { name: 'Ben' } }] });
    stream.close();
    stop.abort();
  });

  test('that comes back gets what it has missed, and nothing twice', async () => {
    const { url, event } = await openTestLive();
    const note = (text: string): void => event({ kind: 'note', text });
    note('one');
    const first = await openEvents(url, 'person=ann-1');
    await expect.poll(() => first.last('items')).toMatchObject([{ seq: 1, text: 'one' }]);
    first.close();
    note('two');
    note('three\u001b[2J');
    const header = await openEvents(url, 'person=ann-1', { 'last-event-id': '1' });
    const query = await openEvents(url, 'person=ann-1&seq=2');
    await expect
      .poll(() => header.last('items'))
      .toMatchObject([
        { seq: 2, text: 'two' },
        { seq: 3, text: 'three\\u{1b}[2J' },
      ]);
    await expect.poll(() => query.last('items')).toMatchObject([{ seq: 3 }]);
    for (const stream of [header, query]) stream.close();
  });

  test('has the last findings of a long run, and the end of it', async () => {
    const live = await openTestLive();
    const finding = buildFinding({ code: 'check', expected: 'a bearer', actual: null });
    for (let at = 0; at < 1000; at += 1) live.event({ kind: 'finding', id: `case-${at}`, finding });
    const stream = await openEvents(live.url, 'person=ann-1');
    await expect.poll(() => stream.last('items')).toHaveLength(100);
    expect(stream.last('items')).toMatchObject(
      expect.arrayContaining([expect.objectContaining({ where: 'case-999' })]),
    );
    live.end('The run is over: conformant.');
    await closeLive();
    await expect.poll(() => stream.last('state')).toMatchObject({ ended: 'The run is over: conformant.' });
  });

  test('of somebody who comes again and again does not keep the others out', async () => {
    const { url } = await openTestLive();
    const again = [];
    for (let at = 0; at < maxStreams + 4; at += 1) again.push(await openEvents(url, 'person=ann-1'));
    const ben = await openEvents(url, 'person=ben-1');
    await expect.poll(() => ben.last('desk')).toMatchObject({ questions: [] });
    expect(again.at(-1)?.last('state')).not.toBeNull();
    for (const stream of [...again, ben]) stream.close();
  });

  test('is refused where there are too many', async () => {
    const { url } = await openTestLive();
    const open = await Promise.all(Array.from({ length: maxStreams }, (_, at) => openEvents(url, `person=p${at}`)));
    const more = await callLive(`${url}events?person=more`);
    expect(more).toMatchObject({ status: 200, text: '' });
    for (const stream of open) stream.close();
  });
});

test('a port that is in use is a mistake of the command line', async () => {
  const { url } = await openTestLive();
  const port = Number(new URL(url).port);
  await expect(openTestLive({ address: { host: '127.0.0.1', port } })).rejects.toMatchObject({
    code: 'bad-flag',
    message: `--live: the page cannot be served on 127.0.0.1 port ${port}: another program listens there; give another port, or none for a free one`,
  });
});
