import type { CaseResult } from '../../model/result.ts';
import type { Verdict } from '../../model/verdict.ts';
import { forScript } from '../shared/sanitize.ts';
import { type CaseView, caseView, type Detail, type Marks } from './message-view.ts';
import { spansOf } from './spans.ts';

/** Bytes of all exchanges in one page: it stays under 15 MB with all else. */
export const budget = 11_000_000;

/** From everything to almost nothing. */
const tiers: readonly Detail[] = [
  { body: 16_000, headers: true, object: 'all' },
  { body: 2_000, headers: true, object: 'all' },
  { body: 600, headers: false, object: 'differences' },
  { body: 100, headers: false, object: 'none' },
];

export type Loudness = 'loud' | 'quiet';

/** Cases that somebody will want to look into are shortened last. */
export const loudnessOf = (verdict: Verdict): Loudness =>
  verdict === 'pass' || verdict === 'informational' ? 'quiet' : 'loud';

/** How much of each case is kept, and of how many messages; `undefined` keeps none. */
export type Details = Readonly<Record<Loudness, Detail | undefined>>;

export interface Sizes {
  readonly loud: readonly number[];
  readonly quiet: readonly number[];
}

/** The exchanges of one case as JSON that can stand in a script element. */
export function renderChunk(ended: CaseResult, detail: Detail, marks: Marks): string {
  const view: CaseView = caseView(ended, detail, { marks, spans: spansOf(ended) });
  return forScript(view);
}

/** Bytes that all cases take in one tier. */
function measure(cases: Iterable<CaseResult>, detail: Detail, marks: Marks): Readonly<Record<Loudness, number>> {
  const sizes = { loud: 0, quiet: 0 };
  for (const ended of cases) {
    sizes[loudnessOf(ended.verdict)] += Buffer.byteLength(renderChunk(ended, detail, marks));
  }
  return sizes;
}

/** The most detail that fits into `room` bytes: first the quiet cases are shortened, then the others, and left out last. */
export function chooseDetails(cases: Iterable<CaseResult>, marks: Marks, room: number = budget): Details {
  const sizes: Record<Loudness, number>[] = [];
  // Measuring is rendering: a tier is only measured when it is needed.
  const sizeOf = (tier: number, kind: Loudness): number => {
    for (const detail of tiers.slice(sizes.length, tier + 1)) sizes.push(measure(cases, detail, marks));
    return sizes[tier]?.[kind] ?? 0;
  };
  for (const [loud, detail] of tiers.entries()) {
    for (let quiet = loud; quiet < tiers.length; quiet += 1) {
      if (sizeOf(loud, 'loud') + sizeOf(quiet, 'quiet') <= room) return { loud: detail, quiet: tiers[quiet] };
    }
  }
  return { loud: tiers[tiers.findIndex((_, tier) => sizeOf(tier, 'loud') <= room)], quiet: undefined };
}

const wordFor = (detail: Detail | undefined): string => (detail === undefined ? 'left out' : 'shortened');

/** What was shortened, in one sentence; empty where everything is there. */
export function detailNote({ loud, quiet }: Details): string {
  const [full] = tiers;
  if (quiet === full) return '';
  const passed = `of cases that passed or only recorded are ${wordFor(quiet)}`;
  const others =
    wordFor(loud) === wordFor(quiet)
      ? `of all cases are ${wordFor(quiet)}`
      : `${passed}, those of the others shortened`;
  return `To keep this file small the exchanges ${loud === full ? passed : others}; result.json has them in full.`;
}
