import { concludeJournal } from '../../journal/conclude.ts';
import { createRuleBook, type RuleBook } from '../../judge/rule-book.ts';
import { quoteValue } from '../../lib/difference.ts';
import { omitUndefined } from '../../lib/json.ts';
import type { Finding } from '../../model/finding.ts';
import {
  type CaseResult,
  maxUnsolicited,
  type Result,
  type ResultFooter,
  type InvariantResult,
  type RuleResult,
} from '../../model/result.ts';
import type { Suites } from '../../suite/suites.ts';
import { joinAttestations, expectedEntries } from '../merge/merge.ts';
import type { SelectedSuites } from '../plan/select.ts';
import { findDouble, invariantFlaws, type RecheckedInterface, recordedCaseFlaw, statementFlaw } from './case-flaws.ts';

type EndedRun = Result & { readonly footer: ResultFooter };

/** Tolerance for the order of moments, in milliseconds: a real clock may be corrected; a virtual one never goes back. */
const clockSlack = { real: 10_000, virtual: 0 } as const;

/** Reports invalid or reversed start and end dates, and data that contradict the kind of clock. */
function* clockFlaws({ header: { startedAt, clock }, footer }: Pick<EndedRun, 'header' | 'footer'>): Iterable<string> {
  const { endedAt, receiverLag, skew } = footer;
  if (Number.isNaN(Date.parse(startedAt))) yield `the run began at ${startedAt}, which is no date`;
  if (Number.isNaN(Date.parse(endedAt))) yield `the run ended at ${endedAt}, which is no date`;
  if (Date.parse(endedAt) < Date.parse(startedAt) - clockSlack[clock.kind])
    yield `the run ended at ${endedAt}, before it began at ${startedAt}`;
  // Only runs in real time measure the receiver's lag and the carrier's clock skew.
  if (clock.kind === 'real' && receiverLag === undefined)
    yield 'the clock is real, and the footer does not say how far the receiver was behind, as every run in real time does';
  if (clock.kind === 'virtual' && (receiverLag !== undefined || skew !== undefined))
    yield `the clock is virtual, and the footer has ${receiverLag === undefined ? 'skew' : 'receiverLag'}, which is measured in real time only`;
  if ((clock.kind === 'virtual') !== (clock.note !== ''))
    yield `the clock is ${clock.kind}, and its note is "${clock.note}"`;
}

const formatMoment = (moment: number): string =>
  Number.isFinite(moment) ? new Date(moment).toISOString() : String(moment);

/** Reports a moment of a case that is outside the run or out of order. */
function momentFlaw(result: CaseResult, { header, footer }: Pick<EndedRun, 'header' | 'footer'>): string | undefined {
  const { id, startedAt, endedAt, messages } = result;
  const what = `the case ${id}`;
  const [from, to] = [Date.parse(header.startedAt), Date.parse(footer.endedAt)];
  const slack = clockSlack[header.clock.kind];
  if (startedAt === 0 && endedAt === 0)
    return messages.length === 0 ? undefined : `${what} did not run, and has ${messages.length} messages`;
  if (endedAt < startedAt - slack)
    return `${what} ended at ${formatMoment(endedAt)}, before it began at ${formatMoment(startedAt)}`;
  if (startedAt < from - slack || endedAt > to + slack)
    return `${what} ran from ${formatMoment(startedAt)} to ${formatMoment(endedAt)}, outside of the run, which was from ${formatMoment(from)} to ${formatMoment(to)}`;
  for (const message of messages) {
    const first = message.kind === 'exchange' ? message.sentAt : message.receivedAt;
    if (message.receivedAt < first - slack)
      return `${what} has the message ${message.id}, answered at ${formatMoment(message.receivedAt)}, before it was sent at ${formatMoment(first)}`;
    if (first < startedAt - slack || message.receivedAt > endedAt + slack)
      return `${what} has the message ${message.id} of ${formatMoment(first)} to ${formatMoment(message.receivedAt)}, outside of the case, which was from ${formatMoment(startedAt)} to ${formatMoment(endedAt)}`;
  }
  return undefined;
}

interface RecheckOptions {
  readonly selected: SelectedSuites;
  readonly suites: Suites;
  /** The suites including the areas left out. */
  readonly nameable: Suites;
  readonly interface: RecheckedInterface;
}

type NamedList = readonly { readonly id: string }[];

/** Reports surplus, missing or misplaced entries of a list in a result. */
function* listFlaws(what: string, found: NamedList, planned: NamedList): Iterable<string> {
  const twice = findDouble(found.map(({ id }) => id));
  if (twice !== undefined) yield `it has the ${what} ${twice} twice`;
  const [there, selected] = [new Set(found.map(({ id }) => id)), new Set(planned.map(({ id }) => id))];
  for (const { id } of planned) if (!there.has(id)) yield `it has no ${what} ${id}, which its run selected`;
  for (const { id } of found) if (!selected.has(id)) yield `it has the ${what} ${id}, which its run did not select`;
  const moved = planned.find(({ id }, at) => found[at]?.id !== id);
  if (moved !== undefined) yield `the ${what} ${moved.id} does not stand in the order of the suites`;
}

interface WalkedCases {
  readonly cases: readonly Omit<CaseResult, 'messages'>[];
  /** Message ids, by case. */
  readonly messages: ReadonlyMap<string, ReadonlySet<string>>;
  readonly exchanges: number;
  readonly deliveries: number;
  readonly wrong: string | undefined;
}

function recheckCases(
  result: EndedRun,
  { selected, interface: certified }: RecheckOptions,
  rules: RuleBook,
): WalkedCases {
  const planned = new Map(selected.cases.map((one) => [one.id, one]));
  const found: Omit<CaseResult, 'messages'>[] = [];
  const ids = new Map<string, ReadonlySet<string>>();
  const sums = { exchange: 0, delivery: 0 };
  let wrong: string | undefined;
  for (const one of result.cases) {
    const given = planned.get(one.id);
    if (given !== undefined && wrong === undefined) {
      wrong = momentFlaw(one, result) ?? recordedCaseFlaw(one, given, { rules, interface: certified });
    }
    for (const { kind } of one.messages) sums[kind] += 1;
    ids.set(one.id, new Set(one.messages.map(({ id }) => id)));
    const { messages: _, ...summary } = one;
    found.push(summary);
  }
  return { cases: found, messages: ids, exchanges: sums.exchange, deliveries: sums.delivery, wrong };
}

/** Compares the recorded messages with the counts; messages of failed tries are counted but not recorded. */
function* messageFlaws({ footer, invariants, unsolicited }: EndedRun, walked: WalkedCases): Iterable<string> {
  const { cases, exchanges, deliveries } = walked;
  const arrived = deliveries + unsolicited.length;
  const isPlain =
    footer.gaps === undefined &&
    cases.every(({ startedAt, reason, findings, verdict }) =>
      startedAt === 0 ? verdict !== 'error' : reason === undefined && findings.length === 0,
    ) &&
    invariants.every(({ findings }) => findings.length === 0);
  if (exchanges > footer.exchanges || (isPlain && exchanges < footer.exchanges))
    yield `its cases have ${exchanges} exchanges, and its footer counts ${footer.exchanges}`;
  const { strangers = 0 } = footer;
  const kept = unsolicited.filter(({ stranger }) => stranger === true).length;
  // The run keeps only the first of many unsolicited deliveries.
  const areAllKept = unsolicited.length < maxUnsolicited;
  if (arrived > footer.deliveries || (isPlain && areAllKept && arrived < footer.deliveries))
    yield `its cases have ${arrived} deliveries, and its footer counts ${footer.deliveries}`;
  if (kept > strangers || (areAllKept && kept < strangers))
    yield `it has ${kept} deliveries of strangers, and its footer counts ${strangers}`;
}

function* invariantsFlaws(
  { invariants }: EndedRun,
  { selected }: RecheckOptions,
  seen: Parameters<typeof invariantFlaws>[2],
): Iterable<string> {
  const there = new Set(invariants.map(({ id }) => id));
  // An invariant that was not selected itself is present only with findings.
  const planned = selected.invariants.filter(({ id }) => selected.beside?.has(id) !== true || there.has(id));
  yield* listFlaws('invariant', invariants, planned);
  for (const [at, one] of invariants.entries()) {
    const given = planned[at];
    if (given !== undefined) yield* invariantFlaws(one, given, seen);
  }
}

/** Date on which the entries of expected.yaml had the stated outcome; the result does not record the date of judging. */
function judgingDay({ header, footer }: EndedRun): string {
  const expired = (footer.expected ?? []).flatMap(({ became, expires }) =>
    became === 'expired' ? [`${expires} `] : [],
  );
  const ended = header.clock.kind === 'real' ? [footer.endedAt.slice(0, 10)] : [];
  return [...expired, ...ended].toSorted().at(-1) ?? '';
}

function dropCause(finding: Finding): Finding {
  const { followsFrom: _, ...rest } = finding;
  return rest;
}

/** Concludes again from these cases and invariants; `incomplete` is the reason why the run is not complete. */
function concludeAgain(
  result: EndedRun,
  { selected, suites, nameable }: RecheckOptions,
  { cases, incomplete }: Pick<WalkedCases, 'cases'> & { readonly incomplete: string | undefined },
): Pick<EndedRun, 'rules' | 'invariants' | 'footer'> {
  const { header, unsolicited } = result;
  const { people: _, ...footer } = result.footer;
  const { endedAt, interrupted, wallMilliseconds, exchanges, deliveries } = footer;
  // Findings without their marks of causes.
  const unmarked = result.invariants.map((one) => ({ ...one, findings: one.findings.map(dropCause) }));
  const [{ end }, concluded] = concludeJournal(
    { cases, invariants: unmarked, unsolicited, incomplete },
    {
      header,
      selected,
      suites,
      nameable,
      today: judgingDay(result),
      expected: expectedEntries(footer),
      attestations: joinAttestations([{ file: header.target.file, result: { ...result, cases: [] } }]),
    },
    { endedAt, interrupted, wallMilliseconds, exchanges, deliveries, ...omitUndefined({ root: footer.root }) },
  );
  return { rules: end.rules, invariants: end.invariants, footer: { ...footer, ...concluded.footer } };
}

/** Reports verdicts that do not follow from the cases; they come first, because readers look at them first. */
function* concludedFlaws<T extends RuleResult | InvariantResult>(
  what: string,
  stated: readonly T[],
  follows: readonly T[],
): Iterable<string> {
  yield* listFlaws(what, stated, follows);
  for (const [at, right] of follows.entries()) {
    const one = stated[at] ?? right;
    const follow = Object.assign({ verdict: right.verdict }, right);
    const wrong = statementFlaw(`the ${what} ${right.id}`, one, follow, 'its cases');
    if (wrong !== undefined) yield wrong;
  }
}

function* conclusionFlaws(result: EndedRun, options: RecheckOptions, { cases }: WalkedCases): Iterable<string> {
  const { footer } = result;
  const whole = concludeAgain(result, options, { cases, incomplete: undefined });
  // A stopped or partial run gives that reason before those that follow from its verdicts.
  const incomplete = footer.reasons.length === whole.footer.reasons.length + 1 ? footer.reasons[0] : undefined;
  const right = incomplete === undefined ? whole : concludeAgain(result, options, { cases, incomplete });
  yield* concludedFlaws('rule', result.rules, right.rules);
  yield* concludedFlaws('invariant', result.invariants, right.invariants);
  if (incomplete === undefined && footer.stopped === true)
    yield `the run was stopped, and its reasons do not say why: ${quoteValue(footer.reasons)}`;
  const wrong = statementFlaw('the run', footer, right.footer, 'its rules');
  if (wrong !== undefined) yield wrong;
}

function* runFlaws(result: EndedRun, options: RecheckOptions): Iterable<string> {
  yield* clockFlaws(result);
  const rules = createRuleBook(options.nameable.rules);
  const walked = recheckCases(result, options, rules);
  yield* listFlaws('case', walked.cases, options.selected.cases);
  if (walked.wrong !== undefined) yield walked.wrong;
  yield* invariantsFlaws(result, options, { messages: walked.messages, rules });
  yield* conclusionFlaws(result, options, walked);
  yield* messageFlaws(result, walked);
}

/** Judges a run again from its own cases. Returns the first inconsistency, or undefined. */
export function recheckRun(result: EndedRun, options: RecheckOptions): string | undefined {
  const [first] = runFlaws(result, options);
  return first;
}
