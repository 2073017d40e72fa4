import { verdictOfFinding } from '../../judge/rule-book.ts';
import { memberOf, parseBody } from '../../lib/json.ts';
import type { Message } from '../../model/exchange.ts';
import type { CaseResult } from '../../model/result.ts';
import type { Case } from '../../suite/suites.ts';
import type { Assignment, World } from '../context/case-context.ts';
import { firstMissing, undeclared } from '../plan/requirements.ts';
import { planTime } from '../plan/planned-time.ts';
import { attempt, unwatched } from './attempt.ts';
import { accepted } from './builds-on.ts';

/** What the plain case showed of a client and a subscriber. */
export interface Shown {
  /** `unmet`: it came to no verdict, because of what it builds on itself; `unknown`: there is no such case, or it could not run. */
  readonly status: 'holds' | 'fails' | 'unmet' | 'unknown';
  /** The plain case and its rule, where it failed. */
  readonly cause?: { readonly rule: string; readonly case: string };
  /** What came, where it does not hold. */
  readonly reason?: string;
  readonly messages: readonly Message[];
}

/** For whom a plain case is run. */
export interface For {
  readonly assignment: Assignment;
  /** The case that it belongs to, and the place of that in the run. */
  readonly of: string;
  readonly order: number;
  /** Seconds that may be spent. */
  readonly left: number;
}

/** The cases of a run that establish what others build on. */
export interface Controls {
  /** The plain case of a word for these, where the target has what it needs, and no plain request of theirs is rightly refused. */
  readonly find: (word: string, assignment: Assignment) => Case | undefined;
  /** Runs it. A long one is run once for a client and a subscriber, and so is one that is run for what came to no verdict. */
  readonly run: (word: string, asked: For, once: boolean) => Promise<Shown>;
}

/** Seconds from which on a plain case is run once for all. */
const long = 600;

const unknown: Shown = { status: 'unknown', messages: [] };

function fits(given: Case, { client, subscriber }: Assignment, { target, interface: { refuses } }: World): boolean {
  const flagsFit =
    typeof given.client === 'string' ||
    Object.entries(given.client).every(([flag, on]) => (client.flags[flag] ?? false) === on);
  return (
    flagsFit &&
    refuses(client) === undefined &&
    client.keys.length > 0 &&
    subscriber.subs[client.name] !== undefined &&
    subscriber.tags.includes(given.subscriber) &&
    undeclared(given, target) === undefined &&
    firstMissing(given, target, client) === undefined
  );
}

/** The status, error and description of the last response that was no success; else what the case said. */
function describe({ messages, findings, reason }: CaseResult): string {
  const refused = messages.findLast((one) => one.kind === 'exchange' && (one.response?.status ?? 0) >= 300);
  if (refused?.kind !== 'exchange' || refused.response === undefined) {
    const [finding] = findings;
    return reason ?? (typeof finding?.actual === 'string' ? finding.actual : JSON.stringify(finding?.actual ?? null));
  }
  const body = parseBody(refused.response.body);
  const named = [memberOf(body, 'error'), memberOf(body, 'error_description')].filter((one) => typeof one === 'string');
  return [`HTTP ${refused.response.status}`, ...named].join(', ');
}

function shownBy(result: CaseResult): Shown {
  const { verdict, messages, id, findings } = result;
  const rule = result.rules[0]?.rule ?? '';
  const isBroken = findings.some((one) => one.rule === rule && verdictOfFinding(one) === 'fail');
  if (!isBroken && verdict !== 'inconclusive') return { status: 'holds', messages };
  const reason = `the plain case ${id} of the same client and subscriber does not hold either: ${describe(result)}`;
  return isBroken
    ? { status: 'fails', cause: { rule, case: id }, reason, messages }
    : { status: 'unmet', reason, messages };
}

async function runPlain(given: Case, { assignment, of, order, left }: For, world: World): Promise<Shown> {
  const time = planTime(given, world);
  if (time.prompt.length > 0 || time.held > left) return unknown;
  const result = await attempt({ case: unwatched(given, world), assignment, of, order, name: 'control' }, world);
  return 'impossible' in result ? unknown : shownBy(result);
}

/** Awaits what another activity does: to the clock the caller waits. */
async function aside<T>({ timeline }: World, shared: Promise<T>): Promise<T> {
  timeline.leave();
  return shared.finally(timeline.enter);
}

export function createControls(cases: readonly Case[], world: World): Controls {
  const known = new Map<string, Promise<Shown>>();
  const byWord = (word: string): readonly Case[] => cases.filter(({ establishes }) => establishes === word);
  const find: Controls['find'] = (word, assignment) => byWord(word).find((given) => fits(given, assignment, world));

  const runOnce = (given: Case, asked: For): Promise<Shown> => {
    const { client, subscriber } = asked.assignment;
    const key = [given.id, client.name, subscriber.name].join(' ');
    const before = known.get(key);
    // Its messages are with the case for which it ran.
    if (before !== undefined) return aside(world, before).then((shown) => ({ ...shown, messages: [] }));
    const running = runPlain(given, asked, world);
    known.set(key, running);
    return running;
  };

  const run: Controls['run'] = async (word, asked, once) => {
    const given = find(word, asked.assignment);
    if (given === undefined) return unknown;
    const isLong = planTime(given, world).held > long;
    const shown = await (once || isLong ? runOnce(given, asked) : runPlain(given, asked, world));
    if (shown.status !== 'unmet' || word === accepted) return shown;
    // It came to no verdict because of what it builds on itself: the plain request.
    const plain = await run(accepted, asked, once);
    const messages = [...shown.messages, ...plain.messages];
    return plain.status === 'fails' || plain.status === 'unmet'
      ? { ...plain, messages }
      : { status: 'unknown', messages };
  };
  return { find, run };
}
