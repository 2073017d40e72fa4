import type { RequestInbox } from './case-context.ts';

/** Seconds after which a request that is still pending is no longer observed. */
export const longestWindow = 600;
/** Seconds for which a request is observed after its life is over, and after its result. */
export const windowAfterLife = 300;
export const windowAfterResult = 120;

/** Seconds of the life of a request, asked for or granted, for which it is observed. */
export const observedLife = (value: unknown): number =>
  typeof value === 'number' && value > 0 ? Math.min(value, longestWindow) : windowAfterLife;

/** Seconds: until when a request is observed, five minutes after its granted life or two minutes after its result. */
export function observedUntil({ response, deliveries }: RequestInbox): number {
  if (response === undefined) return 0;
  const last = deliveries.at(-1);
  if (last !== undefined) return last.receivedAt + windowAfterResult;
  const life =
    response.outcome === 'accepted' ? observedLife(response.granted) : observedLife(response.claims?.['expires_in']);
  return response.sentAt + life + windowAfterLife;
}

/** Milliseconds. §6: a carrier drops events like those it sent within 60 minutes, so the subscriber cools down. */
export const coolDownAfterEvents = 61 * 60 * 1000;
