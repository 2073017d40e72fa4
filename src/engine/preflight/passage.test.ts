import { afterEach, describe, expect, test } from 'vitest';
import { buildTarget } from '../../testing/parts/target.ts';
import { openRewritingProxy, type Rewriting } from '../../testing/carriers/rewriting-proxy.ts';
import { createReceiver } from '../../wire/receive/receiver.ts';
import type { ProbeNote } from '../context/note.ts';
import { createCanary, reachReceiver } from './receiver.ts';

const open: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

/** Reaches a receiver through a proxy, over real sockets. */
async function reachThrough(rewriting: Rewriting): Promise<readonly ProbeNote[]> {
  const probe = createCanary();
  const receiver = await createReceiver({ host: '127.0.0.1', port: 0, now: Date.now, onDelivery: probe.take });
  const proxy = await openRewritingProxy(receiver.origin, rewriting);
  open.push(proxy.close, receiver.close);
  const { receiver: given, ...target } = buildTarget({ requestTimeout: 2 });
  return reachReceiver(proxy.origin, probe, { ...target, receiver: { ...given, url: proxy.origin } });
}

const rewritten = (text: string): Buffer => Buffer.from(JSON.stringify(JSON.parse(text)));
const bytes = (text: string): Buffer => Buffer.from(text);
const page = { status: 200, headers: { 'content-type': 'text/html' }, body: bytes('<h1>You are about to visit</h1>') };

describe('what stands between the public URL and the receiver', () => {
  test('passes everything as it is', async () => {
    expect(await reachThrough({})).toMatchObject([
      { state: 'ok', description: 'a request to it arrived at the receiver' },
      { state: 'ok', description: expect.stringMatching(/^requests and responses pass unchanged: /) as string },
    ]);
  });

  test('adds header fields of its own, which is its right', async () => {
    const notes = await reachThrough({
      request: (passed) => ({
        ...passed,
        headers: { ...passed.headers, 'x-forwarded-for': '192.0.2.7', via: '1.1 x' },
      }),
      response: (answer) => ({ ...answer, headers: { ...answer.headers, server: 'tunnel' } }),
    });
    expect(notes.map(({ state }) => state)).toEqual(['ok', 'ok']);
  });

  test.each<[string, Rewriting, RegExp]>([
    [
      'parses a body and writes it again',
      {
        request: (passed) => (passed.body.length === 0 ? passed : { ...passed, body: rewritten(String(passed.body)) }),
      },
      /the \d+ bytes of the body arrive as \d+ others: its JSON is parsed and written again; see/,
    ],
    [
      'cuts a body',
      { request: (passed) => ({ ...passed, body: passed.body.subarray(0, 20) }) },
      /the \d+ bytes of the body arrive as 20 others; see/,
    ],
    [
      'keeps Authorization for itself',
      { request: (passed) => ({ ...passed, headers: { ...passed.headers, authorization: undefined } }) },
      /"authorization" is taken out; see/,
    ],
    [
      'writes a credential of its own',
      { request: (passed) => ({ ...passed, headers: { ...passed.headers, authorization: 'Basic dDp0' } }) },
      /"authorization" has another value; see/,
    ],
    [
      'sorts the query',
      { request: (passed) => ({ ...passed, target: passed.target.replace('b=2&a=%7Etilde', 'a=~tilde&b=2') }) },
      /the query \?b=2&a=%7Etilde&\S+ arrives as \?a=~tilde&b=2&\S+; see/,
    ],
    [
      'makes a GET of a POST',
      { request: (passed) => ({ ...passed, method: 'GET', body: bytes('') }) },
      /POST arrives as GET; .*arrive as 0 others; see/,
    ],
    [
      'answers errors with a page of its own',
      { response: (answer) => (answer.status === 503 ? { ...page, status: 502 } : answer) },
      /: the response 503 comes back as HTTP 502 with an HTML page.*; see/,
    ],
    [
      'takes 429 for its own, without its header',
      { response: (answer) => ({ ...answer, headers: { ...answer.headers, 'retry-after': undefined } }) },
      /: "retry-after" of the response 429 does not come back as it was; see/,
    ],
    [
      'writes into pages',
      { response: (answer) => ({ ...answer, headers: { 'content-type': 'text/html' }, body: bytes('<script>') }) },
      /the body of the response 200 comes back as another of 8 bytes; .*"location" of the response 307/,
    ],
    [
      'takes in first, and passes on later',
      { instead: ({ method }) => (method === 'POST' ? { status: 202, headers: {}, body: bytes('') } : undefined) },
      /a POST with a body does not arrive: HTTP 202; see/,
    ],
    [
      'sends again what was answered 503',
      { again: ({ status }) => status === 503 },
      /what is sent once to \S+ arrives 2 times, where 503 is responded; see/,
    ],
    ['follows redirects', { follows: true }, /a redirect that the receiver responds is followed on the way; /],
  ])('%s', async (_, rewriting, description) => {
    const [first, second, ...more] = await reachThrough(rewriting);
    expect(first).toMatchObject({ state: 'ok' });
    expect(second).toMatchObject({ state: 'problem', whose: 'configuration' });
    expect(`${second?.description}; ${second?.change?.replace(/.*: /, '')}`).toMatch(description);
    expect(second?.description).toMatch(/^it does not lead to the receiver unchanged: /);
    expect(more).toEqual([]);
  });

  test('shows a page to people first', async () => {
    const notes = await reachThrough({ instead: () => page });
    expect(notes).toMatchObject([{ state: 'problem', whose: 'configuration' }]);
    expect(notes[0]?.description).toBe(
      'something else answers there: HTTP 200 with an HTML page, as a tunnel shows before it lets requests through, and nothing arrived at the receiver',
    );
  });

  test('names the receiver by its own host, which is a warning', async () => {
    const notes = await reachThrough({
      request: (passed) => ({ ...passed, headers: { ...passed.headers, host: 'inner.test' } }),
    });
    expect(notes.map(({ state }) => state)).toEqual(['ok', 'ok', 'warning']);
    expect(notes[2]?.description).toMatch(/^"host" arrives as inner\.test: /);
  });
});
