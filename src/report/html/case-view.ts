import { deflateSync } from 'node:zlib';
import type { Finding } from '../../model/finding.ts';
import type { CaseResult, InvariantResult } from '../../model/result.ts';
import { renderRuleRef, type Verdict } from '../../model/rule.ts';
import { renderFinding, renderPath } from '../shared/prose.ts';
import { forTerminal } from '../shared/sanitize.ts';
import { type Mark, type Marks, type Detail, type MessageView, messageView } from './message-view.ts';
import type { Delivery, Exchange } from '../../model/exchange.ts';
import { isJsonObject, parseJson } from '../../lib/json.ts';
import { messageAnchor } from './links.ts';

/** Position of a text in the page: its block number, and its line in the block. */
export type Place = readonly [block: number, line: number];

/** UTF-16 units of a block before packing; opening a case unpacks one block. */
const blockSize = 256 * 1024;

/** Highest compression ratio credited, so that a small page does not unpack to a huge one. */
const mostPacked = 6;

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
    const cost = Math.max(packed.length, Math.ceil(text.length / mostPacked));
    costs.set(kind, (costs.get(kind) ?? 0) + cost);
    if (total() <= space) blocks[full.block] = packed;
    else blocks = [];
  }

  return {
    add: (kind: Kind, line: string): Place => {
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

function markOf(finding: Finding): Mark {
  const { summary, expected, actual } = renderFinding(finding);
  return {
    level: finding.level,
    rule: forTerminal(renderRuleRef(finding)),
    description: forTerminal(summary),
    ...(finding.path === undefined ? {} : { path: forTerminal(renderPath(finding.path)) }),
    expected: forTerminal(expected),
    actual: forTerminal(actual),
  };
}

function markMessage(marks: Map<string, Map<string, Mark[]>>, finding: Finding, caseId: string): void {
  if (finding.message === undefined) return;
  const ofCase = marks.get(caseId) ?? new Map<string, Mark[]>();
  marks.set(caseId, ofCase);
  ofCase.set(finding.message, [...(ofCase.get(finding.message) ?? []), markOf(finding)]);
}

/** Collects the marks that findings put on messages: for invariants at once, for a case when `take` gets it. */
export function collectMarks(invariants: readonly InvariantResult[]): {
  readonly marks: Marks;
  readonly take: (ended: CaseResult) => void;
} {
  const marks = new Map<string, Map<string, Mark[]>>();
  for (const finding of invariants.flatMap(({ findings }) => findings)) {
    if (finding.seenIn !== undefined) markMessage(marks, finding, finding.seenIn);
  }
  return {
    marks,
    take: ({ id, findings }) => {
      for (const finding of findings) markMessage(marks, finding, id);
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

type Spans = Pick<CaseView, 'windows' | 'pending'>;

/** Longest granted time that is drawn, in seconds. */
const longestGrant = 48 * 60 * 60;

/** Expected windows of deliveries that came at the wrong time. */
function windowsOf({ findings, messages }: CaseResult): Spans['windows'] {
  const deliveries = messages.filter((message): message is Delivery => message.kind === 'delivery');
  return findings.flatMap(({ window, actual, message }) => {
    const late = deliveries.find(({ id }) => id === message);
    if (window === undefined || late === undefined || typeof actual !== 'number') return [];
    const before = late.receivedAt - actual * 1000;
    return [[before + window.from * 1000, before + window.to * 1000, messageAnchor(late.id)] as const];
  });
}

/** Period for which an accepted request stays open: the expires_in of its response. */
function grantedTo({ id, purpose, sentAt, response }: Exchange): Spans['pending'] {
  if (purpose !== 'request' || response === undefined || response.status !== 200) return [];
  const body = parseJson(response.body);
  const granted = isJsonObject(body) ? Number(body['expires_in']) : Number.NaN;
  if (!(granted > 0 && granted <= longestGrant)) return [];
  return [[sentAt, sentAt + granted * 1000, messageAnchor(id)]];
}

/** Periods that a case's timeline shows beside its messages: expected windows and open requests. */
export function spansOf(ended: CaseResult): Spans {
  const pending = ended.messages.flatMap((message) => (message.kind === 'exchange' ? grantedTo(message) : []));
  return { windows: windowsOf(ended), pending };
}

/** Maximum cost of a page's packed exchanges, which keeps the whole page under 15 MB. */
const budget = 11_000_000;

/** Levels of detail, from everything to almost nothing. */
const full: Detail = { body: 16_000, headers: true, object: 'all' };
const tiers: readonly Detail[] = [
  full,
  { body: 2_000, headers: true, object: 'all' },
  { body: 600, headers: false, object: 'differences' },
  { body: 100, headers: false, object: 'none' },
];

/** Whether readers want to open cases with this verdict; these are shortened last. */
export const isNotable = (verdict: Verdict): boolean => verdict !== 'pass' && verdict !== 'informational';

type Kind = 'notable' | 'ordinary';

/** Detail of messages in notable and in ordinary cases; `undefined` keeps none. */
type Details = Readonly<Record<Kind, Detail | undefined>>;

export const kindOf = (verdict: Verdict): Kind => (isNotable(verdict) ? 'notable' : 'ordinary');

function renderView(ended: CaseResult, detail: Detail, marks: Marks): string {
  const own = marks.get(ended.id);
  const messages = ended.messages.map((message) => messageView(message, detail, own?.get(message.id)));
  const view: CaseView = { startedAt: ended.startedAt, messages, ...spansOf(ended) };
  return JSON.stringify(view);
}

/** Packed exchanges of a run, and the detail that was kept. */
export interface Exchanges {
  readonly blocks: readonly string[];
  /** Indexed by case ordinal; undefined if the case has no messages or they are left out. */
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
  const take = (ended: CaseResult): void => {
    const kind = kindOf(ended.verdict);
    const detail = details[kind];
    const isKept = detail !== undefined && ended.messages.length > 0;
    places.push(isKept ? packer.add(kind, renderView(ended, detail, marks)) : undefined);
  };
  return { take, end: () => ({ ...packer.end(), places, details }) };
}

type Packed = ReturnType<ReturnType<typeof createPacking>['end']>;

function packAll(cases: Iterable<CaseResult>, details: Details, packing: Packing): Packed {
  const { take, end } = createPacking(details, packing);
  for (const ended of cases) take(ended);
  return end();
}

/** Most detail that fits `space`: ordinary cases are shortened first, then notable ones; messages are left out last. */
function chooseDetails(costIn: (tier: number, kind: Kind) => number, space: number): Details {
  for (const [tier, notable] of tiers.entries()) {
    for (let other = tier; other < tiers.length; other += 1) {
      if (costIn(tier, 'notable') + costIn(other, 'ordinary') <= space) return { notable, ordinary: tiers[other] };
    }
  }
  const fitting = tiers.findIndex((_, tier) => costIn(tier, 'notable') <= space);
  return { notable: tiers[fitting], ordinary: undefined };
}

/** Packs the exchanges of cases; walks them again with less detail only if they do not fit. */
export function packExchanges(cases: Iterable<CaseResult>, marks: Marks, space: number = budget) {
  const packing = { marks, space };
  const { take, end } = createPacking({ notable: full, ordinary: full }, packing);
  const shorten = (whole: Packed): Exchanges => {
    const measured = [whole];
    // Measuring a tier means packing it, so it is done on demand.
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

/** Sentence about what was shortened; empty if nothing was. */
export function detailNote({ notable, ordinary }: Details): string {
  if (ordinary === full) return '';
  const passed = `of cases that passed or only recorded are ${wordFor(ordinary)}`;
  const others =
    wordFor(notable) === wordFor(ordinary)
      ? `of all cases are ${wordFor(ordinary)}`
      : `${passed}, those of the others shortened`;
  return `To keep this file small the exchanges ${notable === full ? passed : others}; result.json has them in full.`;
}
