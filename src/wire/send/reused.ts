import { subscribe } from 'node:diagnostics_channel';

/** What undici says of a request: the same object on each of its channels. */
interface Said {
  readonly request: object;
  readonly socket?: object;
  readonly error?: object;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const isSaid = (value: unknown): value is Said => isObject(value) && 'request' in value && isObject(value.request);

/** Sockets that have carried a request, the requests that went over such a socket, and the errors by which these ended. */
const used = new WeakSet<object>();
const late = new WeakSet<object>();
const lost = new WeakSet<object>();

subscribe('undici:client:sendHeaders', (said) => {
  if (!isSaid(said) || said.socket === undefined) return;
  if (used.has(said.socket)) late.add(said.request);
  used.add(said.socket);
});

subscribe('undici:request:error', (said) => {
  if (isSaid(said) && isObject(said.error) && late.has(said.request)) lost.add(said.error);
});

/** Whether a request that ended by this error went over a connection that had carried another before. */
export const wasOnReusedConnection = (error: Error): boolean => lost.has(error);
