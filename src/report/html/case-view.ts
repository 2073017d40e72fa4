import type { Delivery, Exchange } from '../../model/exchange.ts';
import { isJsonObject, parseJson } from '../../lib/json.ts';
import type { CaseResult } from '../../model/result.ts';
import type { Verdict } from '../../model/verdict.ts';
import { messageAnchor } from './links.ts';
import { type Detail, type Marks, type MessageView, messageView } from './message-view.ts';
import { createPacker, type Place } from './pack.ts';

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

/** What all exchanges of one page may cost, packed: it stays under 15 MB with all else. */
export const budget = 11_000_000;

/** From everything to almost nothing. */
const full: Detail = { body: 16_000, headers: true, object: 'all' };
const tiers: readonly Detail[] = [
  full,
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

/** The exchanges of one case as JSON on one line. */
export function renderView(ended: CaseResult, detail: Detail, marks: Marks): string {
  const own = marks.get(ended.id);
  const messages = ended.messages.map((message) => messageView(message, detail, own?.get(message.id)));
  const view: CaseView = { startedAt: ended.startedAt, messages, ...spansOf(ended) };
  return JSON.stringify(view);
}

/** The exchanges of a run, packed, and how much of them was kept. */
export interface Exchanges {
  readonly blocks: readonly string[];
  /** Of each case by its ordinal; none where it has no messages, or they are left out. */
  readonly places: readonly (Place | undefined)[];
  readonly details: Details;
}

interface Packing {
  readonly marks: Marks;
  readonly space: number;
}

/** Packs cases one at a time, in the order of the result. */
function createPacking(details: Details, { marks, space }: Packing) {
  const packer = createPacker<Kind>(space);
  const places: (Place | undefined)[] = [];
  return {
    take: (ended: CaseResult): void => {
      const kind = kindOf(ended.verdict);
      const detail = details[kind];
      const isKept = detail !== undefined && ended.messages.length > 0;
      places.push(isKept ? packer.add(kind, renderView(ended, detail, marks)) : undefined);
    },
    end: () => ({ ...packer.end(), places, details }),
  };
}

type Packed = ReturnType<ReturnType<typeof createPacking>['end']>;

function packAll(cases: Iterable<CaseResult>, details: Details, packing: Packing): Packed {
  const { take, end } = createPacking(details, packing);
  for (const ended of cases) take(ended);
  return end();
}

/** The most detail that costs no more than `space`: first the ordinary cases are shortened, then the others, and left out last. */
function chooseDetails(costIn: (tier: number, kind: Kind) => number, space: number): Details {
  for (const [tier, notable] of tiers.entries()) {
    for (let other = tier; other < tiers.length; other += 1) {
      if (costIn(tier, 'notable') + costIn(other, 'ordinary') <= space) return { notable, ordinary: tiers[other] };
    }
  }
  const fitting = tiers.findIndex((_, tier) => costIn(tier, 'notable') <= space);
  return { notable: tiers[fitting], ordinary: undefined };
}

/**
 * Packs the exchanges of cases that are handed over one at a time, with everything in them. Only where that is more than
 * fits, the cases are walked again to see what less detail would cost.
 */
export function packExchanges(cases: Iterable<CaseResult>, marks: Marks, space: number = budget) {
  const packing = { marks, space };
  const { take, end } = createPacking({ notable: full, ordinary: full }, packing);
  const shorten = (whole: Packed): Exchanges => {
    const measured = [whole];
    // To measure a tier is to pack it: this is done when its cost is asked for.
    const costIn = (tier: number, kind: Kind): number => {
      for (const detail of tiers.slice(measured.length, tier + 1)) {
        measured.push(packAll(cases, { notable: detail, ordinary: detail }, { marks, space: 0 }));
      }
      return measured[tier]?.costOf(kind) ?? 0;
    };
    return packAll(cases, chooseDetails(costIn, space), packing);
  };
  return {
    take,
    end: (): Exchanges => {
      const whole = end();
      return whole.costOf('notable') + whole.costOf('ordinary') <= space ? whole : shorten(whole);
    },
  };
}

const wordFor = (detail: Detail | undefined): string => (detail === undefined ? 'left out' : 'shortened');

/** What was shortened, in one sentence; empty where everything is there. */
export function detailNote({ notable, ordinary }: Details): string {
  if (ordinary === full) return '';
  const passed = `of cases that passed or only recorded are ${wordFor(ordinary)}`;
  const others =
    wordFor(notable) === wordFor(ordinary)
      ? `of all cases are ${wordFor(ordinary)}`
      : `${passed}, those of the others shortened`;
  return `To keep this file small the exchanges ${notable === full ? passed : others}; result.json has them in full.`;
}
