import type { KeptParts } from './exploration.ts';

/** Tries several reductions in parallel; says for each whether it still shows the finding. */
export type ReductionTest = (candidates: readonly KeptParts[]) => Promise<readonly boolean[]>;

const countKeptParts = (kept: KeptParts): number => kept.filter(Boolean).length;
const keptPlaces = (kept: KeptParts): readonly number[] => [...kept.keys()].filter((at) => kept[at] === true);
const keepPlaces = (kept: KeptParts, places: ReadonlySet<number>): KeptParts =>
  kept.map((one, at) => one && places.has(at));

/** Kept places in `parts` runs of about equal length. */
function splitPlaces(kept: KeptParts, parts: number): readonly (readonly number[])[] {
  const places = keptPlaces(kept);
  const length = Math.ceil(places.length / parts);
  return Array.from({ length: Math.ceil(places.length / length) }, (_, at) =>
    places.slice(at * length, (at + 1) * length),
  );
}

/** Tries no part at all, and each part alone: most findings need no more. */
async function findSimplest(kept: KeptParts, shows: ReductionTest): Promise<KeptParts | undefined> {
  const candidates = [new Set<number>(), ...keptPlaces(kept).map((at) => new Set([at]))].map((set) =>
    keepPlaces(kept, set),
  );
  const held = await shows(candidates);
  const found = candidates.find((_, at) => held[at] === true);
  const [nothing] = candidates;
  if (found === undefined || found === nothing || nothing === undefined) return found;
  // Among so many others it may have been inconclusive.
  const [isEnough] = await shows([nothing]);
  return isEnough === true ? nothing : found;
}

/** Most parts that are tried one by one; a longer sequence is halved instead. */
const maxSingleParts = 32;

/** Finds the fewest parts that still show the finding, by delta debugging (Zeller, Hildebrandt). */
export async function shrinkParts(given: KeptParts, shows: ReductionTest): Promise<KeptParts> {
  if (countKeptParts(given) <= maxSingleParts) {
    const found = await findSimplest(given, shows);
    if (found !== undefined) return found;
  }
  let kept = given;
  let runs = 2;
  while (countKeptParts(kept) > 1) {
    const before = kept;
    const chunks = splitPlaces(before, runs);
    const candidates = chunks.map((chunk) =>
      keepPlaces(before, new Set(keptPlaces(before).filter((at) => !chunk.includes(at)))),
    );
    const held = await shows(candidates);
    const found = candidates.find((_, at) => held[at] === true);
    if (found !== undefined) {
      kept = found;
      runs = Math.max(2, runs - 1);
    } else if (runs >= countKeptParts(before)) return before;
    else runs = Math.min(countKeptParts(before), runs * 2);
  }
  return kept;
}
