import { isJsonObject, parseJson } from '../../lib/json.ts';
import type { Delivery, Exchange, Message } from '../../model/exchange.ts';

/** What a search may ask of the messages of a case: each value once, as it came. */
export interface Facets {
  /** As the purpose of the message says: `request`, `driver` with the name of its action; `callback` and `event`. */
  readonly kinds: readonly string[];
  /** Paths of what was sent to the carrier, and of what came in. */
  readonly endpoints: readonly string[];
  readonly statuses: readonly string[];
}

/** Values of one facet that are kept of one case. */
const mostValues = 12;

const receiver = 'http://receiver.test';

/** The path of a URL or of a request target; empty where it has none. */
const pathOf = (target: string): string => (URL.canParse(target, receiver) ? new URL(target, receiver).pathname : '');

/** An event is delivered as a signed token with the events in it. */
function kindOf({ idToken, request }: Delivery): string {
  if (idToken?.claims['events'] !== undefined) return 'event';
  const body = parseJson(request.body);
  return isJsonObject(body) && 'set' in body ? 'event' : 'callback';
}

/** A driver is the operator's: its paths have names of their own in them. */
const isToCarrier = ({ purpose }: Exchange): boolean => !purpose.startsWith('driver');

/** What a search may ask of these messages. */
export function facetsOf(messages: readonly Message[]): Facets {
  const kinds = new Set<string>();
  const endpoints = new Set<string>();
  const statuses = new Set<string>();
  for (const message of messages) {
    if (message.kind === 'delivery') {
      kinds.add(kindOf(message));
      endpoints.add(pathOf(message.target));
    } else {
      kinds.add(message.purpose);
      if (isToCarrier(message)) endpoints.add(pathOf(message.url));
      if (message.response !== undefined) statuses.add(String(message.response.status));
    }
  }
  endpoints.delete('');
  const some = (values: ReadonlySet<string>): readonly string[] => [...values].slice(0, mostValues);
  return { kinds: some(kinds), endpoints: some(endpoints), statuses: some(statuses) };
}
