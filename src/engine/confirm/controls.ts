import type { Message } from '../../model/exchange.ts';
import type { Case } from '../../suite/suites.ts';
import type { Assignment, World, ClockServices } from '../context/case-context.ts';
import { firstMissing, undeclared } from '../plan/requirements.ts';
import { planTime } from '../plan/planned-time.ts';
import { accepted } from './builds-on.ts';
import { type PlainRun, runPlain, type PlainOutcome, type Repeated, repeatCame, repeatPlain } from './plain-case.ts';

/** `anyTag`: a case has chosen the subscriber, whatever the plain case says of it. */
interface FindOptions {
  readonly anyTag: boolean;
}

/** The cases of a run that establish what others build on. */
export interface Controls {
  /** The plain case of a word for these, where the target has what it needs, and no plain request of theirs is rightly refused. */
  readonly find: (word: string, assignment: Assignment, options?: FindOptions) => Case | undefined;
  /** Runs it. A long one is run once for a client and a subscriber, and so is one that is run for what came to no verdict. */
  readonly run: (plain: Case, asked: PlainRun, once: boolean) => Promise<PlainOutcome>;
  /** Whether the second plain event about one subscriber comes as the first does; found once for a client. `came`: the first has come. */
  readonly repeat: (plain: Case, asked: PlainRun, came: boolean) => Promise<Repeated>;
}

/** Seconds from which on a plain case is run once for all. */
const long = 600;

function fits(given: Case, assignment: Assignment, { world, anyTag }: { world: World; anyTag: boolean }): boolean {
  const { client, subscriber } = assignment;
  const {
    target,
    interface: { refuses },
  } = world;
  const flagsFit =
    typeof given.client === 'string' ||
    Object.entries(given.client).every(([flag, on]) => (client.flags[flag] ?? false) === on);
  return (
    flagsFit &&
    refuses(client) === undefined &&
    client.keys.length > 0 &&
    subscriber.subs[client.name] !== undefined &&
    (anyTag || subscriber.tags.includes(given.subscriber)) &&
    undeclared(given, target) === undefined &&
    firstMissing(given, target, client) === undefined
  );
}

/** Awaits what another activity does: to the clock the caller waits. */
async function aside<T>({ timeline }: ClockServices, shared: Promise<T>): Promise<T> {
  timeline.leave();
  return shared.finally(timeline.enter);
}

export function createControls(cases: readonly Case[], world: World): Controls {
  const known = new Map<string, Promise<PlainOutcome>>();
  const repeated = new Map<string, Promise<Repeated>>();
  const byWord = (word: string): readonly Case[] => cases.filter(({ establishes }) => establishes === word);
  const find: Controls['find'] = (word, assignment, { anyTag } = { anyTag: false }) =>
    byWord(word).find((given) => fits(given, assignment, { world, anyTag }));

  /** Its messages are with the case for which it ran first. */
  const once = <T extends { readonly messages: readonly Message[] }>(
    memory: Map<string, Promise<T>>,
    key: string,
    begin: () => Promise<T>,
  ): Promise<T> => {
    const before = memory.get(key);
    if (before !== undefined) return aside(world, before).then((shown) => ({ ...shown, messages: [] }));
    const running = begin();
    memory.set(key, running);
    return running;
  };

  const run: Controls['run'] = async (given, asked, isOnce) => {
    const { client, subscriber } = asked.assignment;
    const isLong = planTime(given, world).held > long;
    const begin = (): Promise<PlainOutcome> => runPlain(given, asked, world);
    const shown = await (isOnce || isLong
      ? once(known, [given.id, client.name, subscriber.name].join(' '), begin)
      : begin());
    if (shown.status !== 'unmet' || given.establishes === accepted) return shown;
    // It came to no verdict because of what it builds on itself: the plain request.
    const request = find(accepted, asked.assignment);
    if (request === undefined) return { status: 'unknown', messages: shown.messages };
    const plain = await run(request, asked, isOnce);
    const messages = [...shown.messages, ...plain.messages];
    return plain.status === 'fails' || plain.status === 'unmet'
      ? { ...plain, messages }
      : { status: 'unknown', messages };
  };

  const repeat: Controls['repeat'] = (given, asked, came) =>
    once(repeated, [given.id, asked.assignment.client.name, came].join(' '), () =>
      (came ? repeatCame : repeatPlain)(given, asked, world),
    );
  return { find, run, repeat };
}
