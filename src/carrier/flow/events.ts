import type { Carrier } from '../carrier.ts';
import type { PendingEvent } from '../builders/events.ts';
import { asText } from '../json.ts';
import { signJwt } from '../jose/jws.ts';

type EventCause = Pick<PendingEvent, 'subscriber' | 'event' | 'cause'>;

/** Sends an event to every entitled SP that did not get the same one within the last 60 minutes (§6). */
export function raiseEvent(carrier: Carrier, raised: EventCause): void {
  for (const client of carrier.accounts.clients.values()) raiseEventFor(carrier, { ...raised, client });
}

export function raiseEventFor(carrier: Carrier, what: EventCause & Pick<PendingEvent, 'client'>): void {
  const { events, policy } = carrier.definition;
  const sub = events.sub(what, carrier.accounts);
  const uri = events.uri(what.client);
  if (sub === undefined || uri === undefined) return;
  const news: PendingEvent = { ...what, sub, uri, issuer: carrier.issuer, now: carrier.clock.now(), policy };
  if (!events.isReported(news) || isDuplicate(carrier, news)) return;
  deliver(carrier, news);
}

function isDuplicate({ events: { generated }, definition: { events } }: Carrier, news: PendingEvent): boolean {
  const key = events.duplicateKey(news);
  const last = generated.get(key);
  const repeated = last !== undefined && news.now - last < news.policy.eventDuplicateWindow * 1000;
  const isKept = events.keptOnce === 'generated' && (!repeated || events.duplicateSlides);
  if (isKept) generated.set(key, news.now);
  return repeated;
}

function deliver(carrier: Carrier, news: PendingEvent): void {
  const { events, policy, content } = carrier.definition;
  const { client, sub, event } = news;
  let jti = '';
  const sign = (): string => {
    const claims = events.claims({ ...news, now: carrier.clock.now() });
    jti = asText(claims['jti']);
    return signJwt(events.signingKey(carrier.eventKey ?? carrier.signingKey), events.type, claims);
  };
  carrier.deliveries.send({
    uri: news.uri,
    headers: events.headers,
    body: events.body(sign),
    write: content.event,
    delay: policy.eventDelay,
    deadline: policy.eventDeadline,
    retries: policy.eventRetries,
    retryAfter: policy.eventRetryAfter,
    confirms: (status, attempt) => {
      const confirmed = events.confirms(status, attempt, news);
      if (confirmed && events.keptOnce === 'confirmed') {
        carrier.events.generated.set(events.duplicateKey(news), news.now);
      }
      return confirmed;
    },
    gaveUp: () => {
      const error = { client_id: client.clientId, sub, event, jti, at: carrier.clock.now() };
      carrier.events.errors.push(error);
    },
  });
}
