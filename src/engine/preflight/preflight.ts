import type { Target } from '../../model/target.ts';
import { createReceiver, type Receiver } from '../../wire/receive/receive.ts';
import { createSender } from '../../wire/send/send.ts';
import { createSkewOfOrigins } from '../../wire/send/skew.ts';
import { inTimeline } from '../clock/timeline.ts';
import type { Asking, Discovered } from '../discover.ts';
import { openWorld } from '../open-world.ts';
import type { RunOptions } from '../run-options.ts';
import { checkClients, runTrials, settleClock } from './clients.ts';
import { checkEndpoints, checkOrigins } from './endpoints.ts';
import { type Found, type Note, problem, skipped } from './note.ts';
import { checkAlgorithms, checkClock, checkCodes, checkDiscovery, checkKeys, checkSupports } from './probes.ts';
import { checkLocks, checkPublic, createCanary, reachReceiver } from './receiver.ts';

interface Ground {
  readonly asking: Asking;
  readonly options: RunOptions;
  readonly target: Target;
  readonly found: Discovered | undefined;
  /** Notes of the earlier probes. */
  readonly notes: readonly Note[];
}

/** Notes of a probe; a note with its own `check` belongs to that one. */
type Probed = readonly (Found & Partial<Note>)[];
type Probe = readonly [name: string, probe: (ground: Ground) => Probed | Promise<Probed>];

/** Wraps a probe that needs discovery. */
const discovered =
  (
    probe: (ground: Ground, found: Discovered) => Probed | Promise<Probed>,
    otherwise: Probed = [skipped('', 'not tried: discovery comes first')],
  ): Probe[1] =>
  (ground) =>
    ground.found === undefined ? otherwise : probe(ground, ground.found);

const listening: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there: end it, or choose another "port"',
  EADDRNOTAVAIL: '"host" is no address of this machine',
  EACCES: 'ports below 1024 are not for this user: choose another "port"',
};

async function probeReceiver({ target, options }: Ground, { urls }: Discovered): Promise<readonly Found[]> {
  const { host, port, url, tls } = target.receiver;
  const canary = createCanary();
  let receiver: Receiver;
  try {
    receiver = await createReceiver({ host, port, tls, now: Date.now, onDelivery: canary.take });
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
    const change = listening[code] ?? 'see "receiver: { host, port }"';
    return [problem(`${host} port ${port}`, { description: `it cannot listen there: ${code}`, change })];
  }
  try {
    const publicUrl = url ?? receiver.origin;
    const reached = await reachReceiver(publicUrl, canary, target);
    return [...checkPublic(publicUrl, urls[options.interface.requestEndpoint]), ...reached];
  } finally {
    await receiver.close();
  }
}

/** Opens the world like a run, so that the requests are those of a run. */
async function probeClients({ options, notes, asking: { skew } }: Ground): Promise<Probed> {
  if (notes.some(({ state, check }) => state === 'problem' && check !== 'keys')) {
    return [skipped('', 'not asked: the problems above come first')];
  }
  const { world, close } = await openWorld(
    { ...options, preflight: false },
    { reason: undefined, interrupted: false, cause: undefined },
  );
  try {
    return await inTimeline(world.timeline, async () => {
      await settleClock(world);
      skew.disbelieve(world.skew.doubt());
      const clients = await checkClients(world);
      const trials = clients.some(({ state }) => state === 'problem')
        ? [skipped('', 'not tried: the problems of the clients come first')]
        : await runTrials(world);
      return [...clients, ...trials.map((one) => ({ ...one, check: 'declarations' }))];
    });
  } finally {
    await close();
  }
}

/** Probes in order: each relies on those before it. Keys and discovery come before all of them. */
const probes: readonly Probe[] = [
  ['supports', discovered(({ target, options }, found) => checkSupports(target, found, options.interface))],
  [
    'origins',
    discovered(({ target, options }, found) => checkOrigins(found, target, options.interface.requestEndpoint), []),
  ],
  [
    'endpoints',
    discovered(({ target, asking: { sender, now }, options }, found) =>
      checkEndpoints(target, found, { sender, now, required: options.interface.requestEndpoint }),
    ),
  ],
  ['declarations', discovered(({ target, asking }, found) => checkCodes(found, target, asking))],
  [
    'keys',
    discovered(({ target, options }, found) => checkAlgorithms(found, target, options.interface.signingAlgorithms)),
  ],
  ['receiver', discovered(probeReceiver)],
  ['receiver', ({ target }) => checkLocks(target)],
  ['clients', discovered(probeClients)],
  ['clock', ({ target, asking: { skew } }) => [checkClock(target, skew.current(), skew.doubt())]],
];

const named = (check: string, found: Probed): readonly Note[] => found.map((one) => ({ check, ...one }));

/** Checks a target file, from its keys to one request of each client. Throws only our own faults. */
export async function preflight(options: RunOptions): Promise<readonly Note[]> {
  const { target } = options;
  const { tls, proxy } = target;
  const requestTimeout = Math.max(target.requestTimeout, options.interface.timing.slowestResponse);
  const sender = createSender({ requestTimeout, connections: 4, tls, proxy });
  try {
    const asking = { sender, skew: createSkewOfOrigins(), now: Date.now, interface: options.interface };
    const { notes: asked, found } = await checkDiscovery(target, asking);
    const notes = [...named('keys', checkKeys(target)), ...named('discovery', asked)];
    for (const [name, probe] of probes) {
      notes.push(...named(name, await probe({ asking, options, target, found, notes })));
    }
    return notes;
  } finally {
    await sender.close();
  }
}

/** Outcome of a run with these notes: no problem, a mistake in the target file, or an unreachable carrier. */
export function verdictOfNotes(notes: readonly Note[]): 'ready' | 'usage' | 'unreachable' {
  const problems = notes.filter(({ state }) => state === 'problem');
  if (problems.length === 0) return 'ready';
  return problems.some(({ whose }) => whose === 'configuration') ? 'usage' : 'unreachable';
}
