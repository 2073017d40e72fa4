import { invariantRules } from '../../engine/plan/select.ts';
import { orderByLot } from '../../lib/covering/random.ts';
import { caseRuleIds, type Suites } from '../../suite/suites.ts';
import { rowCaseName, type Subject } from './catalogue.ts';
import type { DifferingNames, CaseOutcome, JobOutcome } from './job.ts';
import type { CleanBaseline } from './judge-subject.ts';
import type { ProofMatrixRow } from './matrix.ts';

/** Cases in which a fault differs from the clean carrier; undefined (all) if it differs outside any case. */
export function differingCases(name: string, differing: DifferingNames): readonly string[] | undefined {
  if (differing['']?.includes(name) === true) return undefined;
  return Object.keys(differing).filter((id) => differing[id]?.includes(name) === true);
}

/** Fewest cases to run that are unrelated to the declared effect of a fault. */
const minUnrelatedCases = 4;
/** Concerned cases beyond which a fault runs only a sample of the unrelated ones. */
const maxUnsampledCases = 16;

/** Ids of the cases that judge a rule the fault breaks, or that declare to detect it. */
function judgingCases({ name, breaks }: Subject, { cases, invariants }: Suites): ReadonlySet<string> {
  const rules = new Set(breaks);
  const concerned = invariants.filter(
    (one) => one.detects.includes(name) || [...invariantRules(one)].some((id) => rules.has(id)),
  );
  const seenIn = new Set(concerned.flatMap((one) => one.seenIn));
  const judging = cases.filter(
    (one) =>
      one.detects.includes(name) ||
      [...caseRuleIds(one)].some((id) => rules.has(id)) ||
      seenIn.has(one.id) ||
      seenIn.has(rowCaseName(one.id)),
  );
  return new Set(judging.map(({ id }) => id));
}

const detectorIds = ({ name }: Subject, { cases }: Suites): readonly string[] =>
  cases.flatMap(({ id, detects }) => (detects.includes(name) ? [id] : []));

/** Most cases to run one after the other: it takes little longer, and their order does not vary. */
export const maxSerialCases = 100;

/** The wanted cases, and `room` others drawn by lot. */
function addSample(
  ids: readonly string[],
  wanted: ReadonlySet<string>,
  { lot, room }: { readonly lot: string; readonly room: number },
): readonly string[] {
  const others = ids.filter((id) => !wanted.has(id));
  const chosen = new Set([...wanted, ...orderByLot(lot, others, (id) => id).slice(0, room)]);
  return ids.filter((id) => chosen.has(id));
}

/** Cases to run with a fault: all that could turn a declared rule, and a sample of the others. */
function sampleFor(subject: Subject, ids: readonly string[], suites: Suites): readonly string[] {
  if (ids.length <= maxUnsampledCases) return ids;
  const judges = judgingCases(subject, suites);
  return addSample(ids, judges, {
    lot: subject.name,
    room: Math.max(minUnrelatedCases, maxUnsampledCases - judges.size),
  });
}

/** Sampled cases beside those that a whole proof saw red. */
const rowSampleSize = 2;

/**
 * Cases that a whole proof saw red, declared detectors, cases in which a red invariant is seen, and a sample of the others. All, if that is
 * more than half: the effects of one of many show in the next.
 */
function sampleByRow(subject: Subject, ids: readonly string[], row: ProofMatrixRow, suites: Suites): readonly string[] {
  const red = new Set([...row.red, ...(row.follows ?? []), ...detectorIds(subject, suites)]);
  const seen = new Set(suites.invariants.filter(({ id }) => red.has(id)).flatMap(({ seenIn }) => seenIn));
  const wanted = ids.filter((id) => [id, rowCaseName(id)].some((name) => red.has(name) || seen.has(name)));
  if (2 * wanted.length > ids.length) return ids;
  return addSample(ids, new Set(wanted), { lot: subject.name, room: rowSampleSize });
}

interface CaseChoice {
  readonly concerned: readonly string[];
  readonly chosen: readonly string[];
}

/**
 * Cases to run with a fault, by its row of an earlier whole proof if there is one. Declared detectors of a stateful fault always run: state
 * kept between their requests shows only if no other case comes between.
 */
export function chooseCases(
  subject: Subject,
  differing: DifferingNames,
  suites: Suites,
  row?: ProofMatrixRow,
): CaseChoice {
  const all = suites.cases.map(({ id }) => id);
  const differ = new Set(differingCases(subject.name, differing) ?? all);
  const always = new Set(subject.stateful === true ? detectorIds(subject, suites) : []);
  const concerned = all.filter((id) => differ.has(id) || always.has(id));
  const isKnown = row !== undefined && row.sampled === undefined;
  return {
    concerned,
    chosen: isKnown ? sampleByRow(subject, concerned, row, suites) : sampleFor(subject, concerned, suites),
  };
}

/** Names whose cases all ran; undefined if every concerned case ran. */
export function sampledNames({ concerned }: CaseChoice, ran: readonly string[]): readonly string[] | undefined {
  if (ran.length >= concerned.length) return undefined;
  const known = new Set(ran);
  const left = new Set(concerned.filter((id) => !known.has(id)).map(rowCaseName));
  return [...new Set(ran.map(rowCaseName))].filter((name) => !left.has(name));
}

/** The choice with all cases of these rules: the verdict of a sample holds once the rule's other cases have run too. */
export function addRuleCases(
  { concerned, chosen }: CaseChoice,
  rules: readonly string[],
  suites: Suites,
): readonly string[] {
  const wanted = new Set(chosen);
  const known = new Set(concerned);
  for (const one of suites.cases) {
    if (known.has(one.id) && [...caseRuleIds(one)].some((rule) => rules.includes(rule))) wanted.add(one.id);
  }
  return concerned.filter((id) => wanted.has(id));
}

/** Most cases to run again for a rule that a fault turned. */
const maxCasesPerRule = 3;

const findsBrokenRule =
  (rule: string) =>
  ({ findings }: CaseOutcome): boolean =>
    findings.some((finding) => finding.rule === rule && finding.level !== 'informational');

/** Cases in whose messages an invariant found the rule broken; first, those in which it must be seen. */
function casesSeenBreaking(rule: string, { cases, invariants }: JobOutcome, suites: Suites): readonly string[] {
  return invariants.flatMap(({ id, findings }) => {
    const found = findings.filter((finding) => finding.rule === rule);
    if (found.length === 0) return [];
    const { on = '', seenIn = [] } = suites.invariants.find((one) => one.id === id) ?? {};
    const isAbout = (name: string): boolean => seenIn.includes(name) || seenIn.includes(rowCaseName(name));
    const seen = found.flatMap((finding) => finding.seenIn ?? []);
    const others = on === 'run' || seen.length === 0 ? cases.map((one) => one.id) : [];
    return [...[...seen, ...others].filter((one) => isAbout(one)), ...seen];
  });
}

/** First the first row of each matrix, then the others. */
function spreadRows(ids: readonly string[]): readonly string[] {
  const names = new Set<string>();
  const first = ids.filter((id) => {
    const isNew = !names.has(rowCaseName(id));
    names.add(rowCaseName(id));
    return isNew;
  });
  return [...new Set([...first, ...ids])];
}

/** Cases that showed a fault on the plain carrier, a few for each declared rule; of a stateful fault, declared detectors if any. */
export function detectingCases(
  { name, breaks, stateful }: Subject,
  outcome: JobOutcome,
  { clean, suites }: CleanBaseline,
): readonly string[] {
  const turned = outcome.cases.filter(({ id, verdict }) => clean.judgement.cases.get(id)?.verdict !== verdict);
  const saying = new Set(suites.cases.flatMap(({ id, detects }) => (detects.includes(name) ? [id] : [])));
  const chosen = breaks.flatMap((rule) => {
    const all = turned.filter(findsBrokenRule(rule)).map(({ id }) => id);
    const said = stateful === true ? all.filter((id) => saying.has(id)) : [];
    const own = said.length > 0 ? said : all;
    return spreadRows([...own, ...casesSeenBreaking(rule, outcome, suites)]).slice(0, maxCasesPerRule);
  });
  return [...new Set(chosen)];
}
