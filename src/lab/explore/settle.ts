import type { JsonObject } from '../../lib/json.ts';
import type { Finding } from '../../model/finding.ts';
import {
  buildCase,
  findingSignature,
  type GeneratedCase,
  type ProbeResult,
  readProbeResults,
  type ShownFinding,
} from './cases.ts';
import { type KeptParts, keepAllParts, keptPartNames, type Probe, type ProbeKind } from './exploration.ts';
import { shrinkParts } from './shrink.ts';
import type { TryResult } from './try-cases.ts';

export type CasesAttempt = (cases: readonly JsonObject[]) => Promise<TryResult>;

/** Confirmed finding, with the smallest probe that shows it. */
export interface ConfirmedFinding {
  readonly kind: ProbeKind;
  readonly rule: string;
  readonly title: string;
  /** Parts of the probe that remain after shrinking. */
  readonly parts: readonly string[];
  readonly finding: Finding;
  readonly invariant?: string;
  /** The case that shows it, without its id. */
  readonly case: JsonObject;
  /** Request objects sent when it was first seen. */
  readonly after: number;
  /** Number of other probes with the same breach. */
  readonly folded: number;
}

export interface RedProbe {
  readonly probe: Probe;
  readonly shown: ShownFinding;
  readonly after: number;
}

export type Trier = (
  made: (name: string) => readonly GeneratedCase[],
) => Promise<{ tried: readonly ProbeResult[]; stopped?: string }>;

/** Gives every case of an exploration a name of its own. */
export function createTrier(attempt: CasesAttempt): Trier {
  let tries = 0;
  return async (made) => {
    tries += 1;
    const cases = made(`explored-${tries}`);
    const outcome = await attempt(cases.map(({ json }) => json));
    return {
      tried: readProbeResults(cases, outcome),
      ...(outcome.stopped === undefined ? {} : { stopped: outcome.stopped }),
    };
  };
}

/** Tries each reduction in a case of its own; false for one that leaves nothing to try. */
async function testReductions(
  { probe, shown }: RedProbe,
  candidates: readonly KeptParts[],
  trier: Trier,
): Promise<readonly boolean[]> {
  const signature = findingSignature(shown);
  const places: number[] = [];
  const { tried } = await trier((name) =>
    candidates.flatMap((kept, at) => {
      const made = buildCase(`${name}-${at + 1}`, probe, kept);
      if (made === undefined) return [];
      places.push(at);
      return [made];
    }),
  );
  const showing = (at: number): boolean => tried[at]?.shown.some((one) => findingSignature(one) === signature) === true;
  const found = new Set(places.filter((_, at) => showing(at)));
  return candidates.map((_, at) => found.has(at));
}

/** Times that the smallest probe must show the finding again. */
const confirmationCount = 2;

/** Shrinks the probe and confirms it twice; undefined if the finding does not recur in a case of its own. */
export async function confirmFinding(red: RedProbe, trier: Trier): Promise<ConfirmedFinding | undefined> {
  const { probe, shown, after } = red;
  const again = (candidates: readonly KeptParts[]): Promise<readonly boolean[]> =>
    testReductions(red, candidates, trier);
  const [alone] = await again([keepAllParts(probe)]);
  if (alone !== true) return undefined;
  const kept = await shrinkParts(keepAllParts(probe), again);
  for (let time = 0; time < confirmationCount; time += 1) {
    const [seen] = await again([kept]);
    if (seen !== true) return undefined;
  }
  const made = buildCase('explored', probe, kept);
  if (made === undefined) return undefined;
  const { id: _, ...json } = made.json;
  return {
    kind: probe.kind,
    rule: shown.finding.rule,
    title: probe.title(kept),
    parts: keptPartNames(probe, kept),
    finding: shown.finding,
    ...(shown.invariant === undefined ? {} : { invariant: shown.invariant }),
    case: json,
    after,
    folded: 0,
  };
}
