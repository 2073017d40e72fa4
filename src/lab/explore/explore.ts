import { omitUndefined } from '../../lib/json.ts';
import type { Finding } from '../../model/finding.ts';
import { breachKey, buildCases, findingSignature, type ProbeResult } from './cases.ts';
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

export interface ExplorationOptions {
  readonly probes: readonly Probe[];
  readonly attempt: CasesAttempt;
  /** Attempts that may run at once. Default: 1. */
  readonly width?: number;
  /** Whether time and requests are left. */
  readonly goOn: () => boolean;
  /** Aborts running attempts; they end without an outcome, or with a part of it. */
  readonly signal: AbortSignal;
  readonly sent?: number;
  readonly onProgress: (sent: number, found: number) => void;
  /** Called at each finding and after each stretch, with the results so far and the number of finished probes. */
  readonly onKept?: (explored: ExplorationResult, done: number) => void;
  /** Number of findings that ends the exploration. Default: 20. */
  readonly enough?: number;
}

/** Request objects in a stretch; time is checked between stretches. */
const maxStretchRequests = 350;

function splitIntoStretches(probes: readonly Probe[]): readonly (readonly Probe[])[] {
  const stretches: Probe[][] = [];
  let sent = Infinity;
  for (const probe of probes) {
    if (sent + probe.requests > maxStretchRequests) {
      stretches.push([]);
      sent = 0;
    }
    stretches.at(-1)?.push(probe);
    sent += probe.requests;
  }
  return stretches;
}

/** Whether a red probe has a known finding's signature and all of its remaining parts. */
function isSameCause({ found, red: first }: KnownCause, { probe, shown }: RedProbe): boolean {
  if (findingSignature(first.shown) !== findingSignature(shown)) return false;
  if (probe.alone || first.probe.alone) return true;
  const names = new Set(probe.parts);
  return (found.parts.length > 0 || probe.base === first.probe.base) && found.parts.every((part) => names.has(part));
}

/** Key of a cause: findings of one breach that vary the same members count once, whatever the values. */
export const causeKey = ({ finding, kind, varied }: ConfirmedFinding): string =>
  JSON.stringify([breachKey(finding), kind, varied]);

interface KnownCause {
  found: ConfirmedFinding;
  readonly red: RedProbe;
}

interface ExplorationState {
  readonly known: KnownCause[];
  readonly lost: (RedProbe & { readonly untried: boolean })[];
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
    const same = state.known.find((one) => isSameCause(one, red));
    if (same !== undefined) {
      same.found = { ...same.found, folded: same.found.folded + 1 };
      continue;
    }
    let isStopped = false;
    const found = await confirmFinding(red, async (made) => {
      const outcome = await trier(made);
      isStopped ||= outcome.stopped !== undefined;
      return outcome;
    });
    const alike = found && state.known.find((one) => causeKey(one.found) === causeKey(found));
    if (found === undefined) state.lost.push({ ...red, untried: isStopped || signal.aborted });
    else if (alike === undefined) {
      state.known.push({ found, red });
      onFound();
    } else alike.found = { ...alike.found, folded: alike.found.folded + 1 };
  }
}

const summarizeExploration = (
  { known, lost, requests, unjudged }: ExplorationState,
  stopped: string | undefined,
): ExplorationResult => ({
  found: known.map(({ found }) => found),
  unconfirmed: lost.map(({ probe, shown, after, untried }) => ({
    rule: shown.finding.rule,
    title: probe.title(keepAllParts(probe)),
    finding: shown.finding,
    after,
    ...(untried ? { untried } : {}),
  })),
  requests: { ...requests },
  unjudged,
  ...omitUndefined({ stopped }),
});

/** Runs `work` on up to `width` items at once; yields outcomes in item order. Starts no item once `goOn` is false. */
async function* runInOrder<T, U>(
  items: readonly T[],
  { width, goOn, work }: { width: number; goOn: () => boolean; work: (item: T) => Promise<U> },
): AsyncGenerator<U> {
  const running: Promise<U>[] = [];
  let next = 0;
  const begin = (): void => {
    while (running.length < width && next < items.length && goOn()) {
      const item = items[next];
      next += 1;
      if (item !== undefined) running.push(work(item));
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
  const { probes, attempt, width = 1, goOn: hasTime, signal, sent = 0, onProgress, onKept, enough = 20 } = exploring;
  const trier = createTrier(attempt);
  const state: ExplorationState = { known: [], lost: [], requests: {}, unjudged: { count: 0 }, sent };
  let stopped: string | undefined;
  let done = 0;
  const goOn = (): boolean => hasTime() && state.known.length < enough && stopped === undefined;
  const work = async (some: readonly Probe[]) => ({ some, ...(await trier((name) => buildCases(some, name))) });
  const keep = (): void => onKept?.(summarizeExploration(state, stopped), done);
  for await (const outcome of runInOrder(splitIntoStretches(probes), { width, goOn, work })) {
    stopped ??= outcome.stopped;
    const reds = noteProbes(outcome.tried, state);
    onProgress(state.sent, state.known.length);
    await settleReds(reds, state, { trier, signal, onFound: keep });
    if (stopped === undefined && !signal.aborted) done += outcome.some.length;
    keep();
  }
  return summarizeExploration(state, stopped);
}
