import type { Target } from '../../model/target.ts';
import { createReceiver, type Receiver } from '../../wire/receive/receive.ts';
import { createSender } from '../../wire/send/send.ts';
import { createSkewOfOrigins } from '../../wire/send/skew.ts';
import { inTimeline } from '../clock/timeline.ts';
import type { Asking, Discovered } from '../discover.ts';
import { openWorld } from '../open-world.ts';
import type { RunOptions } from '../run-options.ts';
import { checkClients } from './clients.ts';
import { checkAlgorithms, checkCodes } from './codes.ts';
import { checkClock, checkDiscovery, checkSupports } from './discovery.ts';
import { checkEndpoints } from './endpoints.ts';
import { checkKeys } from './keys.ts';
import { checkLocks } from './locks.ts';
import { type Note, notesOf, problem, skipped } from './note.ts';
import { checkOrigins } from './origins.ts';
import { checkPublic, createProbe, reachReceiver } from './receiver.ts';
import { settleClock } from './settle-clock.ts';
import { runTrials } from './trials.ts';

/** What the checks share. */
interface Ground extends Asking {
  readonly options: RunOptions;
  readonly target: Target;
  readonly found: Discovered | undefined;
  readonly before: readonly Note[];
}

type Check = (ground: Ground) => readonly Note[] | Promise<readonly Note[]>;

const needsDiscovery =
  (name: string, check: (ground: Ground, found: Discovered) => ReturnType<Check>): Check =>
  (ground) =>
    ground.found === undefined
      ? notesOf(name, [skipped('', 'not tried: discovery comes first')])
      : check(ground, ground.found);

const listening: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there: end it, or choose another "port"',
  EADDRNOTAVAIL: '"host" is no address of this machine',
  EACCES: 'ports below 1024 are not for this user: choose another "port"',
};

async function checkReceiver({ target, options }: Ground, { urls }: Discovered): Promise<readonly Note[]> {
  const { host, port, url, tls } = target.receiver;
  const probe = createProbe();
  let receiver: Receiver;
  try {
    receiver = await createReceiver({ host, port, tls, now: Date.now, onDelivery: probe.take });
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
    const change = listening[code] ?? 'see "receiver: { host, port }"';
    const description = `it cannot listen there: ${code}`;
    return notesOf('receiver', [problem(`${host} port ${port}`, { whose: 'configuration', description, change })]);
  }
  try {
    const publicUrl = url ?? receiver.origin;
    const reached = await reachReceiver(publicUrl, probe, target);
    return [...checkPublic(publicUrl, urls[options.interface.requestEndpoint]), ...reached];
  } finally {
    await receiver.close();
  }
}

/** Opens the world as a run does, for requests that are those of a run. */
async function askClients({ options, before, skew }: Ground): Promise<readonly Note[]> {
  if (before.some(({ state, check }) => state === 'problem' && check !== 'keys')) {
    return notesOf('clients', [skipped('', 'not asked: the problems above come first')]);
  }
  const stop = { reason: undefined, interrupted: false, cause: undefined };
  const { world, close } = await openWorld({ ...options, preflight: false }, stop);
  try {
    return await inTimeline(world.timeline, async () => {
      await settleClock(world);
      skew.disbelieve(world.skew.doubt());
      const notes = await checkClients(world);
      const refused = notes.some(({ state }) => state === 'problem');
      const first = notesOf('declarations', [skipped('', 'not tried: the problems of the clients come first')]);
      return [...notes, ...(refused ? first : await runTrials(world))];
    });
  } finally {
    await close();
  }
}

/** In this order: each stands on those before it. Discovery stands before all of them. */
const checks: readonly Check[] = [
  needsDiscovery('supports', ({ target, options }, found) => checkSupports(target, found, options.interface)),
  ({ found, target, options }) =>
    found === undefined ? [] : checkOrigins(found, target, options.interface.requestEndpoint),
  needsDiscovery('endpoints', ({ target, sender, now, options }, found) =>
    checkEndpoints(target, found, { sender, now, required: options.interface.requestEndpoint }),
  ),
  needsDiscovery('declarations', ({ target, options, sender, skew, now }, found) =>
    checkCodes(found, { target, asking: { sender, skew, now, interface: options.interface } }),
  ),
  needsDiscovery('keys', ({ target, options }, found) =>
    checkAlgorithms(found, target, options.interface.signingAlgorithms ?? []),
  ),
  needsDiscovery('receiver', checkReceiver),
  ({ target }) => checkLocks(target),
  needsDiscovery('clients', askClients),
  ({ target, skew }) => checkClock(target, skew.current(), skew.doubt()),
];

/** Tries out a target file, from its keys to one request of each client. Only our own faults are thrown. */
export async function preflight(options: RunOptions): Promise<readonly Note[]> {
  const { target } = options;
  const { tls, proxy } = target;
  const requestTimeout = Math.max(target.requestTimeout, options.interface.timing.slowestResponse);
  const sender = createSender({ requestTimeout, connections: 4, tls, proxy });
  const skew = createSkewOfOrigins();
  try {
    const asking = { sender, skew, now: Date.now, interface: options.interface };
    const { notes: asked, found } = await checkDiscovery(target, asking);
    const notes = [...checkKeys(target), ...asked];
    for (const check of checks) {
      notes.push(...(await check({ ...asking, options, target, found, before: [...notes] })));
    }
    return notes;
  } finally {
    await sender.close();
  }
}

/** What a run ends with that finds this: nothing, a mistake of the file, or a carrier out of reach. */
export function verdictOfNotes(notes: readonly Note[]): 'ready' | 'usage' | 'unreachable' {
  const problems = notes.filter(({ state }) => state === 'problem');
  if (problems.length === 0) return 'ready';
  return problems.some(({ whose }) => whose === 'configuration') ? 'usage' : 'unreachable';
}
