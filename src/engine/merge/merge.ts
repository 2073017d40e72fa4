import { createHash } from 'node:crypto';
import { concludeJournal } from '../../journal/conclude.ts';
import type { JournalEntry } from '../../journal/entries.ts';
import { foldEntries } from '../../journal/fold.ts';
import { sealEntries } from '../../journal/seal.ts';
import { omitUndefined } from '../../lib/json.ts';
import type { Attestation } from '../../model/target.ts';
import type { ExpectedFailure } from '../../model/expected-failure.ts';
import type {
  CaseResult,
  Confirmation,
  InvariantResult,
  Result,
  ResultFooter,
  ResultHeader,
  RootCause,
} from '../../model/result.ts';
import type { SelectedSuites } from '../plan/select.ts';
import { unfinishedResult } from '../case/case-result.ts';
import type { Invariant, Suites } from '../../suite/suites.ts';
import { type MergePart, refuseMerge, type ShardPart, sharesCarrier } from './shard-parts.ts';
import type { NamedCheck } from '../../judge/check.ts';
import { settleCase } from '../../verdict/root-cause.ts';
import { concludeTally, keepFindings, type InvariantTally, withUnjudged } from '../../judge/invariant-tally.ts';
import { createInvariantJudge } from '../../judge/invariants.ts';
import { createRuleBook } from '../../judge/rule-book.ts';
import { countedVerdict } from '../../verdict/standing.ts';
import { rebuildEvidence } from '../../journal/contribution.ts';
import { renderRuleRef, worstVerdict } from '../../model/rule.ts';

/** Sums the results of an invariant in each shard; undefined if no shard has it. */
function sumShards(
  invariant: Invariant,
  found: readonly InvariantResult[],
  orders: ReadonlyMap<string, number>,
): InvariantResult | undefined {
  if (found.length === 0) return undefined;
  const tally: InvariantTally = {
    invariant,
    judged: 0,
    unjudged: 0,
    unjudgedReason: undefined,
    violations: 0,
    seenIn: new Map(),
    kept: new Map(),
    states: [],
  };
  for (const { judged, unjudged = 0, violations, findings } of found) {
    tally.judged += judged;
    tally.unjudged += unjudged;
    tally.violations += violations;
    for (const one of findings) keepFindings(tally, [one], orders.get(one.seenIn ?? '') ?? orders.size);
  }
  const sum = concludeTally(tally);
  const reason = found.find(({ unjudged }) => unjudged !== undefined)?.reason;
  return sum.reason === undefined || reason === undefined ? sum : { ...sum, reason };
}

interface JoinOptions {
  readonly suites: Pick<Suites, 'rules'>;
  /** Selection of the whole run. */
  readonly selected: Pick<SelectedSuites, 'cases' | 'invariants'>;
  readonly checks: Readonly<Record<string, NamedCheck>>;
}

/** Judges the invariants again from the contributions of the cases; the cases are in suite order. */
function rejudgeInvariants(
  cases: readonly CaseResult[],
  parts: readonly ShardPart[],
  { suites, selected, checks }: JoinOptions,
): Promise<readonly InvariantResult[]> {
  const contributions = new Map(parts.flatMap(({ result }) => Object.entries(result.contributions ?? {})));
  const judge = createInvariantJudge({ invariants: selected.invariants, checks, rules: createRuleBook(suites.rules) });
  judge.restore(
    cases.flatMap((one, order) => {
      const contributed = contributions.get(one.id);
      return contributed === undefined ? [] : [{ ...rebuildEvidence(one, contributed), order }];
    }),
  );
  return judge.conclude();
}

/** Two shards confirm each other where a finding stood in one of them; what was unstable in each that saw it stays so. */
function applyConfirmation(whole: InvariantResult, found: readonly InvariantResult[]): InvariantResult {
  const seen = found.filter(({ confirmation }) => confirmation !== undefined);
  const findings = seen.flatMap((one) => one.findings);
  const refs = (unstable: boolean): ReadonlySet<string> =>
    new Set(findings.flatMap((one) => ((one.unstable === true) === unstable ? [renderRuleRef(one)] : [])));
  const unstable = new Set([...refs(true)].filter((ref) => !refs(false).has(ref)));
  const of = (status: Confirmation['status']) => seen.find((one) => one.confirmation?.status === status);
  const { confirmation } = of('unstable') ?? of('confirmed') ?? seen[0] ?? {};
  if (confirmation === undefined) return whole;
  if (unstable.size === 0 && (seen.length > 1 || whole.confirmation?.status === 'confirmed'))
    return confirmation.status === 'confirmed' ? { ...whole, confirmation } : whole;
  const marked = whole.findings.map((one) =>
    unstable.has(renderRuleRef(one)) ? { ...one, unstable: true as const } : one,
  );
  const verdict = worstVerdict(marked.map(countedVerdict)) ?? whole.verdict;
  return { ...whole, findings: marked, verdict, confirmation };
}

/** Invariants of the whole run: judged again from each case's contribution, or the sum of the shards. */
async function joinInvariants(
  cases: readonly CaseResult[],
  parts: readonly ShardPart[],
  options: JoinOptions,
): Promise<readonly InvariantResult[]> {
  const orders = new Map(options.selected.cases.map(({ id }, order) => [id, order]));
  const again = new Map((await rejudgeInvariants(cases, parts, options)).map((one) => [one.id, one]));
  const oneCarrier = parts.every(({ result }) => sharesCarrier(result.header));
  return options.selected.invariants.flatMap((invariant) => {
    const { id, on } = invariant;
    const found = parts.flatMap(({ result }) => result.invariants.filter((one) => one.id === id));
    const sum = sumShards(invariant, found, orders);
    const whole = on !== 'run' || oneCarrier ? again.get(id) : undefined;
    if (sum === undefined || whole === undefined) {
      const one = whole ?? sum;
      return one === undefined ? [] : applyConfirmation(one, found);
    }
    // Only a check over the whole run can judge together what a shard could not.
    const isWhole = on === 'run' || sum.unjudged === undefined;
    const joined = isWhole && whole.judged >= sum.judged && whole.violations >= sum.violations ? whole : sum;
    // A contribution does not hold the tokens that no part could judge.
    return applyConfirmation(withUnjudged(joined, sum), found);
  });
}

interface MergeOptions extends JoinOptions {
  /** Suites of the run, because rules are judged again. */
  readonly suites: Suites;
  /** Suites whose cases an expected failure may name, if `suites` is narrowed to some areas. */
  readonly nameable?: Suites;
  /** Selection of the whole run. */
  readonly selected: SelectedSuites;
  /** UTC date of the merge: `2026-11-21`. */
  readonly today: string;
}

type ShardParts = readonly [ShardPart, ...ShardPart[]];

const listShards = (indexes: readonly number[], of: number, verb: string): string =>
  indexes.length === 1
    ? `shard ${indexes.join()} of ${of} ${verb === 'missing' ? 'is' : 'was'} ${verb}`
    : `shards ${indexes.join(', ')} of ${of} ${verb === 'missing' ? 'are' : 'were'} ${verb}`;

/** Names the parts that are missing or incomplete; undefined if there are none. */
function describeMissing(parts: ShardParts): string | undefined {
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
  const said = kinds.flatMap(([verb, indexes]) => (indexes.length === 0 ? [] : [listShards(indexes, of, verb)]));
  return said.length === 0 ? undefined : said.join('; ');
}

/** All selected cases in suite order; a case in no part did not run. */
function joinCases(
  parts: ShardParts,
  { cases }: SelectedSuites,
  missing = 'it is in none of the shards',
): readonly CaseResult[] {
  const byId = new Map(parts.flatMap(({ result }) => [...result.cases].map((one) => [one.id, one] as const)));
  const selected = new Set(cases.map(({ id }) => id));
  const unknown = [...byId.keys()].find((id) => !selected.has(id));
  if (unknown !== undefined) throw refuseMerge(`a part holds the case ${unknown}, which the run did not select`);
  return cases.map((given) => byId.get(given.id) ?? unfinishedResult(given, missing, 'not-run'));
}

/** Attestations of the operator, as in the parts; placed at the start of the target file, because no part records the line. */
export const joinAttestations = (parts: readonly MergePart[]): readonly Attestation[] =>
  parts.flatMap(({ result: { rules, header } }) =>
    rules.flatMap(({ id, attestation }) => {
      if (attestation === undefined) return [];
      return [{ ...attestation, rule: id, place: { position: { file: header.target.file, line: 1, column: 1 } } }];
    }),
  );

/** Header of the merged run: the first shard's, with a combined run id and the earliest start. */
function joinHeaders(parts: ShardParts): ResultHeader {
  const { shard: _, ...header } = parts[0].result.header;
  const runs = parts.map(({ result }) => result.header.run);
  const starts = parts.map(({ result }) => result.header.startedAt);
  const startedAt = starts.toSorted((a, b) => Date.parse(a) - Date.parse(b))[0] ?? header.startedAt;
  const joined = parts
    .map(({ shard, result }) => ({ index: shard.index, run: result.header.run, startedAt: result.header.startedAt }))
    .toSorted((one, other) => one.index - other.index);
  return { ...header, run: createHash('sha256').update(runs.join()).digest('hex').slice(0, 16), startedAt, joined };
}

export function expectedEntries({ expected }: ResultFooter): readonly ExpectedFailure[] | undefined {
  return expected?.map((entry) => {
    const { became: _, explains: __, ...rest } = entry;
    return rest;
  });
}

/** Expected failures, the same in every part. They are judged again, because a part knows only its own cases. */
function joinExpected(parts: ShardParts): readonly ExpectedFailure[] | undefined {
  const lists = parts.flatMap(({ result: { footer } }) => (footer === undefined ? [] : [expectedEntries(footer)]));
  const [first] = lists;
  if (lists.some((list) => JSON.stringify(list) !== JSON.stringify(first)))
    throw refuseMerge('the parts had different lists of expected failures');
  return first;
}

/** Refused plain request of the first part that has one, with the reason that part gives (P14). */
function joinRoots(parts: readonly MergePart[]): { readonly root?: RootCause; readonly reason?: string } {
  const [found] = parts.flatMap(({ result: { footer } }) => (footer?.root === undefined ? [] : [footer]));
  return omitUndefined({ root: found?.root, reason: found?.reasons[0] });
}

/** Measures of the merged run: longest times, sums of messages, largest clock skew. */
function joinMeasures(parts: readonly MergePart[], { startedAt }: ResultHeader) {
  const footers = parts.flatMap((part) => part.result.footer ?? []);
  const sum = (of: (footer: ResultFooter) => number): number => footers.reduce((total, one) => total + of(one), 0);
  const [skew] = footers.flatMap((one) => one.skew ?? []).toSorted((a, b) => Math.abs(b.offset) - Math.abs(a.offset));
  const lags = footers.flatMap(({ receiverLag }) => receiverLag ?? []);
  const gaps = footers.flatMap((one) => one.gaps ?? []).toSorted((a, b) => Date.parse(a.from) - Date.parse(b.from));
  const left = footers.flatMap((one) => one.left ?? []);
  const ends = footers.map(({ endedAt }) => endedAt).toSorted((a, b) => Date.parse(b) - Date.parse(a));
  return {
    endedAt: ends[0] ?? startedAt,
    interrupted: false,
    ...omitUndefined({
      skew,
      doubt: footers.flatMap((one) => one.doubt ?? [])[0],
      strangers: sum(({ strangers = 0 }) => strangers) || undefined,
      receiverLag: lags.length === 0 ? undefined : Math.max(...lags),
      left: left.length === 0 ? undefined : left,
      gaps: gaps.length === 0 ? undefined : gaps,
    }),
    wallMilliseconds: Math.max(0, ...footers.map(({ wallMilliseconds }) => wallMilliseconds)),
    exchanges: sum(({ exchanges }) => exchanges),
    deliveries: sum(({ deliveries }) => deliveries),
  };
}

/** Merges the parts into the result of one run. A missing part leaves it incomplete. */
export async function mergeParts(parts: ShardParts, options: MergeOptions): Promise<Result> {
  const { suites, nameable = suites, selected, today } = options;
  const missing = describeMissing(parts);
  const { root, reason: incomplete = missing } = joinRoots(parts);
  const joined = joinCases(parts, selected, missing);
  const cases =
    root === undefined
      ? joined
      : joined.map((one) => settleCase(one, { accepted: root.accepted, reason: incomplete ?? '' }));
  const header = joinHeaders(parts);
  const judging = { header, suites, selected, nameable, today };
  const unsolicited = parts.flatMap(({ result }) => result.unsolicited).toSorted((a, b) => a.receivedAt - b.receivedAt);
  const concluded = concludeJournal(
    { cases, invariants: await joinInvariants(cases, parts, options), unsolicited, incomplete },
    { ...judging, attestations: joinAttestations(parts), expected: joinExpected(parts) },
    { ...joinMeasures(parts, header), ...omitUndefined({ root }) },
  );
  const entries = cases.map((one): JournalEntry => ({ kind: 'case', case: one }));
  return foldEntries(sealEntries([{ kind: 'header', header }, ...entries, ...concluded]));
}
