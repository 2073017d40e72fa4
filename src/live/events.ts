import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { isJsonObject, type Json } from '../lib/json.ts';
import type { Desk } from './desk.ts';
import type { People } from './people.ts';
import { parsePerson } from './requests.ts';
import type { Streams } from './streams.ts';

interface Served {
  readonly token: string;
  readonly desk: Pick<Desk, 'meet'>;
  readonly people: People;
  readonly streams: Streams;
}

const isPlain = (value: unknown): value is Readonly<Record<string, Json>> =>
  typeof value === 'object' && value !== null;

/** Serves the stream of events of each page; `headers` go with every response. */
export function addEvents(app: FastifyInstance, served: Served, headers: OutgoingHttpHeaders): void {
  const { token, desk, people, streams } = served;
  app.get(`/${token}/events`, (request, reply) => {
    const { query } = request;
    const asked: Json = { ...(isPlain(query) ? query : {}) };
    const person = parsePerson(asked);
    if (person === undefined) return reply.code(400).send({ why: 'malformed' });
    const last = Number(request.headers['last-event-id'] ?? (isJsonObject(asked) ? asked['seq'] : 0));
    reply.hijack();
    const { raw } = reply;
    raw.writeHead(200, { ...headers, 'content-type': 'text/event-stream' });
    if (streams.open(raw, { person: person.id, seq: Number.isSafeInteger(last) ? last : 0 })) {
      raw.once('close', people.come(person));
      desk.meet(person);
    } else raw.end();
    return reply;
  });
}
