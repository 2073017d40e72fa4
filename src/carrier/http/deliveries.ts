import { setImmediate } from 'node:timers/promises';
import { Agent, type Dispatcher, interceptors } from 'undici';
import type { CarrierClock } from '../state/clock.ts';
import { type ServerHabits, writeJson, writeHeaders } from './habits.ts';
import type { JsonObject } from '../json.ts';
import type { EncodedContent } from '../builders/content.ts';
import type { Policy } from '../policy.ts';

/** One callback (§4.2) or event (§4.8) to send. */
export interface Delivery {
  readonly uri: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Called for every attempt. */
  readonly body: () => JsonObject;
  readonly write: (text: string) => EncodedContent;
  /** Seconds from the trigger to the first attempt, in addition to the policy's deliveryDelay. */
  readonly delay: number;
  /** Seconds the receiver has to respond, on the carrier's clock. */
  readonly deadline: number;
  /** Retries of an unconfirmed delivery, and the seconds between attempts. */
  readonly retries: number;
  readonly made?: number;
  readonly retryAfter: number;
  /** Whether an HTTP status confirms receipt; undefined: no response. Attempts count from 0. */
  readonly confirms: (status: number | undefined, attempt: number) => boolean;
  /** Called when the last attempt was not confirmed either. */
  readonly gaveUp?: () => void;
}

export interface Deliveries {
  /** Starts or schedules a delivery; a started one counts as in flight before this returns. */
  send(delivery: Delivery): void;
  inFlight(): number;
  close(): Promise<void>;
}

interface DeliveryHabits {
  readonly log: (line: string) => void;
  readonly habits: ServerHabits;
}

export function openDeliveries(clock: CarrierClock, policy: Policy, manner: DeliveryHabits): Deliveries {
  const agent = openAgent(policy);
  const attempt = makeAttempts(agent.dispatcher, clock, manner);
  const { deliveryDelay } = policy;
  let inFlight = 0;
  let closed = false;
  const start = (delivery: Delivery): void => {
    const startedAt = clock.now();
    inFlight++;
    void attempt(delivery).then(({ status }) => {
      const made = delivery.made ?? 0;
      const confirmed = delivery.confirms(status, made);
      if (!confirmed && !closed) {
        const again = { ...delivery, retries: delivery.retries - 1, made: made + 1 };
        if (again.retries < 0) delivery.gaveUp?.();
        else clock.schedule(Math.max(clock.now(), startedAt + delivery.retryAfter * 1000), () => start(again));
      }
      inFlight--;
    });
  };
  return {
    send(delivery) {
      const delay = deliveryDelay + delivery.delay;
      if (delay === 0) start(delivery);
      else clock.schedule(clock.now() + delay * 1000, () => start(delivery));
    },
    inFlight: () => inFlight,
    async close() {
      closed = true;
      await agent.destroy();
    },
  };
}

function openAgent(policy: Policy): { readonly dispatcher: Dispatcher; readonly destroy: () => Promise<void> } {
  const connect = { timeout: 10_000, rejectUnauthorized: policy.receiverCertificateChecked };
  const agent = new Agent({ connect, headersTimeout: 0, bodyTimeout: 0 });
  const maxRedirections = policy.receiverRedirectsFollowed;
  const dispatcher = maxRedirections === 0 ? agent : agent.compose(interceptors.redirect({ maxRedirections }));
  return { dispatcher, destroy: () => agent.destroy() };
}

/** Returns a function that makes one attempt and returns the status of its response. */
function makeAttempts(dispatcher: Dispatcher, clock: CarrierClock, { log, habits }: DeliveryHabits) {
  return async (delivery: Delivery): Promise<{ readonly status: number | undefined }> => {
    const abort = new AbortController();
    const cancel = clock.schedule(clock.now() + delivery.deadline * 1000, () => abort.abort());
    try {
      // Lets the response of the triggering request go first: an SP should know auth_req_id before its callback.
      await setImmediate();
      const { bytes, headers } = delivery.write(writeJson(delivery.body(), habits.json ?? 'plain'));
      const { origin, pathname, search } = new URL(delivery.uri);
      const response = await dispatcher.request({
        origin,
        path: `${pathname}${search}`,
        method: 'POST',
        headers: writeHeaders({ ...delivery.headers, ...headers }, habits),
        body: bytes,
        reset: habits.connection === 'close',
        signal: abort.signal,
      });
      await response.body.dump();
      return { status: response.statusCode };
    } catch (error) {
      log(`${delivery.uri} not reached: ${String(error)}`);
      return { status: undefined };
    } finally {
      cancel();
    }
  };
}
