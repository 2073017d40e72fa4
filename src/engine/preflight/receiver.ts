import { randomBytes } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import { CarrierspecError } from '../../model/problem.ts';
import type { ReceiverResponse } from '../../model/suite.ts';
import { isLoopback } from '../../lib/loopback.ts';
import type { Target } from '../../model/target.ts';
import type { Inbound } from '../../wire/receive/receive.ts';
import { createSender, type Sender } from '../../wire/send/send.ts';
import type { Sent } from '../../wire/send/sent.ts';
import { checkSources } from './locks.ts';
import { type Note, notesOf, type Found, ok, problem, warning } from './note.ts';

import type { Endpoints } from '../context/case-context.ts';
import { checkEndpoints } from './endpoints.ts';
import { checkOrigins } from './origins.ts';
import { answerWords, checkPassage } from './passage.ts';

/** Something that only the receiver of this run knows. */
export interface Probe {
  readonly path: string;
  readonly take: (inbound: Inbound) => Promise<ReceiverResponse>;
  /** Sets what is responded from now on. */
  readonly respondWith: (response: ReceiverResponse) => void;
  readonly arrivals: () => readonly Inbound[];
}

/** Requests that are kept of a stranger who has heard of the path. */
const mostArrivals = 32;

export function createProbe(): Probe {
  const word = randomBytes(8).toString('hex');
  const arrivals: Inbound[] = [];
  let response: ReceiverResponse = { status: 200, body: word };
  return {
    path: `/canary/${word}`,
    take: (inbound) => {
      if (!inbound.target.includes(word)) return Promise.resolve({ status: 503 });
      if (arrivals.length < mostArrivals) arrivals.push(inbound);
      return Promise.resolve(response);
    },
    respondWith: (other) => {
      response = other;
    },
    arrivals: () => arrivals,
  };
}

/** As a carrier would call: through no proxy of ours, with the authorities of the system and those of the file. */
async function calling<T>(
  { requestTimeout, tls }: Target,
  unverified: boolean,
  act: (send: Sender['send']) => Promise<T>,
): Promise<T> {
  const ca = tls?.ca === undefined ? undefined : [...rootCertificates, tls.ca].join('\n');
  const sender = createSender({ requestTimeout, connections: 1, unverified, tls: ca === undefined ? {} : { ca } });
  try {
    return await act(sender.send);
  } finally {
    await sender.close();
  }
}

function judge(about: string, sent: Sent, probe: Probe): Found {
  const target = probe.arrivals()[0]?.target;
  if (target === probe.path) return ok(about, 'a request to it arrived at the receiver');
  if (target !== undefined) {
    const description = `a request to ${probe.path} arrived as ${target}`;
    const change = 'the proxy in front has to pass paths on unchanged, or "url" has a path too many';
    return problem(about, { whose: 'configuration', description, change });
  }
  if ('response' in sent) {
    const description = `something else answers there: ${answerWords(sent.response)}, and nothing arrived at the receiver`;
    const change = 'let "url" and the proxy in front lead to "host" and "port" of the receiver';
    return problem(about, { whose: 'configuration', description, change });
  }
  const { reason, detail } = sent.noResponse;
  const description = `not reached from here: ${reason} (${detail})`;
  const change = 'is "url" right, and does the way to it lead back here? If only others can go that way: --keep-going';
  return problem(about, { whose: reason === 'unresolved' ? 'configuration' : 'network', description, change });
}

/** Whether it arrives and, where something may stand between, whether it arrives unchanged. */
async function reach(publicUrl: string, send: Sender['send'], { probe, target }: Reaching) {
  const sent = await send({ method: 'GET', url: `${publicUrl}${probe.path}`, headers: [] });
  const first = judge(publicUrl, sent, probe);
  const { path, respondWith, arrivals } = probe;
  const [arrived] = arrivals();
  if (arrived === undefined || first.state !== 'ok' || target.receiver.url === undefined)
    return { sent, first, more: [] };
  const passage = await checkPassage({ publicUrl, path, send, respondWith, arrivals });
  return { sent, first, more: [...passage, ...checkSources(target, publicUrl, arrived)] };
}

interface Reaching {
  readonly probe: Probe;
  readonly target: Target;
}

/** Calls the receiver by its public URL and sees whether it arrives, and whether what stands between changes anything. */
export async function reachReceiver(publicUrl: string, probe: Probe, target: Target): Promise<readonly Note[]> {
  const known = await calling(target, false, (send) => reach(publicUrl, send, { probe, target }));
  if (!('noResponse' in known.sent) || known.sent.noResponse.reason !== 'tls') {
    return notesOf('receiver', [known.first, ...known.more]);
  }
  const { first, more } = await calling(target, true, (send) => reach(publicUrl, send, { probe, target }));
  const description = `${first.description}, but its certificate is not trusted from here (${known.sent.noResponse.detail})`;
  const change = 'the carrier has to trust it too: take a certificate of an authority that it knows';
  const untrusted = warning(publicUrl, { whose: 'configuration', description, change });
  return notesOf('receiver', [first.state === 'ok' ? untrusted : first, ...more]);
}

/** A carrier elsewhere cannot call this machine by an address that every machine has. */
export function checkPublic(publicUrl: string, endpoint: string | undefined): readonly Note[] {
  if (endpoint === undefined || !isLoopback(new URL(publicUrl).hostname) || isLoopback(new URL(endpoint).hostname)) {
    return [];
  }
  const description = 'no callback can arrive: the carrier is elsewhere, and this address is its own machine to it';
  const change = 'name the URL under which the carrier reaches the receiver: "receiver: { url }"';
  return notesOf('receiver', [problem(publicUrl, { whose: 'configuration', description, change })]);
}

interface Start {
  readonly endpoints: Endpoints;
  /** Name of the endpoint that takes the requests. */
  readonly requestEndpoint: string;
  readonly sender: Sender;
  /** The receiver listens already. */
  readonly receiver: string;
  /** Sets what takes the deliveries there, until the run does. */
  readonly listen: (take: (inbound: Inbound) => Promise<ReceiverResponse>) => void;
}

/** The error that a problem ends a run with before it begins. */
function stopOf({ check, about, description, change, whose, place }: Note): CarrierspecError {
  const advice = change === undefined ? '' : `; ${change}`;
  return new CarrierspecError(`${check}, ${about}: ${description}${advice}`, {
    code: whose === 'configuration' ? 'preflight-configuration' : 'preflight-unreachable',
    ...(place === undefined ? {} : { problems: [place] }),
  });
}

/**
 * Checks what would make every case inconclusive: whether the endpoint of requests can be reached, and the receiver. Sends the
 * carrier nothing. Throws the first problem.
 */
export async function requireReachable(target: Target, start: Start): Promise<void> {
  const { endpoints, requestEndpoint, sender, receiver, listen } = start;
  const endpoint = endpoints.urls[requestEndpoint];
  const urls = endpoint === undefined ? {} : { [requestEndpoint]: endpoint };
  const probe = createProbe();
  listen(probe.take);
  const notes = [
    ...checkOrigins(endpoints, target, requestEndpoint),
    // An endpoint that cannot be called at all is a finding of the cases.
    ...(endpoint === undefined || !/^https?:/.test(endpoint)
      ? []
      : await checkEndpoints(target, { issuer: '', urls }, { sender, now: Date.now })),
    ...checkPublic(receiver, endpoint),
    ...(target.receiver.url === undefined ? [] : await reachReceiver(receiver, probe, target)),
  ];
  const first = notes.find(({ state }) => state === 'problem');
  if (first !== undefined) throw stopOf(first);
}
