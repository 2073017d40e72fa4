import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { isJsonObject, type Json, type JsonObject, parseJson, renderPlain } from '../../lib/json.ts';
import type { HttpDriver, Target } from '../../model/target.ts';
import { buildTarget } from '../parts/target.ts';
import { buildTemplate, buildTemplates } from '../parts/templates.ts';

/** Behaviour of a hand-made carrier on a request object; times are seconds after the request. */
export interface Conduct {
  readonly status?: number;
  readonly body?: Json;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whole response as text, instead of a body. */
  readonly text?: string;
  readonly reset?: boolean;
  /** Real milliseconds until it responds. */
  readonly slow?: number;
  readonly callbacks?: readonly { readonly after: number; readonly body: JsonObject; readonly bearer?: string }[];
  /** Callbacks that are due at once arrive before the response. */
  readonly overtakes?: boolean;
}

export interface HandCarrier {
  readonly target: Target;
  /** Claims of the received request objects. */
  readonly requests: readonly JsonObject[];
  /** Statuses of our receiver's responses, with the carrier's time. */
  readonly responses: readonly (readonly [status: number | 'none', at: number])[];
  /** Every request target received. */
  readonly targets: readonly string[];
  readonly close: () => Promise<void>;
}

export const startOfClock = 1_767_225_600_000;

async function readJsonBody(request: IncomingMessage): Promise<Json | undefined> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
  return parseJson(Buffer.concat(chunks).toString('utf8'));
}

function decodeRequestClaims(body: Json | undefined): JsonObject {
  const jws = isJsonObject(body) ? body['request'] : undefined;
  const payload = typeof jws === 'string' ? jws.split('.')[1] : undefined;
  const claims = parseJson(Buffer.from(payload ?? '', 'base64url').toString('utf8'));
  return isJsonObject(claims) ? claims : {};
}

/** A carrier with a movable clock that does what a test says, right or wrong. It verifies nothing. */
export async function openHandCarrier(conductOf: (claims: JsonObject, index: number) => Conduct): Promise<HandCarrier> {
  let now = startOfClock;
  let dues: { readonly at: number; readonly send: () => Promise<void> }[] = [];
  let inFlight = 0;
  const requests: JsonObject[] = [];
  const responses: (readonly [number | 'none', number])[] = [];
  const targets: string[] = [];

  const clock = (): JsonObject => ({
    now,
    nextDue: dues.length === 0 ? null : Math.min(...dues.map(({ at }) => at)),
    inFlight,
  });
  const deliver = async (uri: string, body: JsonObject, bearer: string): Promise<void> => {
    inFlight += 1;
    try {
      const headers = { 'content-type': 'application/json', authorization: `bearer ${bearer}` };
      const response = await fetch(uri, { method: 'POST', headers, body: JSON.stringify(body), redirect: 'manual' });
      responses.push([response.status, (now - startOfClock) / 1000]);
    } catch {
      responses.push(['none', (now - startOfClock) / 1000]);
    } finally {
      inFlight -= 1;
    }
  };
  const advance = (to: number): void => {
    now = to;
    const due = dues.filter(({ at }) => at <= now).toSorted((a, b) => a.at - b.at);
    dues = dues.filter(({ at }) => at > now);
    for (const { send } of due) void send();
  };
  const authorize = async (claims: JsonObject, response: ServerResponse): Promise<void> => {
    const {
      status = 200,
      headers = {},
      body = {},
      text,
      reset,
      callbacks = [],
      overtakes,
      slow = 0,
    } = conductOf(claims, requests.push(claims) - 1);
    for (const { after, body: given, bearer } of callbacks) {
      const uri = renderPlain(claims['notification_uri']);
      const send = () => deliver(uri, given, bearer ?? renderPlain(claims['client_notification_token']));
      if (after > 0) dues.push({ at: now + after * 1000, send });
      else if (overtakes === true) {
        void send();
        await new Promise((resolve) => setTimeout(resolve, 30));
      } else setTimeout(() => void send(), 0);
    }
    if (slow > 0) await new Promise((resolve) => setTimeout(resolve, slow));
    if (reset === true) {
      response.socket?.resetAndDestroy();
      return;
    }
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(text ?? JSON.stringify(body));
  };
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    targets.push(request.url ?? '');
    const body = await readJsonBody(request);
    if (request.url === '/si') return authorize(decodeRequestClaims(body), response);
    if (request.url?.startsWith('/admin/') === true) {
      response.statusCode = 404;
    } else if (isJsonObject(body) && Number.isSafeInteger(body['to'])) advance(Number(body['to']));
    else if (isJsonObject(body)) response.statusCode = 400;
    response.end(JSON.stringify(clock()));
  };

  const server = createServer((request, response) => {
    serve(request, response).catch((cause: unknown) => response.destroy(cause instanceof Error ? cause : undefined));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the carrier has no port');
  const origin = `http://127.0.0.1:${address.port}`;
  return {
    target: targetAt(origin),
    requests,
    responses,
    targets,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function targetAt(origin: string): Target {
  const door = (method: string, rest: Partial<HttpDriver> = {}): HttpDriver => ({
    kind: 'http',
    method,
    url: buildTemplate(`${origin}/clock`),
    done: [200],
    impossible: [404],
    env: {},
    ...rest,
  });
  const approve = buildTemplate(`${origin}/admin/{{ request.body.auth_req_id }}/approve`, ['request']);
  return buildTarget({
    endpoints: { server_initiated: `${origin}/si` },
    drivers: { approve: door('POST', { url: approve }) },
    clock: { read: door('GET'), advance: door('POST', { json: buildTemplates({ to: '{{ to }}' }, ['to']) }) },
  });
}
