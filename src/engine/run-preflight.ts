import type { Target } from '../model/target.ts';
import { createReceiver, type Receiver } from '../wire/receive/receiver.ts';
import { createSender } from '../wire/send/sender.ts';
import { createSkewOfOrigins } from '../wire/send/skew.ts';
import { Interrupted, runInTimeline } from './clock/timeline.ts';
import type { DiscoveryServices, DiscoveryOutcome } from './discover.ts';
import { openServices } from './open-services.ts';
import { createRunStop, type RunOptions } from './run-options.ts';
import { checkClients, runTrials, settleClock } from './preflight/clients.ts';
import { checkEndpoints, checkOrigins } from './preflight/endpoints.ts';
import { type ProbeNote, type PreflightNote, problemNote, skippedNote } from './context/note.ts';
import {
  checkAlgorithms,
  checkClock,
  checkCodes,
  checkDiscovery,
  checkKeys,
  checkScopes,
  checkSupports,
} from './preflight/probes.ts';
import { checkLocks, checkPublic, createCanary, reachReceiver } from './preflight/receiver.ts';

interface PreflightGround {
  readonly asking: DiscoveryServices;
  readonly options: RunOptions;
  readonly target: Target;
  readonly found: DiscoveryOutcome | undefined;
  /** Notes of the earlier probes. */
  readonly notes: readonly PreflightNote[];
}

/** Notes of a probe; a note with its own `check` belongs to that one. */
type ProbeNotes = readonly (ProbeNote & Partial<PreflightNote>)[];
type NamedProbe = readonly [name: string, probe: (ground: PreflightGround) => ProbeNotes | Promise<ProbeNotes>];

/** Wraps a probe that needs discovery. */
const needsDiscovery =
  (
    probe: (ground: PreflightGround, found: DiscoveryOutcome) => ProbeNotes | Promise<ProbeNotes>,
    otherwise: ProbeNotes = [skippedNote('', 'not tried: discovery comes first')],
  ): NamedProbe[1] =>
  (ground) =>
    ground.found === undefined ? otherwise : probe(ground, ground.found);

const listenAdvice: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there: end it, or choose another "port"',
  EADDRNOTAVAIL: '"host" is no address of this machine',
  EACCES: 'ports below 1024 are not for this user: choose another "port"',
};

async function probeReceiver(
  { target, options }: PreflightGround,
  { urls }: DiscoveryOutcome,
): Promise<readonly ProbeNote[]> {
  const { host, port, url, tls } = target.receiver;
  const canary = createCanary();
  let receiver: Receiver;
  try {
    receiver = await createReceiver({ host, port, tls, now: Date.now, onDelivery: canary.take });
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
    const change = listenAdvice[code] ?? 'see "receiver: { host, port }"';
    return [problemNote(`${host} port ${port}`, { description: `it cannot listen there: ${code}`, change })];
  }
  try {
    const publicUrl = url ?? receiver.origin;
    const reached = await reachReceiver(publicUrl, canary, target);
    return [...checkPublic(publicUrl, urls[options.interface.requestEndpoint]), ...reached];
  } finally {
    await receiver.close();
  }
}

/** Opens the services like a run, so that the requests are those of a run. */
async function probeClients({ options, notes, asking: { skew } }: PreflightGround): Promise<ProbeNotes> {
  if (notes.some(({ state, check }) => state === 'problem' && check !== 'keys')) {
    return [skippedNote('', 'not asked: the problems above come first')];
  }
  const stop = createRunStop();
  const { services, close } = await openServices({ ...options, preflight: false }, stop);
  try {
    return await runInTimeline(services.timeline, async () => {
      await settleClock(services);
      skew.disbelieve(services.skew.doubt());
      const clients = await checkClients(services);
      const trials = clients.some(({ state }) => state === 'problem')
        ? [skippedNote('', 'not tried: the problems of the clients come first')]
        : await runTrials(services);
      return [...clients, ...trials.map((one) => ({ ...one, check: 'declarations' }))];
    });
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    // The carrier's virtual clock failed, or the clock of this machine was set.
    if (stop.cause !== undefined) throw stop.cause;
    return [problemNote('', { description: stop.reason ?? error.message, change: 'run it again' })];
  } finally {
    await close();
  }
}

/** Probes in order: each relies on those before it. Keys and discovery come before all of them. */
const preflightProbes: readonly NamedProbe[] = [
  ['supports', needsDiscovery(({ target, options }, found) => checkSupports(target, found, options.interface))],
  [
    'origins',
    needsDiscovery(({ target, options }, found) => checkOrigins(found, target, options.interface.requestEndpoint), []),
  ],
  [
    'endpoints',
    needsDiscovery(({ target, asking: { sender, now }, options }, found) =>
      checkEndpoints(target, found, { sender, now, required: options.interface.requestEndpoint }),
    ),
  ],
  ['declarations', needsDiscovery(({ target, asking }, found) => checkCodes(found, target, asking))],
  [
    'keys',
    needsDiscovery(({ target, options }, found) => checkAlgorithms(found, target, options.interface.signingAlgorithms)),
  ],
  ['declarations', ({ target, options }) => checkScopes(target, options.interface)],
  ['receiver', needsDiscovery(probeReceiver)],
  ['receiver', ({ target }) => checkLocks(target)],
  ['clients', needsDiscovery(probeClients)],
  ['clock', ({ target, asking: { skew } }) => [checkClock(target, skew.current(), skew.doubt())]],
];

const nameNotes = (check: string, found: ProbeNotes): readonly PreflightNote[] =>
  found.map((one) => ({ check, ...one }));

/** Checks a target file, from its keys to one request of each client. Throws only our own faults. */
export async function runPreflight(options: RunOptions): Promise<readonly PreflightNote[]> {
  const { target } = options;
  const { tls, proxy } = target;
  const requestTimeout = Math.max(target.requestTimeout, options.interface.timing.slowestResponse);
  const sender = createSender({ requestTimeout, connections: 4, tls, proxy });
  try {
    const asking = { sender, skew: createSkewOfOrigins(), now: Date.now, interface: options.interface };
    const { notes: asked, found } = await checkDiscovery(target, asking);
    const notes = [...nameNotes('keys', checkKeys(target)), ...nameNotes('discovery', asked)];
    for (const [name, probe] of preflightProbes) {
      notes.push(...nameNotes(name, await probe({ asking, options, target, found, notes })));
    }
    return notes;
  } finally {
    await sender.close();
  }
}

/** Outcome of a run with these notes: no problem, a mistake in the target file, or an unreachable carrier. */
export function notesVerdict(notes: readonly PreflightNote[]): 'ready' | 'usage' | 'unreachable' {
  const problems = notes.filter(({ state }) => state === 'problem');
  if (problems.length === 0) return 'ready';
  return problems.some(({ whose }) => whose === 'configuration') ? 'usage' : 'unreachable';
}
