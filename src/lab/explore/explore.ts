import { omitUndefined } from '../../lib/json.ts';
import type { Finding } from '../../model/finding.ts';
import { buildCases, findingSignature, type ProbeResult } from './cases.ts';
import { keepAllParts, type Probe, type ProbeKind } from './exploration.ts';
import {
  type CasesAttempt,
  type ConfirmedFinding,
  confirmFinding,
  createTrier,
  type RedProbe,
  type Trier,
} from './settle.ts';

export interface UnconfirmedFinding {
  readonly rule: string;
  readonly title: string;
  readonly finding: Finding;
  readonly after: number;
  /** The exploration ended before it could be tried again. */
  readonly untried?: true;
}

export interface ExplorationResult {
  readonly found: readonly ConfirmedFinding[];
  /** Seen once, but not again in a case of their own. */
  readonly unconfirmed: readonly UnconfirmedFinding[];
  /** Request objects sent, by kind, without those for shrinking. */
  readonly requests: Readonly<Partial<Record<ProbeKind, number>>>;
  /** Probes without a verdict, and the first reason. */
  readonly unjudged: { readonly count: number; readonly reason?: string };
  readonly stopped?: string;
}

/** Results of an exploration so far, and the number of finished probes. */
export interface ReachedPoint {
  readonly explored: ExplorationResult;
  readonly done: number;
}

export const nothingExplored: ExplorationResult = { found: [], unconfirmed: [], requests: {}, unjudged: { count: 0 } };

export interface ExplorationOptions {
  readonly probes: Iterable<Probe>;
  /** State of an earlier exploration to continue from. */
  readonly from?: ReachedPoint;
  readonly attempt: CasesAttempt;
  /** Attempts that may run at once. Default: 1. */
  readonly width?: number;
  /** Whether time and requests are left. */
  readonly goOn: () => boolean;
  /** Aborts running attempts; they end without an outcome, or with a part of it. */
  readonly signal: AbortSignal;
  readonly onProgress: (sent: number, found: number) => void;
  /** Called at each finding and after each stretch, with the results so far and the number of finished probes. */
  readonly onKept?: (reached: ReachedPoint) => void;
  /** Number of findings that ends the exploration. Default: 20. */
  readonly enough?: number;
}

/** Request objects in a stretch; time is checked between stretches. */
const maxStretchRequests = 350;

function* splitIntoStretches(probes: Iterable<Probe>, skipped: number): Generator<readonly Probe[]> {
  let stretch: Probe[] = [];
  let [sent, at] = [0, 0];
  for (const probe of probes) {
    at += 1;
    if (at <= skipped) continue;
    if (stretch.length > 0 && sent + probe.requests > maxStretchRequests) {
      yield stretch;
      [stretch, sent] = [[], 0];
    }
    stretch.push(probe);
    sent += probe.requests;
  }
  if (stretch.length > 0) yield stretch;
}

interface ExplorationState {
  /** Confirmed findings, one for each breach. */
  readonly known: Map<string, ConfirmedFinding>;
  readonly unconfirmed: UnconfirmedFinding[];
  readonly requests: Partial<Record<ProbeKind, number>>;
  unjudged: ExplorationResult['unjudged'];
  sent: number;
}

/** Counts the tried probes; returns the red ones. */
function noteProbes(tried: readonly ProbeResult[], state: ExplorationState): readonly RedProbe[] {
  return tried.flatMap(({ probe, shown: [first], unjudged: reason }): readonly RedProbe[] => {
    state.sent += probe.requests;
    state.requests[probe.kind] = (state.requests[probe.kind] ?? 0) + probe.requests;
    if (first !== undefined) return [{ probe, shown: first, after: state.sent }];
    if (reason !== undefined)
      state.unjudged = { count: state.unjudged.count + 1, reason: state.unjudged.reason ?? reason };
    return [];
  });
}

interface SettleContext {
  readonly trier: Trier;
  readonly signal: AbortSignal;
  readonly onFound: () => void;
}

async function settleReds(
  reds: readonly RedProbe[],
  state: ExplorationState,
  { trier, signal, onFound }: SettleContext,
): Promise<void> {
  for (const red of reds) {
    const signature = findingSignature(red.shown);
    const same = state.known.get(signature);
    if (same !== undefined) {
      state.known.set(signature, { ...same, folded: same.folded + 1 });
      continue;
    }
    let isStopped = false;
    const found = await confirmFinding(red, async (made) => {
      const outcome = await trier(made);
      isStopped ||= outcome.stopped !== undefined;
      return outcome;
    });
    if (found === undefined) state.unconfirmed.push(describeLost(red, isStopped || signal.aborted));
    else {
      state.known.set(signature, found);
      onFound();
    }
  }
}

const describeLost = ({ probe, shown, after }: RedProbe, untried: boolean): UnconfirmedFinding => ({
  rule: shown.finding.rule,
  title: probe.title(keepAllParts(probe)),
  finding: shown.finding,
  after,
  ...(untried ? { untried } : {}),
});

const summarizeExploration = (
  { known, unconfirmed, requests, unjudged }: ExplorationState,
  stopped: string | undefined,
): ExplorationResult => ({
  found: [...known.values()],
  unconfirmed: [...unconfirmed],
  requests: { ...requests },
  unjudged,
  ...omitUndefined({ stopped }),
});

/** Runs `work` on up to `width` items at once; yields outcomes in item order. Starts no item once `goOn` is false. */
async function* runInOrder<T, U>(
  items: Iterator<T>,
  { width, goOn, work }: { width: number; goOn: () => boolean; work: (item: T) => Promise<U> },
): AsyncGenerator<U> {
  const running: Promise<U>[] = [];
  const begin = (): void => {
    while (running.length < width && goOn()) {
      const next = items.next();
      if (next.done === true) break;
      running.push(work(next.value));
    }
    // A rejection during an earlier await is reported in its turn.
    for (const one of running) one.catch(() => undefined);
  };
  for (begin(); running.length > 0; begin()) {
    const [first] = running;
    if (first === undefined) return;
    const outcome = await first;
    void running.shift();
    // The next item starts once this one is handled: shrinking sends too, and a single carrier has one receiver.
    yield outcome;
  }
}

/** Tries all probes while time is left, and shrinks the red ones. */
export async function explore(exploring: ExplorationOptions): Promise<ExplorationResult> {
  const { probes, attempt, width = 1, goOn: hasTime, signal, onProgress, onKept, enough = 20 } = exploring;
  const { explored, done: skipped } = exploring.from ?? { explored: nothingExplored, done: 0 };
  const trier = createTrier(attempt);
  const state: ExplorationState = {
    known: new Map(explored.found.map((found) => [findingSignature(found), found])),
    unconfirmed: [...explored.unconfirmed],
    requests: { ...explored.requests },
    unjudged: explored.unjudged,
    sent: sumRequests(explored.requests),
  };
  let stopped = explored.stopped;
  let done = skipped;
  const goOn = (): boolean => hasTime() && state.known.size < enough && stopped === undefined;
  const work = async (some: readonly Probe[]) => ({ some, ...(await trier((name) => buildCases(some, name))) });
  const keep = (): void => onKept?.({ explored: summarizeExploration(state, stopped), done });
  for await (const outcome of runInOrder(splitIntoStretches(probes, skipped), { width, goOn, work })) {
    stopped ??= outcome.stopped;
    const reds = noteProbes(outcome.tried, state);
    onProgress(state.sent, state.known.size);
    await settleReds(reds, state, { trier, signal, onFound: keep });
    if (stopped === undefined && !signal.aborted) done += outcome.some.length;
    keep();
  }
  return summarizeExploration(state, stopped);
}

const sumRequests = (counts: ExplorationResult['requests']): number =>
  Object.values(counts).reduce((all, count) => all + count, 0);
