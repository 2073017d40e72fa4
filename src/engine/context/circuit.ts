import type { Sent } from '../../wire/send/sent.ts';

/** Requests in a row that were not answered in time, after which an endpoint is left alone. */
export const mostUnanswered = 4;
/** Milliseconds until one more request goes to an endpoint that is left alone; twice as long each time, to `longestPause`. */
const pause = 30_000;
const longestPause = 600_000;

export interface SilentEndpoint {
  /** Without its query. */
  readonly url: string;
  readonly unanswered: number;
  /** It has answered nothing at all since the run began. */
  readonly never: boolean;
}

/** The circuit breakers of the endpoints: each request to a silent one would take the whole time limit. */
export interface Circuits {
  /** The endpoint of the URL where it is left alone; undefined: a request may go there. */
  readonly silent: (url: string) => SilentEndpoint | undefined;
  /** Notes what came of a request; `sentAt` is of performance.now(). */
  readonly note: (url: string, sentAt: number, sent: Sent) => void;
}

function endpointOf(url: string): string {
  const end = url.search(/[?#]/);
  return end === -1 ? url : url.slice(0, end);
}

interface Circuit {
  readonly answer: () => void;
  /** True where it was one too many. */
  readonly miss: (sentAt: number) => boolean;
  /** Whether nothing may go there now; where one more may, it is taken to go. */
  readonly isOpen: () => boolean;
  readonly count: () => Omit<SilentEndpoint, 'url'>;
}

type Now = () => number;

function createCircuit(now: Now): Circuit {
  let [unanswered, answeredAt, aloneUntil, wait]: [number, number | undefined, number, number] = [
    0,
    undefined,
    0,
    pause,
  ];
  const leaveAlone = (): void => {
    aloneUntil = now() + wait;
    wait = Math.min(longestPause, wait * 2);
  };
  return {
    answer: () => {
      [unanswered, answeredAt, wait] = [0, now(), pause];
    },
    miss: (sentAt) => {
      if (answeredAt !== undefined && sentAt < answeredAt) return false;
      unanswered += 1;
      if (unanswered === mostUnanswered) leaveAlone();
      return unanswered === mostUnanswered;
    },
    isOpen: () => {
      if (unanswered < mostUnanswered) return false;
      if (now() < aloneUntil) return true;
      leaveAlone();
      return false;
    },
    count: () => ({ unanswered, never: answeredAt === undefined }),
  };
}

/** `onSilent` is called once for each endpoint, when it is left alone for the first time. */
export function createCircuits(
  onSilent: (endpoint: SilentEndpoint) => void,
  now: Now = () => performance.now(),
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
      const url = endpointOf(given);
      const circuit = circuitOf(url);
      return circuit.isOpen() ? { url, ...circuit.count() } : undefined;
    },
    note: (given, sentAt, sent) => {
      const url = endpointOf(given);
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
