import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type Json, parseJson, textMemberOf } from '../lib/json.ts';

interface Shop {
  readonly endpoints: Readonly<Record<string, string>>;
  readonly close: () => Promise<void>;
}

async function bodyOf(request: IncomingMessage): Promise<Json | undefined> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
  return parseJson(Buffer.concat(chunks).toString('utf8'));
}

const listen = (server: Server): Promise<string> =>
  new Promise((resolve, reject) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      if (address === null || typeof address === 'string') reject(new Error('the shop has no port'));
      else resolve(`http://127.0.0.1:${address.port}`);
    });
  });

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, string>>;
}

/** A carrier of the second interface; `referenceOf` is what its callbacks say of the reference of an order. */
export async function openShop(referenceOf: (reference: string) => string = (reference) => reference): Promise<Shop> {
  const orders = new Set<string>();
  const callBack = (uri: string, body: Answer['body']): void => {
    const headers = { 'content-type': 'application/json' };
    fetch(uri, { method: 'POST', headers, body: JSON.stringify(body) }).catch(() => undefined);
  };
  const take = (sent: Json | undefined, callback: string): Answer => {
    const reference = textMemberOf(sent, 'reference');
    if (reference === undefined) return { status: 400, body: { error: 'no_reference' } };
    const order = `order-${orders.size + 1}`;
    orders.add(order);
    setTimeout(() => callBack(callback, { order, reference: referenceOf(reference) }), 5);
    return { status: 200, body: { order } };
  };
  const show = (order: string): Answer =>
    orders.has(order) ? { status: 200, body: { order, status: 'taken' } } : { status: 404, body: { error: 'unknown' } };
  const answer = async (request: IncomingMessage): Promise<Answer> => {
    const url = new URL(request.url ?? '/', 'http://shop');
    if (request.method === 'POST') return take(await bodyOf(request), String(request.headers['x-callback']));
    return show(url.searchParams.get('order') ?? '');
  };
  const server = createServer((request, response) => {
    answer(request)
      .then(({ status, body }) => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      })
      .catch(() => response.destroy());
  });
  const origin = await listen(server);
  return {
    endpoints: { orders: `${origin}/orders`, status: `${origin}/status` },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
