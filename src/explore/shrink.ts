import type { Kept } from './exploration.ts';

/** Tries several reductions in parallel; says for each whether it still shows the finding. */
export type StillShows = (candidates: readonly Kept[]) => Promise<readonly boolean[]>;

const countOf = (kept: Kept): number => kept.filter(Boolean).length;
const placesOf = (kept: Kept): readonly number[] => [...kept.keys()].filter((at) => kept[at] === true);
const keeping = (kept: Kept, places: ReadonlySet<number>): Kept => kept.map((one, at) => one && places.has(at));

/** Kept places in `parts` runs of about equal length. */
function runsOf(kept: Kept, parts: number): readonly (readonly number[])[] {
  const places = placesOf(kept);
  const length = Math.ceil(places.length / parts);
  return Array.from({ length: Math.ceil(places.length / length) }, (_, at) =>
    places.slice(at * length, (at + 1) * length),
  );
}

/** Tries no part at all, and each part alone: most findings need no more. */
async function simplest(kept: Kept, shows: StillShows): Promise<Kept | undefined> {
  const candidates = [new Set<number>(), ...placesOf(kept).map((at) => new Set([at]))].map((set) => keeping(kept, set));
  const held = await shows(candidates);
  const found = candidates.find((_, at) => held[at] === true);
  const [nothing] = candidates;
  if (found === undefined || found === nothing || nothing === undefined) return found;
  // Among so many others it may have been inconclusive.
  const [isEnough] = await shows([nothing]);
  return isEnough === true ? nothing : found;
}

/** Most parts that are tried one by one; a longer sequence is halved instead. */
const fewParts = 32;

/** Finds the fewest parts that still show the finding, by delta debugging (Zeller, Hildebrandt). */
export async function shrinkParts(given: Kept, shows: StillShows): Promise<Kept> {
  if (countOf(given) <= fewParts) {
    const found = await simplest(given, shows);
    if (found !== undefined) return found;
  }
  let kept = given;
  let runs = 2;
  while (countOf(kept) > 1) {
    const before = kept;
    const chunks = runsOf(before, runs);
    const candidates = chunks.map((chunk) =>
      keeping(before, new Set(placesOf(before).filter((at) => !chunk.includes(at)))),
    );
    const held = await shows(candidates);
    const found = candidates.find((_, at) => held[at] === true);
    if (found !== undefined) {
      kept = found;
      runs = Math.max(2, runs - 1);
    } else if (runs >= countOf(before)) return before;
    else runs = Math.min(countOf(before), runs * 2);
  }
  return kept;
}
