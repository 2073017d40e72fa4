import type { Delivery, Exchange } from '../../model/exchange.ts';
import { isJsonObject, parseJson } from '../../lib/json.ts';
import type { CaseResult } from '../../model/result.ts';
import type { Verdict } from '../../model/verdict.ts';
import { forScript } from '../shared/sanitize.ts';
import { messageAnchor } from './links.ts';
import { type Detail, type Marks, type MessageView, messageView } from './message-view.ts';

/** What the page keeps of a case until a reader opens it. */
export interface CaseView {
  readonly startedAt: number;
  readonly messages: readonly MessageView[];
  readonly windows: readonly (readonly [from: number, to: number, at: string])[];
  readonly pending: readonly (readonly [from: number, to: number, at: string])[];
}

type Spans = Pick<CaseView, 'windows' | 'pending'>;

const expectedSpacing = /^(\d+(?:\.\d+)?) s, at most (\d+(?:\.\d+)?) s early and (\d+(?:\.\d+)?) s late$/;

/** Longest granted time that is drawn: 48 hours. */
const longestGrant = 48 * 60 * 60;

/** Where a delivery should have come: of each finding about spacing, after the delivery of the same target before it. */
function windowsOf({ findings, messages }: CaseResult): Spans['windows'] {
  const deliveries = messages.filter((message): message is Delivery => message.kind === 'delivery');
  return findings.flatMap(({ code, expected, actual, message }) => {
    const parts = code === 'spacing' && typeof expected === 'string' ? expectedSpacing.exec(expected) : null;
    const late = deliveries.find(({ id }) => id === message);
    if (parts === null || late === undefined || typeof actual !== 'number') return [];
    const [every = 0, before = 0, after = 0] = parts.slice(1).map(Number);
    const from = late.receivedAt - actual * 1000;
    return [[from + (every - before) * 1000, from + (every + after) * 1000, messageAnchor(late.id)] as const];
  });
}

/** How long an accepted request stays open: the expires_in that the response grants. */
function grantedTo({ id, purpose, sentAt, response }: Exchange): Spans['pending'] {
  if (purpose !== 'request' || response === undefined || response.status !== 200) return [];
  const body = parseJson(response.body);
  const granted = isJsonObject(body) ? Number(body['expires_in']) : Number.NaN;
  if (!(granted > 0 && granted <= longestGrant)) return [];
  return [[sentAt, sentAt + granted * 1000, messageAnchor(id)]];
}

/** The times that a case's timeline shows beside its messages: expected windows, and how long requests were open. */
export function spansOf(ended: CaseResult): Spans {
  const pending = ended.messages.flatMap((message) => (message.kind === 'exchange' ? grantedTo(message) : []));
  return { windows: windowsOf(ended), pending };
}

/** Bytes of all exchanges in one page: it stays under 15 MB with all else. */
export const budget = 11_000_000;

/** From everything to almost nothing. */
const tiers: readonly Detail[] = [
  { body: 16_000, headers: true, object: 'all' },
  { body: 2_000, headers: true, object: 'all' },
  { body: 600, headers: false, object: 'differences' },
  { body: 100, headers: false, object: 'none' },
];

/** Whether a reader will want to look into a case of this verdict; such cases are shortened last. */
export const isNotable = (verdict: Verdict): boolean => verdict !== 'pass' && verdict !== 'informational';

type Kind = 'notable' | 'ordinary';

/** How much is kept of the messages of notable cases and of the others; `undefined` keeps none. */
export type Details = Readonly<Record<Kind, Detail | undefined>>;

export const kindOf = (verdict: Verdict): Kind => (isNotable(verdict) ? 'notable' : 'ordinary');

/** The exchanges of one case as JSON that can stand in a script element. */
export function renderChunk(ended: CaseResult, detail: Detail, marks: Marks): string {
  const own = marks.get(ended.id);
  const messages = ended.messages.map((message) => messageView(message, detail, own?.get(message.id)));
  const view: CaseView = { startedAt: ended.startedAt, messages, ...spansOf(ended) };
  return forScript(view);
}

/** Bytes that all cases take in one tier. */
function measure(cases: Iterable<CaseResult>, detail: Detail, marks: Marks): Readonly<Record<Kind, number>> {
  const sizes = { notable: 0, ordinary: 0 };
  for (const ended of cases) {
    sizes[kindOf(ended.verdict)] += Buffer.byteLength(renderChunk(ended, detail, marks));
  }
  return sizes;
}

/** The most detail that fits into `space` bytes: first the ordinary cases are shortened, then the others, and left out last. */
export function chooseDetails(cases: Iterable<CaseResult>, marks: Marks, space: number = budget): Details {
  const sizes: Record<Kind, number>[] = [];
  // Measuring is rendering: a tier is only measured when it is needed.
  const sizeOf = (tier: number, kind: Kind): number => {
    for (const detail of tiers.slice(sizes.length, tier + 1)) sizes.push(measure(cases, detail, marks));
    return sizes[tier]?.[kind] ?? 0;
  };
  for (const [tier, notable] of tiers.entries()) {
    for (let other = tier; other < tiers.length; other += 1) {
      if (sizeOf(tier, 'notable') + sizeOf(other, 'ordinary') <= space) return { notable, ordinary: tiers[other] };
    }
  }
  const fitting = tiers.findIndex((_, tier) => sizeOf(tier, 'notable') <= space);
  return { notable: tiers[fitting], ordinary: undefined };
}

const wordFor = (detail: Detail | undefined): string => (detail === undefined ? 'left out' : 'shortened');

/** What was shortened, in one sentence; empty where everything is there. */
export function detailNote({ notable, ordinary }: Details): string {
  const [full] = tiers;
  if (ordinary === full) return '';
  const passed = `of cases that passed or only recorded are ${wordFor(ordinary)}`;
  const others =
    wordFor(notable) === wordFor(ordinary)
      ? `of all cases are ${wordFor(ordinary)}`
      : `${passed}, those of the others shortened`;
  return `To keep this file small the exchanges ${notable === full ? passed : others}; result.json has them in full.`;
}
