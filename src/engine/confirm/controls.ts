import type { Message } from '../../model/exchange.ts';
import type { Case } from '../../suite/suites.ts';
import type { Assignment, RunServices, ClockServices } from '../context/case-context.ts';
import { firstMissing, undeclaredFeature } from '../plan/requirements.ts';
import { planTime } from '../plan/planned-time.ts';
import { plainRequestWord } from './plain-needs.ts';
import {
  type PlainRun,
  runPlain,
  type PlainOutcome,
  type RepeatOutcome,
  repeatArrived,
  repeatUnseen,
} from './plain-case.ts';

/** `anyTag`: accept the given subscriber without the plain case's tag, because a case has chosen it. */
interface FindOptions {
  readonly anyTag: boolean;
}

/** Plain cases of a run, which establish what other cases build on. */
export interface Controls {
  /** Finds a plain case of a word that this client and subscriber can run, and whose request the carrier must not refuse. */
  readonly find: (word: string, assignment: Assignment, options?: FindOptions) => Case | undefined;
  /** Runs a plain case: once for each client and subscriber if it is long or `once` is set. */
  readonly run: (plain: Case, asked: PlainRun, once: boolean) => Promise<PlainOutcome>;
  /** Finds out whether a second plain event about one subscriber arrives; once for each client. `came`: the first has arrived. */
  readonly repeat: (plain: Case, asked: PlainRun, came: boolean) => Promise<RepeatOutcome>;
}

/** Seconds above which a plain case runs only once. */
const maxRepeatedSeconds = 600;

function canRunPlain(
  given: Case,
  assignment: Assignment,
  { services, anyTag }: { services: RunServices; anyTag: boolean },
): boolean {
  const { client, subscriber } = assignment;
  const {
    target,
    interface: { refuses },
  } = services;
  const flagsFit =
    typeof given.client === 'string' ||
    Object.entries(given.client).every(([flag, on]) => (client.flags[flag] ?? false) === on);
  return (
    flagsFit &&
    refuses(client) === undefined &&
    client.keys.length > 0 &&
    subscriber.subs[client.name] !== undefined &&
    (anyTag || subscriber.tags.includes(given.subscriber)) &&
    undeclaredFeature(given, target) === undefined &&
    firstMissing(given, target, client) === undefined
  );
}

/** Awaits another activity; for the clock, the caller waits. */
async function awaitShared<T>({ timeline }: ClockServices, shared: Promise<T>): Promise<T> {
  timeline.leave();
  return shared.finally(timeline.enter);
}

export function createControls(cases: readonly Case[], services: RunServices): Controls {
  const known = new Map<string, Promise<PlainOutcome>>();
  const repeated = new Map<string, Promise<RepeatOutcome>>();
  const byWord = (word: string): readonly Case[] => cases.filter(({ establishes }) => establishes === word);
  const find: Controls['find'] = (word, assignment, { anyTag } = { anyTag: false }) =>
    byWord(word).find((given) => canRunPlain(given, assignment, { services, anyTag }));

  /** Remembers the first outcome. Only the first case gets its messages. */
  const once = <T extends { readonly messages: readonly Message[] }>(
    memory: Map<string, Promise<T>>,
    key: string,
    begin: () => Promise<T>,
  ): Promise<T> => {
    const before = memory.get(key);
    if (before !== undefined) return awaitShared(services, before).then((shown) => ({ ...shown, messages: [] }));
    const running = begin();
    memory.set(key, running);
    return running;
  };

  const run: Controls['run'] = async (given, asked, isOnce) => {
    const { client, subscriber } = asked.assignment;
    const isLong = planTime(given, services).held > maxRepeatedSeconds;
    const begin = (): Promise<PlainOutcome> => runPlain(given, asked, services);
    const shown = await (isOnce || isLong
      ? once(known, [given.id, client.name, subscriber.name].join(' '), begin)
      : begin());
    if (shown.status !== 'unmet' || given.establishes === plainRequestWord) return shown;
    // The plain case had no verdict, because the plain request it builds on failed.
    const request = find(plainRequestWord, asked.assignment);
    if (request === undefined) return { status: 'unknown', messages: shown.messages };
    const plain = await run(request, asked, isOnce);
    const messages = [...shown.messages, ...plain.messages];
    return plain.status === 'fails' || plain.status === 'unmet'
      ? { ...plain, messages }
      : { status: 'unknown', messages };
  };

  const repeat: Controls['repeat'] = (given, asked, came) =>
    once(repeated, [given.id, asked.assignment.client.name, came].join(' '), () =>
      (came ? repeatArrived : repeatUnseen)(given, asked, services),
    );
  return { find, run, repeat };
}
