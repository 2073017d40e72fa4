import type { JsonObject } from '../lib/json.ts';
import type { Finding } from '../model/finding.ts';
import { caseOfOne, type MadeCase, shownBy, type Shown, signatureOf, type Tried } from './cases.ts';
import { allOf, type Kept, keptNames, keptVariations, type Kind, type Probe } from './exploration.ts';
import { shrinkParts } from './shrink.ts';
import type { TriedCases } from './try-cases.ts';

export type Try = (cases: readonly JsonObject[]) => Promise<TriedCases>;

/** Confirmed finding, with the smallest probe that shows it. */
export interface Found {
  readonly kind: Kind;
  readonly rule: string;
  readonly title: string;
  /** Parts of the probe that remain after shrinking. */
  readonly parts: readonly string[];
  readonly varied: readonly string[];
  readonly finding: Finding;
  readonly invariant?: string;
  /** The case that shows it, without its id. */
  readonly case: JsonObject;
  /** Request objects sent when it was first seen. */
  readonly after: number;
  /** Number of other probes with the same cause. */
  readonly folded: number;
}

export interface Red {
  readonly probe: Probe;
  readonly shown: Shown;
  readonly after: number;
}

export type Trier = (
  made: (name: string) => readonly MadeCase[],
) => Promise<{ tried: readonly Tried[]; stopped?: string }>;

/** Gives every case of an exploration a name of its own. */
export function createTrier(attempt: Try): Trier {
  let tries = 0;
  return async (made) => {
    tries += 1;
    const cases = made(`explored-${tries}`);
    const outcome = await attempt(cases.map(({ json }) => json));
    return { tried: shownBy(cases, outcome), ...(outcome.stopped === undefined ? {} : { stopped: outcome.stopped }) };
  };
}

/** Tries each reduction in a case of its own; false for one that leaves nothing to try. */
async function stillShown(
  { probe, shown }: Red,
  candidates: readonly Kept[],
  trier: Trier,
): Promise<readonly boolean[]> {
  const signature = signatureOf(shown);
  const places: number[] = [];
  const { tried } = await trier((name) =>
    candidates.flatMap((kept, at) => {
      const made = caseOfOne(`${name}-${at + 1}`, probe, kept);
      if (made === undefined) return [];
      places.push(at);
      return [made];
    }),
  );
  const showing = (at: number): boolean => tried[at]?.shown.some((one) => signatureOf(one) === signature) === true;
  const found = new Set(places.filter((_, at) => showing(at)));
  return candidates.map((_, at) => found.has(at));
}

/** Times that the smallest probe must show the finding again. */
const confirmations = 2;

/** Shrinks the probe and confirms it twice; undefined if the finding does not recur in a case of its own. */
export async function settle(red: Red, trier: Trier): Promise<Found | undefined> {
  const { probe, shown, after } = red;
  const again = (candidates: readonly Kept[]): Promise<readonly boolean[]> => stillShown(red, candidates, trier);
  const [alone] = await again([allOf(probe)]);
  if (alone !== true) return undefined;
  const kept = await shrinkParts(allOf(probe), again);
  for (let time = 0; time < confirmations; time += 1) {
    const [seen] = await again([kept]);
    if (seen !== true) return undefined;
  }
  const made = caseOfOne('explored', probe, kept);
  if (made === undefined) return undefined;
  const { id: _, ...json } = made.json;
  return {
    kind: probe.kind,
    rule: shown.finding.rule,
    title: probe.title(kept),
    parts: keptNames(probe, kept),
    varied: keptVariations(probe, kept),
    finding: shown.finding,
    ...(shown.invariant === undefined ? {} : { invariant: shown.invariant }),
    case: json,
    after,
    folded: 0,
  };
}
