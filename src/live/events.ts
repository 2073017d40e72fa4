import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { isJsonObject, type Json } from '../lib/json.ts';
import { idIn } from './requests.ts';
import type { Streams } from './streams.ts';

interface Served {
  readonly token: string;
  readonly streams: Streams;
}

const isPlain = (value: unknown): value is Readonly<Record<string, Json>> =>
  typeof value === 'object' && value !== null;

/** Serves the stream of events of each page; `headers` go with every response. */
export function addEvents(app: FastifyInstance, served: Served, headers: OutgoingHttpHeaders): void {
  const { token, streams } = served;
  app.get(`/${token}/events`, (request, reply) => {
    const { query } = request;
    const asked: Json = { ...(isPlain(query) ? query : {}) };
    const person = isJsonObject(asked) ? idIn(asked, 'person') : undefined;
    if (person === undefined) return reply.code(400).send({ why: 'malformed' });
    const last = Number(request.headers['last-event-id'] ?? (isJsonObject(asked) ? asked['seq'] : 0));
    reply.hijack();
    const { raw } = reply;
    raw.writeHead(200, { ...headers, 'content-type': 'text/event-stream' });
    if (!streams.open(raw, { person, seq: Number.isSafeInteger(last) ? last : 0 })) raw.end();
    return reply;
  });
}
