import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { IncomingMessage, ServerResponse } from 'node:http';
import { renderClockTime } from '../../report/layout.ts';

/** Node's own channels: the carrier itself stays silent about what it answers. */
const answered = 'http.server.response.finish';
const called = 'undici:request:headers';

type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null;

function answeredLine(message: unknown, adminPort: string): string | undefined {
  if (!isMembers(message)) return undefined;
  const { request, response } = message;
  if (!(request instanceof IncomingMessage) || !(response instanceof ServerResponse)) return undefined;
  const admin = String(request.socket.localPort) === adminPort ? 'admin ' : '';
  return `${admin}${request.method} ${request.url}  ${response.statusCode}`;
}

/** A callback the SP has answered; undici gives the status beside its request. */
function calledLine(message: unknown): string | undefined {
  if (!isMembers(message)) return undefined;
  const { request, response } = message;
  if (!isMembers(request) || !isMembers(response)) return undefined;
  const { origin, path, method } = request;
  return `callback ${String(method)} ${String(origin)}${String(path)}  ${String(response['statusCode'])}`;
}

export interface TrafficOptions {
  /** URL of the admin API, whose requests are marked. */
  readonly admin: string;
  readonly now: () => number;
  readonly write: (line: string) => void;
}

/** A line for every request the carrier answers and every callback it makes, until the function it gives is called. */
export function watchTraffic({ admin, now, write }: TrafficOptions): () => void {
  const adminPort = new URL(admin).port;
  const print = (line: string | undefined): void => {
    if (line !== undefined) write(`${renderClockTime(now())}  ${line}`);
  };
  const onAnswered = (message: unknown): void => print(answeredLine(message, adminPort));
  const onCalled = (message: unknown): void => print(calledLine(message));
  subscribe(answered, onAnswered);
  subscribe(called, onCalled);
  return () => {
    unsubscribe(answered, onAnswered);
    unsubscribe(called, onCalled);
  };
}
