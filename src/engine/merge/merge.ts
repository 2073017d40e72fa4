import { createHash } from 'node:crypto';
import { judgeExpected, knownOf } from '../../judge/expected.ts';
import { keptFindings } from '../../judge/invariant-tally.ts';
import { verdictOf } from '../../judge/rule-book.ts';
import { concludeOutcome, countVerdicts, scores, scoresByArea } from '../../judge/score.ts';
import { createRuleTallies } from '../../judge/tally.ts';
import type { Attestation } from '../../model/attestation.ts';
import type { ExpectedFailure } from '../../model/expected.ts';
import type { Finding } from '../../model/finding.ts';
import type { CaseResult, InvariantResult, Result, ResultFooter, ResultHeader } from '../../model/result.ts';
import { renderRuleRef } from '../../model/rule.ts';
import type { Invariant, Suites } from '../../model/suite.ts';
import { worst } from '../../model/verdict.ts';
import { joinMeasured } from './measured.ts';
import { refuse, type ShardPart } from './parts.ts';
import { rulesOf, type Selected } from '../plan/select.ts';
import { unfinished } from '../case/unfinished.ts';

export interface MergeOptions {
  /** Those of the run: rules are judged again. */
  readonly suites: Suites;
  /** What an expected failure may name, where areas are left out of `suites`. */
  readonly nameable?: Suites;
  /** What the whole run would have selected. */
  readonly selected: Selected;
  /** The day of the merge, UTC: `2026-11-21`. */
  readonly today: string;
}

type Parts = readonly [ShardPart, ...ShardPart[]];

const listed = (indexes: readonly number[], of: number, verb: string): string =>
  indexes.length === 1
    ? `shard ${indexes.join()} of ${of} ${verb === 'missing' ? 'is' : 'was'} ${verb}`
    : `shards ${indexes.join(', ')} of ${of} ${verb === 'missing' ? 'are' : 'were'} ${verb}`;

/** Why the parts do not make a whole; empty where they do. */
function missingOf(parts: Parts): readonly string[] {
  const { of } = parts[0].shard;
  const there = new Set(parts.map(({ shard }) => shard.index));
  const missing = Array.from({ length: of }, (_, at) => at + 1).filter((index) => !there.has(index));
  const indexesWhere = (is: (footer: ResultFooter | undefined) => boolean): number[] =>
    parts.flatMap(({ shard, result }) => (is(result.footer) ? [shard.index] : []));
  const kinds = [
    ['missing', missing],
    ['cut off', indexesWhere((footer) => footer === undefined)],
    ['interrupted', indexesWhere((footer) => footer?.interrupted === true)],
  ] as const;
  return kinds.flatMap(([verb, indexes]) => (indexes.length === 0 ? [] : [listed(indexes, of, verb)]));
}

/** Every selected case, in the order of the suites; those of no part did not run. */
function joinCases(parts: Parts, { cases }: Selected, missing: readonly string[]): readonly CaseResult[] {
  const byId = new Map(parts.flatMap(({ result }) => [...result.cases].map((one) => [one.id, one] as const)));
  const selected = new Set(cases.map(({ id }) => id));
  const unknown = [...byId.keys()].find((id) => !selected.has(id));
  if (unknown !== undefined) throw refuse(`a part holds the case ${unknown}, which the run did not select`);
  const reason = missing.length === 0 ? 'it is in none of the shards' : missing.join('; ');
  return cases.map((given) => byId.get(given.id) ?? unfinished(given, reason, 'not-run'));
}

/** Of each rule and aspect the first, in the order of the suites, as a whole run keeps them. */
function joinFindings(findings: readonly Finding[], places: ReadonlyMap<string, number>): readonly Finding[] {
  const placeOf = ({ seenIn = '' }: Finding): number => places.get(seenIn) ?? places.size;
  const kept = new Map<string, Finding[]>();
  for (const finding of findings.toSorted((a, b) => placeOf(a) - placeOf(b))) {
    const ref = renderRuleRef(finding);
    const same = kept.get(ref) ?? [];
    kept.set(ref, same);
    if (same.length < keptFindings) same.push(finding);
  }
  return [...kept.values()].flat();
}

function joinInvariant({ id }: Invariant, parts: Parts, places: ReadonlyMap<string, number>): InvariantResult[] {
  const found = parts.flatMap(({ result }) => result.invariants.filter((one) => one.id === id));
  const [first] = found;
  if (first === undefined) return [];
  const judged = found.reduce((sum, one) => sum + one.judged, 0);
  if (judged === 0) return [first];
  const { reason: _, ...rest } = first;
  const findings = joinFindings(
    found.flatMap((one) => one.findings),
    places,
  );
  return [
    {
      ...rest,
      judged,
      violations: found.reduce((sum, one) => sum + one.violations, 0),
      findings,
      verdict: worst(findings.map(({ level }) => verdictOf[level])) ?? 'pass',
    },
  ];
}

/** What the operator attests, as the parts have it; it stands in the target file, whose place no part keeps. */
const attestationsOf = (parts: Parts): readonly Attestation[] =>
  parts.flatMap(({ result: { rules, header } }) =>
    rules.flatMap(({ id, attestation }) => {
      if (attestation === undefined) return [];
      return [{ ...attestation, rule: id, place: { position: { file: header.target.file, line: 1, column: 1 } } }];
    }),
  );

function judgeRules(result: Pick<Result, 'cases' | 'invariants'>, parts: Parts, { suites, selected }: MergeOptions) {
  const tallies = createRuleTallies(suites.rules, attestationsOf(parts));
  const byId = new Map(selected.cases.map((given) => [given.id, given]));
  for (const one of result.cases) {
    const given = byId.get(one.id);
    if (given !== undefined) tallies.addCase(one, rulesOf(given));
  }
  for (const invariant of result.invariants) tallies.addInvariant(invariant);
  return tallies.conclude(selected.rules);
}

function headerOf(parts: Parts): ResultHeader {
  const { shard: _, ...header } = parts[0].result.header;
  const runs = parts.map(({ result }) => result.header.run);
  const starts = parts.map(({ result }) => result.header.startedAt);
  const startedAt = starts.toSorted((a, b) => Date.parse(a) - Date.parse(b))[0] ?? header.startedAt;
  return { ...header, run: createHash('sha256').update(runs.join()).digest('hex').slice(0, 16), startedAt };
}

/** expected.yaml as a part had it. */
function entriesOf({ expected }: ResultFooter): readonly ExpectedFailure[] | undefined {
  return expected?.map((entry) => {
    const { became: _, explains: __, ...rest } = entry;
    return rest;
  });
}

/** The list that every part had; judged again, because a part knows its own cases only. */
function expectedOf(
  { cases, invariants, rules }: Omit<Result, 'footer'>,
  parts: Parts,
  { suites, nameable = suites, today }: MergeOptions,
): Pick<ResultFooter, 'expected'> {
  const lists = parts.flatMap(({ result: { footer } }) => (footer === undefined ? [] : [entriesOf(footer)]));
  const [first] = lists;
  if (lists.some((list) => JSON.stringify(list) !== JSON.stringify(first)))
    throw refuse('the parts had different lists of expected failures');
  if (first === undefined) return {};
  const judges = [...cases, ...invariants];
  return { expected: judgeExpected(first, { ...knownOf(nameable, today), judges, rules }) };
}

/** The longest of the times, the sum of what was sent and came, the clock that was furthest off. */
function footerOf(result: Omit<Result, 'footer'>, parts: Parts, missing: readonly string[]): ResultFooter {
  const { rules, header } = result;
  const footers = parts.flatMap((part) => part.result.footer ?? []);
  const sum = (of: (footer: ResultFooter) => number): number => footers.reduce((total, one) => total + of(one), 0);
  const [skew] = footers.flatMap((one) => one.skew ?? []).toSorted((a, b) => Math.abs(b.offset) - Math.abs(a.offset));
  const lags = footers.flatMap(({ receiverLag }) => receiverLag ?? []);
  const gaps = footers.flatMap((one) => one.gaps ?? []).toSorted((a, b) => Date.parse(a.from) - Date.parse(b.from));
  const left = footers.flatMap((one) => one.left ?? []);
  const ends = footers.map(({ endedAt }) => endedAt).toSorted((a, b) => Date.parse(b) - Date.parse(a));
  return {
    endedAt: ends[0] ?? header.startedAt,
    ...concludeOutcome(rules, missing.length === 0 ? undefined : missing.join('; ')),
    interrupted: false,
    ...(skew === undefined ? {} : { skew }),
    ...(lags.length === 0 ? {} : { receiverLag: Math.max(...lags) }),
    ...(left.length === 0 ? {} : { left }),
    ...(gaps.length === 0 ? {} : { gaps }),
    score: scores(rules),
    areas: scoresByArea(rules),
    counts: countVerdicts(rules),
    wallMilliseconds: Math.max(0, ...footers.map(({ wallMilliseconds }) => wallMilliseconds)),
    exchanges: sum(({ exchanges }) => exchanges),
    deliveries: sum(({ deliveries }) => deliveries),
  };
}

/**
 * Joins the parts of a run as if it had been one: cases in the order of the suites, invariants added up, rules judged again.
 * What holds over a whole run (`on: run`) was judged in each part; the worst of them stands. A part that is missing, was cut
 * off or interrupted leaves the result incomplete. Throws where the parts do not go together.
 */
export function mergeParts(parts: Parts, options: MergeOptions): Result {
  const { selected } = options;
  const missing = missingOf(parts);
  const cases = joinCases(parts, selected, missing);
  const places = new Map(selected.cases.map(({ id }, place) => [id, place]));
  const invariants = selected.invariants.flatMap((invariant) => joinInvariant(invariant, parts, places));
  const rules = judgeRules({ cases, invariants }, parts, options);
  const unsolicited = parts.flatMap(({ result }) => result.unsolicited).toSorted((a, b) => a.receivedAt - b.receivedAt);
  const joined = { header: headerOf(parts), cases, invariants, rules, unsolicited };
  const measured = joinMeasured(parts, cases);
  const footer = { ...footerOf(joined, parts, missing), ...expectedOf(joined, parts, options), ...measured };
  return { ...joined, footer };
}
