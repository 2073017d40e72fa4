import type { SendResult } from '../../wire/send/send-result.ts';

/** Timeouts in a row that open the circuit of an endpoint. */
export const maxTimeouts = 4;
/** Milliseconds until one more request may go to a silent endpoint; doubled each time, up to `maxCircuitPause`. */
const circuitPause = 30_000;
const maxCircuitPause = 600_000;

export interface SilentEndpoint {
  /** Without query and fragment. */
  readonly url: string;
  readonly unanswered: number;
  /** The endpoint has answered nothing since the run began. */
  readonly never: boolean;
}

/** Circuit breakers of the endpoints: each request to a silent one would take the whole time limit. */
export interface Circuits {
  /** Returns the endpoint of the URL if its circuit is open; undefined if a request may be sent. */
  readonly silent: (url: string) => SilentEndpoint | undefined;
  /** Notes the outcome of a request; `sentAt` in milliseconds of performance.now(). */
  readonly note: (url: string, sentAt: number, sent: SendResult) => void;
}

function withoutQuery(url: string): string {
  const end = url.search(/[?#]/);
  return end === -1 ? url : url.slice(0, end);
}

interface Circuit {
  readonly answer: () => void;
  /** Returns true if this timeout opens the circuit. */
  readonly miss: (sentAt: number) => boolean;
  /** Returns whether a request may be sent now. After a pause it admits one request, and starts the next pause. */
  readonly admit: () => boolean;
  readonly count: () => Omit<SilentEndpoint, 'url'>;
}

type MillisecondClock = () => number;

function createCircuit(now: MillisecondClock): Circuit {
  let [unanswered, answeredAt, aloneUntil, wait]: [number, number | undefined, number, number] = [
    0,
    undefined,
    0,
    circuitPause,
  ];
  const leaveAlone = (): void => {
    aloneUntil = now() + wait;
    wait = Math.min(maxCircuitPause, wait * 2);
  };
  return {
    answer: () => {
      [unanswered, answeredAt, wait] = [0, now(), circuitPause];
    },
    miss: (sentAt) => {
      if (answeredAt !== undefined && sentAt < answeredAt) return false;
      unanswered += 1;
      if (unanswered === maxTimeouts) leaveAlone();
      return unanswered === maxTimeouts;
    },
    admit: () => {
      if (unanswered < maxTimeouts) return true;
      if (now() < aloneUntil) return false;
      leaveAlone();
      return true;
    },
    count: () => ({ unanswered, never: answeredAt === undefined }),
  };
}

/** Creates the circuits. Calls `onSilent` once for each endpoint, when its circuit opens for the first time. */
export function createCircuits(
  onSilent: (endpoint: SilentEndpoint) => void,
  now: MillisecondClock = () => performance.now(),
): Circuits {
  const circuits = new Map<string, Circuit>();
  const told = new Set<string>();
  const circuitOf = (url: string): Circuit => {
    const known = circuits.get(url) ?? createCircuit(now);
    circuits.set(url, known);
    return known;
  };
  return {
    silent: (given) => {
      const url = withoutQuery(given);
      const circuit = circuitOf(url);
      return circuit.admit() ? undefined : { url, ...circuit.count() };
    },
    note: (given, sentAt, sent) => {
      const url = withoutQuery(given);
      const circuit = circuitOf(url);
      const isLate = 'noResponse' in sent && sent.noResponse.reason === 'timeout';
      if (!isLate) circuit.answer();
      else if (circuit.miss(sentAt) && !told.has(url)) {
        told.add(url);
        onSilent({ url, ...circuit.count() });
      }
    },
  };
}

export const describeSilence = ({ url, unanswered, never }: SilentEndpoint): string =>
  never
    ? `${url} has answered none of the ${unanswered} requests so far in time`
    : `${url} has not answered the last ${unanswered} requests in time`;
