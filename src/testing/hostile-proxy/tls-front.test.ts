import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSender } from '../../wire/send/sender.ts';
import { sendWritten } from '../../wire/send/written-request.ts';
import { makeCertificates } from './certificates.ts';
import { harmless, openTlsFront, type TlsFront, tlsModes } from './tls-front.ts';

const certificates = makeCertificates();
const upstream = createServer((_, response) => response.end('x'.repeat(2000))).on('clientError', (_, socket) =>
  socket.end('HTTP/1.1 400 x\r\nContent-Length: 2000\r\n\r\n'.concat('x'.repeat(2000))),
);
const tls = { ca: certificates.authority };
const calling = { requestTimeout: 1, connections: 1, tls };
let front: TlsFront;
beforeAll(async () => {
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  const address = upstream.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  front = await openTlsFront({ certificates, port: 0, upstream: () => port });
});
afterAll(async () => {
  await front.close();
  upstream.closeAllConnections();
  upstream.close();
});

const request = () => ({ method: 'GET', url: `${front.origin}/`, headers: [] });

/** Expected failure: certificates and versions fail as tls, a closed connection as reset. */
function expected(mode: string): RegExp {
  if (harmless.has(mode)) return /^an answer$/;
  // A client that names no protocol gets a response.
  if (mode === 'offers-http-2') return /^(?:tls: |an answer$)/;
  if (mode in certificates.of || mode.startsWith('tls-')) return /^tls: /;
  if (/^(?:never|drips)/.test(mode)) return /^timeout: /;
  return /^(?:tls|reset|protocol|timeout):/;
}

test.each(Object.keys(tlsModes))('%s: a request ends in time, and says what was wrong', async (mode) => {
  front.misbehave(mode);
  const sender = createSender(calling);
  const both = [await sender.send(request()), await sendWritten(request(), 'coding-unknown', calling)];
  await sender.close();
  for (const sent of both) {
    const said = 'response' in sent ? 'an answer' : `${sent.noResponse.reason}: ${sent.noResponse.detail}`;
    expect(said).toMatch(expected(mode));
    expect(said).not.toMatch(/[\p{Cc}]/u);
    expect(said.length).toBeLessThan(520);
  }
});
