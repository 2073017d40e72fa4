import { invariantRules } from '../engine/plan/select.ts';
import { byLot } from '../lib/covering/random.ts';
import { rulesOf, type Suites } from '../suite/suites.ts';
import { matrixName, type Subject } from './catalogue.ts';
import type { Differing, CaseOutcome, JobOutcome } from './job.ts';
import type { ComparedWith } from './judge-subject.ts';
import type { MatrixRow } from './matrix.ts';

/** Cases in which a fault differs from the clean carrier; undefined (all) if it differs outside any case. */
export function casesToRun(name: string, differing: Differing): readonly string[] | undefined {
  if (differing['']?.includes(name) === true) return undefined;
  return Object.keys(differing).filter((id) => differing[id]?.includes(name) === true);
}

/** Fewest cases to run that are unrelated to the declared effect of a fault. */
const sample = 4;
/** Concerned cases beyond which a fault runs only a sample of the unrelated ones. */
const most = 16;

/** Ids of the cases that judge a rule the fault breaks, or that declare to detect it. */
function judgesOf({ name, breaks }: Subject, { cases, invariants }: Suites): ReadonlySet<string> {
  const rules = new Set(breaks);
  const concerned = invariants.filter(
    (one) => one.detects.includes(name) || [...invariantRules(one)].some((id) => rules.has(id)),
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

const detecting = ({ name }: Subject, { cases }: Suites): readonly string[] =>
  cases.flatMap(({ id, detects }) => (detects.includes(name) ? [id] : []));

/** Most cases to run one after the other: it takes little longer, and their order does not vary. */
export const fewCases = 100;

/** The wanted cases, and `room` others drawn by lot. */
function withSample(
  ids: readonly string[],
  wanted: ReadonlySet<string>,
  { lot, room }: { readonly lot: string; readonly room: number },
): readonly string[] {
  const others = ids.filter((id) => !wanted.has(id));
  const chosen = new Set([...wanted, ...byLot(lot, others, (id) => id).slice(0, room)]);
  return ids.filter((id) => chosen.has(id));
}

/** Cases to run with a fault: all that could turn a declared rule, and a sample of the others. */
function sampleFor(subject: Subject, ids: readonly string[], suites: Suites): readonly string[] {
  if (ids.length <= most) return ids;
  const judges = judgesOf(subject, suites);
  return withSample(ids, judges, { lot: subject.name, room: Math.max(sample, most - judges.size) });
}

/** Sampled cases beside those that a whole proof saw red. */
const sampleBesideRow = 2;

/**
 * Cases that a whole proof saw red, declared detectors, cases in which a red invariant is seen, and a sample of the others. All, if that is
 * more than half: the effects of one of many show in the next.
 */
function sampleByRow(subject: Subject, ids: readonly string[], row: MatrixRow, suites: Suites): readonly string[] {
  const red = new Set([...row.red, ...(row.follows ?? []), ...detecting(subject, suites)]);
  const seen = new Set(suites.invariants.filter(({ id }) => red.has(id)).flatMap(({ seenIn }) => seenIn));
  const wanted = ids.filter((id) => [id, matrixName(id)].some((name) => red.has(name) || seen.has(name)));
  if (2 * wanted.length > ids.length) return ids;
  return withSample(ids, new Set(wanted), { lot: subject.name, room: sampleBesideRow });
}

interface Choice {
  readonly concerned: readonly string[];
  readonly chosen: readonly string[];
}

/**
 * Cases to run with a fault, by its row of an earlier whole proof if there is one. Declared detectors of a stateful fault always run: state
 * kept between their requests shows only if no other case comes between.
 */
export function casesFor(subject: Subject, differing: Differing, suites: Suites, row?: MatrixRow): Choice {
  const all = suites.cases.map(({ id }) => id);
  const differ = new Set(casesToRun(subject.name, differing) ?? all);
  const always = new Set(subject.stateful === true ? detecting(subject, suites) : []);
  const concerned = all.filter((id) => differ.has(id) || always.has(id));
  const isKnown = row !== undefined && row.sampled === undefined;
  return {
    concerned,
    chosen: isKnown ? sampleByRow(subject, concerned, row, suites) : sampleFor(subject, concerned, suites),
  };
}

/** Names whose cases all ran; undefined if every concerned case ran. */
export function sampledOf({ concerned }: Choice, ran: readonly string[]): readonly string[] | undefined {
  if (ran.length >= concerned.length) return undefined;
  const known = new Set(ran);
  const left = new Set(concerned.filter((id) => !known.has(id)).map(matrixName));
  return [...new Set(ran.map(matrixName))].filter((name) => !left.has(name));
}

/** The choice with all cases of these rules: the verdict of a sample holds once the rule's other cases have run too. */
export function withRules({ concerned, chosen }: Choice, rules: readonly string[], suites: Suites): readonly string[] {
  const wanted = new Set(chosen);
  const known = new Set(concerned);
  for (const one of suites.cases) {
    if (known.has(one.id) && [...rulesOf(one)].some((rule) => rules.includes(rule))) wanted.add(one.id);
  }
  return concerned.filter((id) => wanted.has(id));
}

/** Most cases to run again for a rule that a fault turned. */
const casesForRule = 3;

const findsRule =
  (rule: string) =>
  ({ findings }: CaseOutcome): boolean =>
    findings.some((finding) => finding.rule === rule && finding.level !== 'informational');

/** Cases in whose messages an invariant found the rule broken; first, those in which it must be seen. */
function seenFor(rule: string, { cases, invariants }: JobOutcome, suites: Suites): readonly string[] {
  return invariants.flatMap(({ id, findings }) => {
    const found = findings.filter((finding) => finding.rule === rule);
    if (found.length === 0) return [];
    const { on = '', seenIn = [] } = suites.invariants.find((one) => one.id === id) ?? {};
    const isAbout = (name: string): boolean => seenIn.includes(name) || seenIn.includes(matrixName(name));
    const seen = found.flatMap((finding) => finding.seenIn ?? []);
    const others = on === 'run' || seen.length === 0 ? cases.map((one) => one.id) : [];
    return [...[...seen, ...others].filter((one) => isAbout(one)), ...seen];
  });
}

/** First the first row of each matrix, then the others. */
function varied(ids: readonly string[]): readonly string[] {
  const names = new Set<string>();
  const first = ids.filter((id) => {
    const isNew = !names.has(matrixName(id));
    names.add(matrixName(id));
    return isNew;
  });
  return [...new Set([...first, ...ids])];
}

/** Cases that showed a fault on the plain carrier, a few for each declared rule; of a stateful fault, declared detectors if any. */
export function killersOf(
  { name, breaks, stateful }: Subject,
  outcome: JobOutcome,
  { clean, suites }: ComparedWith,
): readonly string[] {
  const turned = outcome.cases.filter(({ id, verdict }) => clean.judgement.cases.get(id)?.verdict !== verdict);
  const saying = new Set(suites.cases.flatMap(({ id, detects }) => (detects.includes(name) ? [id] : [])));
  const chosen = breaks.flatMap((rule) => {
    const all = turned.filter(findsRule(rule)).map(({ id }) => id);
    const said = stateful === true ? all.filter((id) => saying.has(id)) : [];
    const own = said.length > 0 ? said : all;
    return varied([...own, ...seenFor(rule, outcome, suites)]).slice(0, casesForRule);
  });
  return [...new Set(chosen)];
}
