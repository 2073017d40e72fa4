import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';

interface Passed {
  readonly method: string;
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Changes that a proxy in front of the receiver makes; with none of them everything passes unchanged. */
export interface Rewriting {
  readonly request?: (passed: Passed) => Passed;
  readonly response?: (answer: Answer, came: Passed) => Answer;
  /** Responds in place of the receiver, which then gets nothing. */
  readonly instead?: (passed: Passed) => Answer | undefined;
  /** Sends a request again after such a response. */
  readonly again?: (answer: Answer) => boolean;
  /** Follows redirects. */
  readonly follows?: boolean;
}

interface RewritingProxy {
  readonly origin: string;
  readonly close: () => void;
}

async function read(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks);
}

const send = (upstream: string, { method, target, headers, body }: Passed): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const framing = ['transfer-encoding', 'content-length', 'connection'];
    const kept = Object.entries(headers).filter(([name, value]) => value !== undefined && !framing.includes(name));
    const lines = { ...Object.fromEntries(kept), connection: 'close', 'content-length': String(body.length) };
    const sent = request(upstream + target, { method, headers: lines }, (came) => {
      read(came).then((bytes) => resolve({ status: came.statusCode ?? 0, headers: came.headers, body: bytes }), reject);
    });
    sent.once('error', reject);
    sent.end(body);
  });

async function ask(passed: Passed, upstream: string, { again, follows }: Rewriting): Promise<Answer> {
  const answer = await send(upstream, passed);
  if (again?.(answer) === true) return send(upstream, passed);
  const { location } = answer.headers;
  if (follows !== true || location === undefined) return answer;
  const { pathname, search } = new URL(location);
  return send(upstream, { ...passed, target: pathname + search });
}

async function pass(incoming: IncomingMessage, outgoing: ServerResponse, rewriting: Rewriting & { upstream: string }) {
  const { method = 'GET', url: target = '/', headers } = incoming;
  const came: Passed = { method, target, headers, body: await read(incoming) };
  const passed = rewriting.request?.(came) ?? came;
  const own = rewriting.instead?.(came);
  const answer = own ?? (await ask(passed, rewriting.upstream, rewriting));
  const { status, headers: lines, body } = own ?? rewriting.response?.(answer, came) ?? answer;
  const framing = ['transfer-encoding', 'content-length'];
  const kept = Object.entries(lines).filter(([name, value]) => value !== undefined && !framing.includes(name));
  outgoing.writeHead(status, { ...Object.fromEntries(kept), 'content-length': body.length }).end(body);
}

/** A proxy in front of the receiver, like the end of a tunnel or a web server. */
export async function openRewritingProxy(upstream: string, rewriting: Rewriting = {}): Promise<RewritingProxy> {
  const server = createServer((incoming, outgoing) => {
    pass(incoming, outgoing, { ...rewriting, upstream }).catch(() => outgoing.writeHead(502).end('bad gateway'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return { origin: `http://127.0.0.1:${address.port}`, close: () => void server.close() };
}
