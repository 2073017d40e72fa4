import { createHash } from 'node:crypto';
import { conclude } from '../../journal/conclude.ts';
import type { JournalEntry } from '../../journal/entries.ts';
import { fold } from '../../journal/fold.ts';
import { defined } from '../../lib/optional.ts';
import type { CaseResult, Contribution, Replacement, Result, ResultFooter, ResultHeader } from '../../model/result.ts';
import { unfinished } from '../case/case-result.ts';
import { attestationsOf, entriesOf, joinMeasures, type MergeOptions } from './merge.ts';
import { isConclusive } from '../../model/verdict.ts';
import { withoutFlag } from '../../model/flags.ts';
import { differencesIn, ofOneCarrier, type Pair, type Part, refuse, type WholePart, words } from './parts.ts';
import { replaceInvariants } from './replace-invariants.ts';
import { forgetLostBodies } from './same-bodies.ts';

/** What both runs have in common. The faults of the embedded carrier are what is mended between them; the report names them. */
const common: typeof ofOneCarrier = [
  ...ofOneCarrier,
  ['the interface', ({ interface: { id, version } }) => `${id} ${version}`],
  ['the clock', ({ clock }) => clock.kind],
  ['the profile', ({ profile }) => profile ?? 'none'],
  ['the flags', ({ flags }) => words(withoutFlag(flags, '--fault'))],
];

/** Throws, with what differs, where the later run says nothing of what the earlier one was about. */
export function requireReplaceable(earlier: Part, later: Part): void {
  for (const { file, result } of [earlier, later]) {
    if (result.header.shard !== undefined)
      throw refuse(`${file} is a shard: merge the shards of its run first, then replace`);
  }
  const [before, now] = [earlier.result.header, later.result.header];
  if (before.run === now.run) throw refuse(`${earlier.file} and ${later.file} are the same run`);
  if (Date.parse(now.startedAt) < Date.parse(before.startedAt)) {
    const when = `it began at ${now.startedAt}, the other at ${before.startedAt}`;
    throw refuse(`${later.file} is the earlier run of the two: ${when}; the rerun is named last`);
  }
  const differing = differencesIn(common, before, now);
  if (differing.length > 0)
    throw refuse(`${later.file} does not replace cases of ${earlier.file}: ${differing.join('; ')}`);
}

/** A case that was stopped says nothing of the carrier. */
const hasRun = ({ startedAt, verdict }: CaseResult): boolean => startedAt !== 0 && verdict !== 'not-run';

/** What came to no verdict takes none away. */
const replaces = (now: CaseResult, before: CaseResult | undefined): boolean =>
  hasRun(now) && (before === undefined || isConclusive(now.verdict) || !isConclusive(before.verdict));

/** Throws where the later run has a case that the earlier one did not select. */
function requireKnown({ earlier, later }: Pair, ids: ReadonlySet<string>, replaced: readonly CaseResult[]): void {
  const unknown = replaced.find(({ id }) => !ids.has(id));
  if (unknown !== undefined)
    throw refuse(`${later.file} has the case ${unknown.id}, which the run of ${earlier.file} did not select`);
  if (replaced.length === 0) throw refuse(`${later.file} has no case that ran`);
}

/** Cases of a run that did not come to its end did not run because of that; those that have run since are no reason any more. */
function missingOf({ earlier }: Pair, cases: readonly CaseResult[]): string | undefined {
  const { footer } = earlier.result;
  if (footer !== undefined && !footer.interrupted && footer.stopped !== true) return undefined;
  const why = new Set([notRun, 'interrupted', ...(footer?.reasons ?? [])]);
  const left = cases.filter(({ verdict, reason = '' }) => verdict === 'not-run' && why.has(reason)).length;
  if (left === 0) return undefined;
  return `the run that was replaced in part was cut off, and ${left} of its cases have not run since`;
}

const notRun = 'the run was cut off before it';

/** Invariants that the later run did not judge keep what the earlier case showed. */
function joinContribution(
  before: Contribution | undefined,
  now: Contribution | undefined,
  judgedLater: ReadonlySet<string>,
): Contribution | undefined {
  if (before === undefined || now === undefined) return now ?? before;
  const kept = <T>(record: Readonly<Record<string, T>>) =>
    Object.fromEntries(Object.entries(record).filter(([invariant]) => !judgedLater.has(invariant)));
  return {
    judged: { ...kept(before.judged), ...now.judged },
    violations: { ...kept(before.violations), ...now.violations },
    messages: now.messages,
  };
}

/** Invariants that the later run judged; of one that was cut off, those that any of its cases shows. */
export function judgedIn({ result, contributions }: WholePart): ReadonlySet<string> {
  const shown = [...contributions.values()].flatMap(({ judged }) => Object.keys(judged));
  return new Set([...result.invariants.map(({ id }) => id), ...shown]);
}

function joinContributions(pair: Pair, replaced: ReadonlySet<string>): ReadonlyMap<string, Contribution> {
  const { earlier, later } = pair;
  const judgedLater = judgedIn(later);
  const all = new Map(earlier.contributions);
  for (const id of replaced) {
    const joined = joinContribution(earlier.contributions.get(id), later.contributions.get(id), judgedLater);
    if (joined !== undefined) all.set(id, joined);
  }
  return all;
}

function headerOf({ earlier, later }: Pair, cases: readonly string[]): ResultHeader {
  const { header } = earlier.result;
  const { run, startedAt, flags } = later.result.header;
  const replacement: Replacement = {
    by: { run, startedAt, digest: later.digest, flags },
    of: { run: header.run, startedAt: header.startedAt, digest: earlier.digest },
    cases,
  };
  const id = createHash('sha256').update(`${header.run},${run}`).digest('hex').slice(0, 16);
  return { ...header, run: id, replaced: [...(header.replaced ?? []), replacement] };
}

/** The wall time of both; limits of the earlier run, and its profile but for the cases that were replaced. */
function measuresOf({ earlier, later }: Pair, header: ResultHeader, replaced: ReadonlySet<string>) {
  const footers = [earlier, later].flatMap(({ result }) => result.footer ?? []);
  const sum = footers.reduce((total, { wallMilliseconds }) => total + wallMilliseconds, 0);
  const [before, now] = [earlier.result.footer, later.result.footer];
  const found = new Map(now?.profile?.map((one) => [one.name, one] as const));
  const profile = (before?.profile ?? now?.profile)?.map((one) =>
    replaced.has(one.case) ? (found.get(one.name) ?? one) : one,
  );
  return {
    ...joinMeasures([earlier, later], header),
    wallMilliseconds: sum,
    ...defined({ limits: before?.limits ?? now?.limits, profile }),
  };
}

const expectedOf = (footers: readonly (ResultFooter | undefined)[]) =>
  footers.flatMap((footer) => (footer === undefined ? [] : [entriesOf(footer)])).findLast((list) => list !== undefined);

export interface Replaced {
  readonly result: Result;
  /** What the cases contribute now: a later run can be laid over this result too. */
  readonly contributions: ReadonlyMap<string, Contribution>;
}

/**
 * Lays a rerun of a part of the cases over an earlier run: the result of each case that ran again is that of the later run, and
 * invariants and rules are judged again. Throws where the later run is not about the same.
 */
export function replaceCases(pair: Pair, options: MergeOptions): Replaced {
  const { suites, nameable = suites, selected, today } = options;
  const { earlier, later } = pair;
  const before = new Map([...earlier.result.cases].map((one) => [one.id, one]));
  const ran = [...later.result.cases].filter(hasRun);
  requireKnown(pair, new Set(selected.cases.map(({ id }) => id)), ran);
  const again = new Map(ran.flatMap((one) => (replaces(one, before.get(one.id)) ? [[one.id, one] as const] : [])));
  if (again.size === 0) throw refuse(`${later.file} has a verdict for no case that had none before`);
  const joined = selected.cases.map(
    (given) => again.get(given.id) ?? before.get(given.id) ?? unfinished(given, notRun, 'not-run'),
  );
  const ids = new Set(joined.flatMap(({ id }) => (again.has(id) ? [id] : [])));
  const cases = forgetLostBodies(joined, ids);
  const header = headerOf(pair, [...ids]);
  const contributions = joinContributions(pair, ids);
  const invariants = replaceInvariants({ cases, contributions, ids, judgedLater: judgedIn(later) }, pair, options);
  const unsolicited = [earlier, later].flatMap(({ result }) => result.unsolicited);
  const concluded = conclude(
    { cases, invariants, unsolicited, incomplete: missingOf(pair, cases) },
    {
      suites,
      selected,
      nameable,
      today,
      profile: header.profile ?? 'hardened',
      attestations: attestationsOf([earlier]),
      expected: expectedOf([earlier.result.footer, later.result.footer]),
    },
    measuresOf(pair, header, ids),
  );
  const entries = cases.map((one): JournalEntry => ({ kind: 'case', case: one }));
  return { result: fold([{ kind: 'header', header }, ...entries, ...concluded]), contributions };
}
