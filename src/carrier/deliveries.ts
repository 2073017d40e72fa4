import { setImmediate } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { Clock } from './clock.ts';
import type { JsonObject } from './json.ts';

/** One callback to send (§4.2). */
export interface Delivery {
  readonly uri: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject;
  /** Seconds the receiver has to answer, on the carrier's clock. */
  readonly deadline: number;
  /** Further attempts where no 2xx came, and the seconds between them. */
  readonly retries: number;
  readonly retryAfter: number;
}

export interface Deliveries {
  /** Starts a delivery; it counts as in flight before this returns. */
  send(delivery: Delivery): void;
  inFlight(): number;
  close(): Promise<void>;
}

export function openDeliveries(clock: Clock, log: (line: string) => void): Deliveries {
  const agent = new Agent({ connect: { timeout: 10_000 }, headersTimeout: 0, bodyTimeout: 0 });
  let inFlight = 0;
  let closed = false;

  const attempt = async (delivery: Delivery): Promise<boolean> => {
    const abort = new AbortController();
    const cancel = clock.schedule(clock.now() + delivery.deadline * 1000, () => abort.abort());
    try {
      // The answer that set this in motion is written first: an SP should know auth_req_id before its callback comes.
      await setImmediate();
      const answer = await request(delivery.uri, {
        method: 'POST',
        headers: { ...delivery.headers },
        body: JSON.stringify(delivery.body),
        dispatcher: agent,
        signal: abort.signal,
      });
      await answer.body.dump();
      return answer.statusCode >= 200 && answer.statusCode < 300;
    } catch (error) {
      log(`callback to ${delivery.uri} not delivered: ${String(error)}`);
      return false;
    } finally {
      cancel();
    }
  };

  const send = (delivery: Delivery): void => {
    inFlight++;
    void attempt(delivery).then((confirmed) => {
      if (!confirmed && delivery.retries > 0 && !closed) {
        const again = { ...delivery, retries: delivery.retries - 1 };
        clock.schedule(clock.now() + delivery.retryAfter * 1000, () => send(again));
      }
      inFlight--;
    });
  };

  return {
    send,
    inFlight: () => inFlight,
    async close() {
      closed = true;
      await agent.destroy();
    },
  };
}
