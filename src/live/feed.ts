import { omitUndefined } from '../lib/json.ts';
import type { ProgressEvent } from '../model/progress.ts';
import { renderRuleRef } from '../model/rule.ts';
import { type MessageDetail, messageView } from '../report/html/message-view.ts';
import {
  applyEvent,
  initialState,
  nextActAt,
  secondsLeft,
  secondsSince,
  type ProgressState,
  findingVerdict,
} from '../report/progress/state.ts';
import { renderFinding } from '../report/shared/prose.ts';
import { forTerminal } from '../report/shared/sanitize.ts';
import type { LiveItem, LiveState } from './views.ts';

/** Limits of each list of items kept for pages that connect later: items, and characters in total. */
const maxItems = 400;
const maxItemText = 4 * 1024 * 1024;
const maxWaits = 40;
const textLimit = 500;

const feedDetail: MessageDetail = { body: 8_000, headers: true, object: 'all' };

/** One item as sent to pages: JSON on one line. */
interface KeptItem {
  readonly seq: number;
  readonly text: string;
}

function createRing() {
  const kept: KeptItem[] = [];
  let size = 0;
  return {
    kept,
    push(item: KeptItem): void {
      kept.push(item);
      size += item.text.length;
      while (kept.length > maxItems || (size > maxItemText && kept.length > 1)) size -= kept.shift()?.text.length ?? 0;
    },
  };
}

/** State of a run and its latest items, for pages. Bounded, however long the run is. */
export interface Feed {
  readonly event: (event: ProgressEvent) => void;
  /** Announces that the run is stopping and will end with what is finished. */
  readonly stop: (words: string) => void;
  /** Only the first call counts. */
  readonly end: (words: string) => void;
  /** Increases with each change. */
  readonly version: () => number;
  readonly state: () => LiveState;
  readonly since: (seq: number) => readonly KeptItem[];
}

function viewWaits({ waiting }: ProgressState): LiveState['waiting'] {
  return waiting.slice(0, maxWaits).map(({ case: id, for: what, until }) => ({
    case: forTerminal(id, textLimit),
    for: forTerminal(what, textLimit),
    until: Number.isFinite(until) ? until : null,
  }));
}

const viewActs = ({ begun, of, before }: NonNullable<ProgressState['acts']>, next: number | undefined) => ({
  begun,
  of,
  before,
  ...omitUndefined({ next }),
});

function viewState(state: ProgressState, now: number): Omit<LiveState, 'ended' | 'stopping'> {
  const left = secondsLeft(state, now);
  const { cases, done, undone, counts, broken, runNow, heardAt, waiting, tasks, planned, acts } = state;
  return {
    now,
    begun: state.startedAt !== undefined,
    isVirtual: planned === undefined,
    elapsed: secondsSince(state, now),
    ...(left === undefined ? {} : { left }),
    cases,
    done,
    undone,
    counts,
    broken: { fail: broken.fail.size, warn: broken.warn.size },
    clock: { now: runNow, heardAt },
    waiting: viewWaits(state),
    more: Math.max(0, waiting.length - maxWaits),
    tasks,
    ...(acts === undefined ? {} : { acts: viewActs(acts, nextActAt(state, now)) }),
  };
}

/** List item for an event; undefined if the event only changes the state. */
function feedItem(event: ProgressEvent): LiveItem | undefined {
  if (event.kind === 'note') return { kind: 'note', text: forTerminal(event.text, textLimit) };
  if (event.kind === 'message') {
    const { id = '', message } = event;
    return { kind: 'message', case: forTerminal(id, textLimit), message: messageView(message, feedDetail) };
  }
  if (event.kind === 'case-finished') {
    const { id, verdict, reason } = event;
    if (verdict !== 'inconclusive' && verdict !== 'error') return undefined;
    return { kind: 'finding', verdict, rule: '', where: forTerminal(id), text: forTerminal(reason ?? '', textLimit) };
  }
  if (event.kind !== 'finding') return undefined;
  const { id, invariant, finding } = event;
  const where = invariant === undefined ? id : `${invariant}, ${id}`;
  return {
    kind: 'finding',
    verdict: findingVerdict(event) ?? 'informational',
    rule: forTerminal(renderRuleRef(finding), textLimit),
    where: forTerminal(where, textLimit),
    text: forTerminal(renderFinding(finding).summary, textLimit),
  };
}

export function createFeed(now: () => number): Feed {
  let state = initialState;
  let ended: string | undefined;
  let stopping: string | undefined;
  let version = 0;
  let seq = 0;
  const [messages, others] = [createRing(), createRing()];
  const add = (item: LiveItem): void => {
    seq += 1;
    version += 1;
    const text = JSON.stringify({ ...item, seq, at: now() });
    (item.kind === 'message' ? messages : others).push({ seq, text });
  };
  return {
    event: (event) => {
      state = applyEvent(state, event, now());
      version += 1;
      const item = feedItem(event);
      if (item !== undefined) add(item);
    },
    stop: (words) => {
      stopping = forTerminal(words, textLimit);
      version += 1;
    },
    end: (words) => {
      ended ??= forTerminal(words, textLimit);
      version += 1;
    },
    version: () => version,
    state: () => ({ ...viewState(state, now()), ...omitUndefined({ stopping, ended }) }),
    since: (from) =>
      [...messages.kept, ...others.kept].filter((one) => one.seq > from).toSorted((one, other) => one.seq - other.seq),
  };
}
