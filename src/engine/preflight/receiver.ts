import { randomBytes } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import { CarrierspecError } from '../../model/problem.ts';
import type { ReceiverResponse } from '../../model/suite.ts';
import { isLoopback, isLoopbackAddress } from '../../lib/loopback.ts';
import type { Target, Client } from '../../model/target.ts';
import type { Inbound } from '../../wire/receive/receiver.ts';
import { createSender, type Sender } from '../../wire/send/sender.ts';
import type { SendResult } from '../../wire/send/send-result.ts';
import { type ProbeNote, okNote, problemNote, warningNote } from '../context/note.ts';
import { omitUndefined } from '../../lib/json.ts';
import { countNoun } from '../../lib/lists.ts';
import type { Endpoints } from '../context/case-context.ts';
import { checkEndpoints, checkOrigins } from './endpoints.ts';
import { describeAnswer, checkPassage } from './passage.ts';
import { drawUnguessable } from '../../lib/unguessable-part.ts';
import type { LockKind, ReceiverLock } from '../context/attribution.ts';
import { createReceiverLock, lockAdvice, registeredUris } from '../receive/lock.ts';

/** Describes what authenticates the carrier's deliveries. */
const authenticationWords: Readonly<Record<LockKind, string>> = {
  segment: 'by unguessable parts of the registered URIs',
  sources: 'by where they come from (receiver.sources)',
  certificate: 'by the client certificate that they come with (receiver.clients)',
};

/** Adds an unguessable part to a URI, before its query. */
const addUnguessablePart = (uri: string): string => uri.replace(/\/?(?=[?#]|$)/, `/${drawUnguessable()}`);

/** Reports guessable registered URIs, each with a better one to register. */
function checkOpenUris({ name, eventUri, notificationUris }: Client, { kindOf }: ReceiverLock): readonly ProbeNote[] {
  const about = `client ${name}`;
  const notes: ProbeNote[] = [];
  if (eventUri !== undefined && kindOf(eventUri) === undefined) {
    const description = `event_uri ${eventUri} can be guessed: what comes there is judged only where it is signed with a key of the carrier; where anything else came, cases that await an event are inconclusive`;
    const change = `register ${addUnguessablePart(eventUri)} in its place, or name receiver.sources or receiver.clients`;
    notes.push(warningNote(about, { description, change }));
  }
  const open = notificationUris.filter((uri) => kindOf(uri) === undefined);
  if (open.length > 0) {
    const description = `${open.join(' and ')} in notification_uris can be guessed: what comes there is judged where it names a request by an unguessable value. ${open.map(addUnguessablePart).join(' and ')} would be locked`;
    notes.push(okNote(about, description));
  }
  return notes;
}

/** Warns about the first URI that no lock protects, and counts the others; undefined if all are protected. */
export function warnOfOpenUris(target: Pick<Target, 'receiver' | 'clients'>): string | undefined {
  const { kindOf } = createReceiverLock(target);
  const open = [...new Set(target.clients.flatMap(registeredUris))].filter((uri) => kindOf(uri) === undefined);
  const [first] = open;
  if (first === undefined) return undefined;
  const all = open.length === 1 ? first : `${first} and ${countNoun(open.length - 1, 'more URI', 'more URIs')}`;
  return `no lock of the receiver protects ${all}: strangers can guess where to send, and leave cases without a verdict. To tell the carrier's deliveries apart, ${lockAdvice}`;
}

/** Reports how the carrier's deliveries to the registered URIs are authenticated. */
export function checkLocks(target: Pick<Target, 'receiver' | 'clients'>): readonly ProbeNote[] {
  const lock = createReceiverLock(target);
  const uris = target.clients.flatMap(registeredUris);
  const kinds = new Set(uris.flatMap((uri) => lock.kindOf(uri) ?? []));
  const locks = [...kinds].map((kind) => okNote('deliveries', `the carrier’s are known ${authenticationWords[kind]}`));
  return [...locks, ...target.clients.flatMap((client) => checkOpenUris(client, lock))];
}

/** Checks whether `receiver.sources` identifies the carrier: behind a tunnel every request comes from the tunnel. */
export function checkSources(
  { receiver, clients }: Pick<Target, 'receiver' | 'clients'>,
  publicUrl: string,
  arrived: Pick<Inbound, 'target' | 'from' | 'isCertified'>,
): readonly ProbeNote[] {
  const { sources, clientAuthorities } = receiver;
  if (sources === undefined || clientAuthorities !== undefined || isLoopback(new URL(publicUrl).hostname)) return [];
  const isTaken = createReceiverLock({ receiver, clients }).isThrough(arrived);
  if (!isTaken && !isLoopbackAddress(arrived.from)) return [];
  const description = isTaken
    ? `a request of this machine arrives from ${arrived.from}, one of receiver.sources: every sender to the URL is taken for the carrier`
    : `what is sent to it arrives from ${arrived.from}, none of receiver.sources: nothing is known as the carrier’s`;
  const change = 'take receiver.sources out, and register URIs with an unguessable part';
  return [warningNote('deliveries', { description, change })];
}

/** Path and responses that only this run's receiver knows. */
interface ReceiverCanary {
  readonly path: string;
  readonly take: (inbound: Inbound) => Promise<ReceiverResponse>;
  /** Sets the response from now on. */
  readonly respondWith: (response: ReceiverResponse) => void;
  readonly arrivals: () => readonly Inbound[];
}

/** Most requests kept, in case a stranger has learnt the path. */
const maxArrivals = 32;

export function createCanary(): ReceiverCanary {
  const word = randomBytes(8).toString('hex');
  const arrivals: Inbound[] = [];
  let response: ReceiverResponse = { status: 200, body: word };
  return {
    path: `/canary/${word}`,
    take: (inbound) => {
      if (!inbound.target.includes(word)) return Promise.resolve({ status: 503 });
      if (arrivals.length < maxArrivals) arrivals.push(inbound);
      return Promise.resolve(response);
    },
    respondWith: (other) => {
      response = other;
    },
    arrivals: () => arrivals,
  };
}

function judgeArrival(about: string, sent: SendResult, canary: ReceiverCanary): ProbeNote {
  const target = canary.arrivals()[0]?.target;
  if (target === canary.path) return okNote(about, 'a request to it arrived at the receiver');
  if (target !== undefined) {
    const description = `a request to ${canary.path} arrived as ${target}`;
    const change = 'the proxy in front has to pass paths on unchanged, or "url" has a path too many';
    return problemNote(about, { description, change });
  }
  if ('response' in sent) {
    const description = `something else answers there: ${describeAnswer(sent.response)}, and nothing arrived at the receiver`;
    const change = 'let "url" and the proxy in front lead to "host" and "port" of the receiver';
    return problemNote(about, { description, change });
  }
  const { reason, detail } = sent.noResponse;
  const description = `not reached from here: ${reason} (${detail})`;
  const change = 'is "url" right, and does the way to it lead back here? If only others can go that way: --keep-going';
  return problemNote(about, { whose: reason === 'unresolved' ? 'configuration' : 'network', description, change });
}

/** Calls the receiver as a carrier would, without a proxy, and checks whether the request arrives unchanged. */
async function callReceiver(publicUrl: string, canary: ReceiverCanary, target: Target, unverified: boolean) {
  const { requestTimeout, tls } = target;
  const ca = tls?.ca === undefined ? {} : { ca: [...rootCertificates, tls.ca].join('\n') };
  const { send, close } = createSender({ requestTimeout, connections: 1, unverified, tls: ca });
  try {
    const sent = await send({ method: 'GET', url: `${publicUrl}${canary.path}`, headers: [] });
    const first = judgeArrival(publicUrl, sent, canary);
    const [arrived] = canary.arrivals();
    if (arrived === undefined || first.state !== 'ok' || target.receiver.url === undefined)
      return { sent, first, more: [] };
    const passage = await checkPassage({ ...canary, publicUrl, send });
    return { sent, first, more: [...passage, ...checkSources(target, publicUrl, arrived)] };
  } finally {
    await close();
  }
}

/** Calls the receiver by its public URL, and again without verification if its certificate is not trusted here. */
export async function reachReceiver(
  publicUrl: string,
  canary: ReceiverCanary,
  target: Target,
): Promise<readonly ProbeNote[]> {
  const trusting = await callReceiver(publicUrl, canary, target, false);
  if (!('noResponse' in trusting.sent) || trusting.sent.noResponse.reason !== 'tls') {
    return [trusting.first, ...trusting.more];
  }
  const { first, more } = await callReceiver(publicUrl, canary, target, true);
  const description = `${first.description}, but its certificate is not trusted from here (${trusting.sent.noResponse.detail})`;
  const change = 'the carrier has to trust it too: take a certificate of an authority that it knows';
  return [first.state === 'ok' ? warningNote(publicUrl, { description, change }) : first, ...more];
}

/** Reports a loopback receiver if the carrier is on another machine. */
export function checkPublic(publicUrl: string, endpoint: string | undefined): readonly ProbeNote[] {
  if (endpoint === undefined || !isLoopback(new URL(publicUrl).hostname) || isLoopback(new URL(endpoint).hostname)) {
    return [];
  }
  const description = 'no callback can arrive: the carrier is elsewhere, and this address is its own machine to it';
  const change = 'name the URL under which the carrier reaches the receiver: "receiver: { url }"';
  return [problemNote(publicUrl, { description, change })];
}

interface ReachabilityOptions {
  readonly endpoints: Endpoints;
  readonly requestEndpoint: string;
  readonly sender: Sender;
  /** Public URL of the receiver, which already listens. */
  readonly receiver: string;
  /** Sets the handler of deliveries until the run does. */
  readonly listen: (take: (inbound: Inbound) => Promise<ReceiverResponse>) => void;
}

/** Checks that the request endpoint and the receiver can be reached. Throws the first problem. */
export async function requireReachable(target: Target, start: ReachabilityOptions): Promise<void> {
  const { endpoints, requestEndpoint, sender, receiver, listen } = start;
  const endpoint = endpoints.urls[requestEndpoint];
  const canary = createCanary();
  listen(canary.take);
  // Cases report an endpoint that cannot be called at all.
  const urls = endpoint !== undefined && /^https?:/.test(endpoint) ? { [requestEndpoint]: endpoint } : {};
  const found: Readonly<Record<string, readonly ProbeNote[]>> = {
    origins: checkOrigins(endpoints, target, requestEndpoint),
    endpoints: await checkEndpoints(target, { issuer: '', urls }, { sender, now: Date.now }),
    receiver: [
      ...checkPublic(receiver, endpoint),
      ...(target.receiver.url === undefined ? [] : await reachReceiver(receiver, canary, target)),
    ],
  };
  for (const [check, notes] of Object.entries(found)) {
    const first = notes.find(({ state }) => state === 'problem');
    if (first === undefined) continue;
    const { about, description, change = '', whose, place } = first;
    throw new CarrierspecError(`${check}, ${about}: ${description}; ${change}`, {
      code: whose === 'configuration' ? 'preflight-configuration' : 'preflight-unreachable',
      ...omitUndefined({ problems: place && [place] }),
    });
  }
}
