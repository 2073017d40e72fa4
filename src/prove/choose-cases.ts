import { rulesOfInvariant } from '../engine/plan/select.ts';
import { byLot } from '../lib/covering/random.ts';
import { rulesOf } from '../suite/rules-of.ts';
import type { Suites } from '../suite/suites.ts';
import { matrixName, type Subject } from './catalogue.ts';
import type { Differing } from './job.ts';

/** Cases for which a fault does not do the same as the clean carrier; all, where it differs on no case's behalf. */
export function casesToRun(name: string, differing: Differing): readonly string[] | undefined {
  if (differing['']?.includes(name) === true) return undefined;
  return Object.keys(differing).filter((id) => differing[id]?.includes(name) === true);
}

/** Of the cases that have nothing to do with what a fault is declared to do, so many run at least. */
const sample = 12;
/** A fault that concerns more cases than these runs a sample of those that have nothing to do with what it is declared to do. */
const most = 36;

/** Ids of the cases that judge a rule which the fault is declared to turn, and of those that say that they detect it. */
function judgesOf({ name, breaks, masks }: Subject, { cases, invariants }: Suites): ReadonlySet<string> {
  const rules = new Set([...breaks, ...(masks === 'what follows' ? [] : masks)]);
  const concerned = invariants.filter(
    (one) => one.detects.includes(name) || [...rulesOfInvariant(one)].some((id) => rules.has(id)),
  );
  const seenIn = new Set(concerned.flatMap((one) => one.seenIn));
  const judging = cases.filter(
    (one) =>
      one.detects.includes(name) ||
      [...rulesOf(one)].some((id) => rules.has(id)) ||
      seenIn.has(one.id) ||
      seenIn.has(matrixName(one.id)),
  );
  return new Set(judging.map(({ id }) => id));
}

/** So many cases run one after the other: that takes little longer, and nothing hangs on their order. */
export const fewCases = 100;

/** Those of the given cases that run with a fault: all that could turn a declared rule, and a sample of the others. */
function sampleFor(subject: Subject, ids: readonly string[], suites: Suites): readonly string[] {
  if (ids.length <= most) return ids;
  const judges = judgesOf(subject, suites);
  const others = ids.filter((id) => !judges.has(id));
  const room = Math.max(sample, most - judges.size);
  const drawn = byLot(subject.name, others, (id) => id).slice(0, room);
  const chosen = new Set([...judges, ...drawn]);
  return ids.filter((id) => chosen.has(id));
}

/** The cases that a fault concerns, and those of them that run with it. */
export interface Choice {
  readonly concerned: readonly string[];
  readonly chosen: readonly string[];
}

/** The cases that say they detect a fault. */
const detecting = ({ name }: Subject, { cases }: Suites): readonly string[] =>
  cases.flatMap(({ id, detects }) => (detects.includes(name) ? [id] : []));

/** Cases that always run: state kept between their requests shows only if no other case comes between. */
export function casesFor(subject: Subject, differing: Differing, suites: Suites): Choice {
  const all = suites.cases.map(({ id }) => id);
  const differ = new Set(casesToRun(subject.name, differing) ?? all);
  const always = new Set(subject.stateful === true ? detecting(subject, suites) : []);
  const concerned = all.filter((id) => differ.has(id) || always.has(id));
  return { concerned, chosen: sampleFor(subject, concerned, suites) };
}

/** The choice with all cases of these rules: what a sample shows of a rule holds once its other cases have run as well. */
export function withRules({ concerned, chosen }: Choice, rules: readonly string[], suites: Suites): readonly string[] {
  const wanted = new Set(chosen);
  const known = new Set(concerned);
  for (const one of suites.cases) {
    if (known.has(one.id) && [...rulesOf(one)].some((rule) => rules.includes(rule))) wanted.add(one.id);
  }
  return concerned.filter((id) => wanted.has(id));
}
