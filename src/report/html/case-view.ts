import { deflateSync } from 'node:zlib';
import type { CaseResult } from '../../model/result.ts';
import type { Verdict } from '../../model/rule.ts';
import { type MessageDetail, type MessageView, messageView } from './message-view.ts';
import type { Delivery, Exchange } from '../../model/exchange.ts';
import { isJsonObject, parseJson } from '../../lib/json.ts';
import { messageAnchor } from './links.ts';

/** Position of a text in the page: its block number, and its line in the block. */
export type PackedPlace = readonly [block: number, line: number];

/** UTF-16 units of a block before packing; opening a case unpacks one block. */
const blockSize = 256 * 1024;

/** Highest compression ratio credited, so that a small page does not unpack to a huge one. */
const maxPackRatio = 6;

/** Packs a text as base64 of its deflate stream (RFC 1950), which a browser's DecompressionStream reads. */
export const packText = (text: string): string => deflateSync(text).toString('base64');

/** Packs texts into blocks, one kind per block. Once they cost more than `space`, it only measures. */
export function createPacker<Kind extends string>(space: number) {
  let blocks: string[] = [];
  let numbered = 0;
  const open = new Map<Kind, { readonly block: number; readonly lines: string[]; size: number }>();
  const costs = new Map<Kind, number>();
  const total = (): number => [...costs.values()].reduce((sum, cost) => sum + cost, 0);

  function close(kind: Kind): void {
    const full = open.get(kind);
    if (full === undefined) return;
    const text = full.lines.join('\n');
    const packed = packText(text);
    open.delete(kind);
    // The cost is the packed size, or a share of the unpacked size, which takes a reader's memory.
    const cost = Math.max(packed.length, Math.ceil(text.length / maxPackRatio));
    costs.set(kind, (costs.get(kind) ?? 0) + cost);
    if (total() <= space) blocks[full.block] = packed;
    else blocks = [];
  }

  return {
    add: (kind: Kind, line: string): PackedPlace => {
      const block = open.get(kind) ?? { block: numbered++, lines: [], size: 0 };
      open.set(kind, block);
      block.lines.push(line);
      block.size += line.length;
      if (block.size >= blockSize) close(kind);
      return [block.block, block.lines.length - 1];
    },
    /** Blocks in numerical order, none if they cost too much, and the cost of each kind. */
    end: (): { readonly blocks: readonly string[]; readonly costOf: (kind: Kind) => number } => {
      for (const kind of open.keys()) close(kind);
      return { blocks, costOf: (kind) => costs.get(kind) ?? 0 };
    },
  };
}

/** Content of a case that stays packed until a reader opens it. */
export interface CaseView {
  readonly startedAt: number;
  readonly messages: readonly MessageView[];
  readonly windows: readonly (readonly [from: number, to: number, at: string])[];
  readonly pending: readonly (readonly [from: number, to: number, at: string])[];
}

type CaseSpans = Pick<CaseView, 'windows' | 'pending'>;

/** Longest granted time that is drawn, in seconds. */
const maxGrant = 48 * 60 * 60;

/** Expected windows of deliveries that came at the wrong time. */
function expectedWindows({ findings, messages }: CaseResult): CaseSpans['windows'] {
  const deliveries = messages.filter((message): message is Delivery => message.kind === 'delivery');
  return findings.flatMap(({ window, actual, message }) => {
    const late = deliveries.find(({ id }) => id === message);
    if (window === undefined || late === undefined || typeof actual !== 'number') return [];
    const before = late.receivedAt - actual * 1000;
    return [[before + window.from * 1000, before + window.to * 1000, messageAnchor(late.id)] as const];
  });
}

/** Period for which an accepted request stays open: the expires_in of its response. */
function pendingSpan({ id, purpose, sentAt, response }: Exchange): CaseSpans['pending'] {
  if (purpose !== 'request' || response === undefined || response.status !== 200) return [];
  const body = parseJson(response.body);
  const granted = isJsonObject(body) ? Number(body['expires_in']) : Number.NaN;
  if (!(granted > 0 && granted <= maxGrant)) return [];
  return [[sentAt, sentAt + granted * 1000, messageAnchor(id)]];
}

/** Periods that a case's timeline shows beside its messages: expected windows and open requests. */
export function listCaseSpans(ended: CaseResult): CaseSpans {
  const pending = ended.messages.flatMap((message) => (message.kind === 'exchange' ? pendingSpan(message) : []));
  return { windows: expectedWindows(ended), pending };
}

/** Maximum cost of a page's packed exchanges, which keeps the whole page under 15 MB. */
const exchangeBudget = 11_000_000;

/** Levels of detail, from everything to almost nothing. */
const fullDetail: MessageDetail = { body: 16_000, headers: true, object: 'all' };
const detailTiers: readonly MessageDetail[] = [
  fullDetail,
  { body: 2_000, headers: true, object: 'all' },
  { body: 600, headers: false, object: 'differences' },
  { body: 100, headers: false, object: 'none' },
];

/** Whether readers want to open cases with this verdict; these are shortened last. */
export const isNotable = (verdict: Verdict): boolean => verdict !== 'pass' && verdict !== 'informational';

type CaseKind = 'notable' | 'ordinary';

/** Detail of messages in notable and in ordinary cases; `undefined` keeps none. */
type CaseDetails = Readonly<Record<CaseKind, MessageDetail | undefined>>;

const detailKind = (verdict: Verdict): CaseKind => (isNotable(verdict) ? 'notable' : 'ordinary');

function renderView(ended: CaseResult, detail: MessageDetail): string {
  const messages = ended.messages.map((message) => messageView(message, detail));
  const view: CaseView = { startedAt: ended.startedAt, messages, ...listCaseSpans(ended) };
  return JSON.stringify(view);
}

/** Packed exchanges of a run, and the detail that was kept. */
export interface Exchanges {
  readonly blocks: readonly string[];
  /** Indexed by case ordinal; undefined if the case has no messages or they are left out. */
  readonly places: readonly (PackedPlace | undefined)[];
  readonly details: CaseDetails;
}

/** Packs cases one at a time, in the order of the result. */
function createPacking(details: CaseDetails, space: number) {
  const packer = createPacker<CaseKind>(space);
  const places: (PackedPlace | undefined)[] = [];
  const take = (ended: CaseResult): void => {
    const kind = detailKind(ended.verdict);
    const detail = details[kind];
    const isKept = detail !== undefined && ended.messages.length > 0;
    places.push(isKept ? packer.add(kind, renderView(ended, detail)) : undefined);
  };
  return { take, end: () => ({ ...packer.end(), places, details }) };
}

type PackedCases = ReturnType<ReturnType<typeof createPacking>['end']>;

function packAll(cases: Iterable<CaseResult>, details: CaseDetails, space: number): PackedCases {
  const { take, end } = createPacking(details, space);
  for (const ended of cases) take(ended);
  return end();
}

/** Most detail that fits `space`: ordinary cases are shortened first, then notable ones; messages are left out last. */
function chooseDetails(costIn: (tier: number, kind: CaseKind) => number, space: number): CaseDetails {
  for (const [tier, notable] of detailTiers.entries()) {
    for (let other = tier; other < detailTiers.length; other += 1) {
      if (costIn(tier, 'notable') + costIn(other, 'ordinary') <= space)
        return { notable, ordinary: detailTiers[other] };
    }
  }
  const fitting = detailTiers.findIndex((_, tier) => costIn(tier, 'notable') <= space);
  return { notable: detailTiers[fitting], ordinary: undefined };
}

/** Packs the exchanges of cases; walks them again with less detail only if they do not fit. */
export function packExchanges(cases: Iterable<CaseResult>, space: number = exchangeBudget) {
  const { take, end } = createPacking({ notable: fullDetail, ordinary: fullDetail }, space);
  const shorten = (whole: PackedCases): Exchanges => {
    const measured = [whole];
    // Measuring a tier means packing it, so it is done on demand.
    const costIn = (tier: number, kind: CaseKind): number => {
      for (const detail of detailTiers.slice(measured.length, tier + 1)) {
        measured.push(packAll(cases, { notable: detail, ordinary: detail }, 0));
      }
      return measured[tier]?.costOf(kind) ?? 0;
    };
    return packAll(cases, chooseDetails(costIn, space), space);
  };
  return {
    take,
    end: (): Exchanges => {
      const whole = end();
      return whole.costOf('notable') + whole.costOf('ordinary') <= space ? whole : shorten(whole);
    },
  };
}

const detailWord = (detail: MessageDetail | undefined): string => (detail === undefined ? 'left out' : 'shortened');

/** Sentence about what was shortened; empty if nothing was. */
export function detailNote({ notable, ordinary }: CaseDetails): string {
  if (ordinary === fullDetail) return '';
  const passed = `of cases that passed or only recorded are ${detailWord(ordinary)}`;
  const others =
    detailWord(notable) === detailWord(ordinary)
      ? `of all cases are ${detailWord(ordinary)}`
      : `${passed}, those of the others shortened`;
  return `To keep this file small the exchanges ${notable === fullDetail ? passed : others}; result.json has them in full.`;
}
