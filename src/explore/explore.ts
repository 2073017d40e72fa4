import type { JsonObject } from '../lib/json.ts';
import type { Finding } from '../model/finding.ts';
import { caseOfOne, casesOf, type MadeCase } from './cases.ts';
import { allOf, type Kept, keptNames, type Kind, type Probe } from './probe.ts';
import { shrinkParts } from './shrink.ts';
import { shownBy, type Shown, signatureOf, type Tried } from './shown.ts';
import type { TriedCases } from './try-cases.ts';

/** Runs made cases against the carrier. */
export type Try = (cases: readonly JsonObject[]) => Promise<TriedCases>;

/** What an exploration has found: the smallest probe that shows it. */
export interface Found {
  readonly kind: Kind;
  readonly rule: string;
  readonly title: string;
  /** What is left of the parts of the probe. */
  readonly parts: readonly string[];
  readonly finding: Finding;
  readonly invariant?: string;
  /** The case that shows it, without its id. */
  readonly case: JsonObject;
  /** Request objects that had been sent when it was seen first. */
  readonly after: number;
  /** Other probes that show the same cause. */
  readonly folded: number;
}

export interface Explored {
  readonly found: readonly Found[];
  /** Seen once, and not again in a case of their own. */
  readonly unconfirmed: readonly { readonly rule: string; readonly title: string; readonly after: number }[];
  /** Request objects that were sent, by kind; what shrinking sent is not counted. */
  readonly requests: Readonly<Partial<Record<Kind, number>>>;
  /** Probes without a verdict, and the first reason. */
  readonly unjudged: { readonly count: number; readonly reason?: string };
  /** Why it had to stop before its end. */
  readonly stopped?: string;
}

export interface Exploring {
  readonly probes: readonly Probe[];
  readonly attempt: Try;
  /** Whether there is time, and are requests left, for more. */
  readonly goOn: () => boolean;
  readonly onProgress: (sent: number, found: number) => void;
  /** Findings after which it ends. */
  readonly enough?: number;
}

interface Red {
  readonly probe: Probe;
  readonly shown: Shown;
  readonly after: number;
}

/** Request objects of one stretch: between two, it looks at the time. */
const stretch = 700;

function stretchesOf(probes: readonly Probe[]): readonly (readonly Probe[])[] {
  const stretches: Probe[][] = [];
  let sent = Infinity;
  for (const probe of probes) {
    if (sent + probe.requests > stretch) {
      stretches.push([]);
      sent = 0;
    }
    stretches.at(-1)?.push(probe);
    sent += probe.requests;
  }
  return stretches;
}

const shows = (tried: readonly Tried[], signature: string): boolean =>
  tried.some(({ shown }) => shown.some((one) => signatureOf(one) === signature));

/** Names the cases of a try, so that no two of an exploration have the same. */
function createTrier(attempt: Try) {
  let tries = 0;
  return async (
    made: (name: string) => readonly MadeCase[],
  ): Promise<{ tried: readonly Tried[]; stopped?: string }> => {
    tries += 1;
    const cases = made(`explored-${tries}`);
    const outcome = await attempt(cases.map(({ json }) => json));
    return { tried: shownBy(cases, outcome), ...(outcome.stopped === undefined ? {} : { stopped: outcome.stopped }) };
  };
}

type Trier = ReturnType<typeof createTrier>;

/** Each reduction in a case of its own; one that tries nothing shows nothing. */
async function stillShown(
  probe: Probe,
  signature: string,
  candidates: readonly Kept[],
  trier: Trier,
): Promise<readonly boolean[]> {
  const places: number[] = [];
  const { tried } = await trier((name) =>
    candidates.flatMap((kept, at) => {
      const made = caseOfOne(`${name}-${at + 1}`, probe, kept);
      if (made === undefined) return [];
      places.push(at);
      return [made];
    }),
  );
  const found = new Set(places.filter((_, at) => shows(tried.slice(at, at + 1), signature)));
  return candidates.map((_, at) => found.has(at));
}

/** The smallest probe that shows it, twice more; undefined where it does not show in a case of its own. */
async function settle({ probe, shown, after }: Red, trier: Trier): Promise<Found | undefined> {
  const signature = signatureOf(shown);
  const again = (candidates: readonly Kept[]): Promise<readonly boolean[]> =>
    stillShown(probe, signature, candidates, trier);
  const [alone] = await again([allOf(probe)]);
  if (alone !== true) return undefined;
  const kept = await shrinkParts(allOf(probe), again);
  for (let time = 0; time < 2; time += 1) {
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
    finding: shown.finding,
    ...(shown.invariant === undefined ? {} : { invariant: shown.invariant }),
    case: json,
    after,
    folded: 0,
  };
}

/** The same rule, and all that is left of what was found is in it: one cause. */
function isSameCause(found: Found, { probe, shown }: Red, bases: ReadonlyMap<Found, Red>): boolean {
  const first = bases.get(found);
  if (first === undefined || found.rule !== shown.finding.rule) return false;
  if (signatureOf(first.shown) !== signatureOf(shown)) return false;
  if (probe.alone || first.probe.alone) return true;
  const names = new Set(probe.parts);
  return (found.parts.length > 0 || probe.base === first.probe.base) && found.parts.every((part) => names.has(part));
}

/** Shrinks what is red, one cause after the other. */
async function settleAll(
  reds: readonly Red[],
  trier: Trier,
  known: { found: Found[]; bases: Map<Found, Red>; lost: Red[] },
): Promise<void> {
  for (const red of reds) {
    const same = known.found.findIndex((one) => isSameCause(one, red, known.bases));
    const before = known.found[same];
    if (before !== undefined) {
      const folded = { ...before, folded: before.folded + 1 };
      known.found[same] = folded;
      known.bases.set(folded, known.bases.get(before) ?? red);
      continue;
    }
    const found = await settle(red, trier);
    if (found === undefined) known.lost.push(red);
    else {
      known.found.push(found);
      known.bases.set(found, red);
    }
  }
}

/** Tries all probes, as far as there is time, and shrinks what turns red. */
export async function explore({ probes, attempt, goOn, onProgress, enough = 20 }: Exploring): Promise<Explored> {
  const trier = createTrier(attempt);
  const known = { found: [] as Found[], bases: new Map<Found, Red>(), lost: [] as Red[] };
  const requests: Partial<Record<Kind, number>> = {};
  const unjudged: { count: number; reason?: string } = { count: 0 };
  let sent = 0;
  let stopped: string | undefined;
  for (const some of stretchesOf(probes)) {
    if (!goOn() || known.found.length >= enough || stopped !== undefined) break;
    const outcome = await trier((name) => casesOf(some, name));
    stopped = outcome.stopped;
    const reds: Red[] = [];
    for (const { probe, shown, unjudged: reason } of outcome.tried) {
      sent += probe.requests;
      requests[probe.kind] = (requests[probe.kind] ?? 0) + probe.requests;
      const [first] = shown;
      if (first !== undefined) reds.push({ probe, shown: first, after: sent });
      else if (reason !== undefined) {
        unjudged.count += 1;
        unjudged.reason ??= reason;
      }
    }
    onProgress(sent, known.found.length);
    await settleAll(reds, trier, known);
  }
  return {
    found: known.found,
    unconfirmed: known.lost.map(({ probe, shown, after }) => ({
      rule: shown.finding.rule,
      title: probe.title(allOf(probe)),
      after,
    })),
    requests,
    unjudged,
    ...(stopped === undefined ? {} : { stopped }),
  };
}
