import type { Finding } from '../../model/finding.ts';
import { conclude } from '../../journal/conclude.ts';
import { createRuleBook, type RuleBook } from '../../judge/rule-book.ts';
import { shownValue } from '../../lib/difference.ts';
import type { Messages } from '../../model/interface.ts';
import type { CaseResult, InvariantResult, Result, ResultFooter, RuleResult } from '../../model/result.ts';
import type { Suites } from '../../suite/suites.ts';
import { attestationsOf, entriesOf } from '../merge/merge.ts';
import type { Selected } from '../plan/select.ts';
import { caseFlaws, doubled, invariantFlaws, statementFlaw } from './case.ts';
import { clockFlaws, momentFlaw } from './period.ts';
import { responsesFlaw } from './responses.ts';

interface RecheckOptions {
  readonly selected: Selected;
  readonly suites: Suites;
  /** The same with the areas that were left out. */
  readonly nameable: Suites;
  readonly messages: Pick<Messages, 'meant'>;
}

type Ended = Result & { readonly footer: ResultFooter };

type Named = readonly { readonly id: string }[];

/** What a list of a result has too much, too little, or not in the order of the suites. */
function* listFlaws(what: string, found: Named, planned: Named): Iterable<string> {
  const twice = doubled(found.map(({ id }) => id));
  if (twice !== undefined) yield `it has the ${what} ${twice} twice`;
  const [there, selected] = [new Set(found.map(({ id }) => id)), new Set(planned.map(({ id }) => id))];
  for (const { id } of planned) if (!there.has(id)) yield `it has no ${what} ${id}, which its run selected`;
  for (const { id } of found) if (!selected.has(id)) yield `it has the ${what} ${id}, which its run did not select`;
  const moved = planned.find(({ id }, at) => found[at]?.id !== id);
  if (moved !== undefined) yield `the ${what} ${moved.id} does not stand in the order of the suites`;
}

interface Walked {
  readonly cases: readonly Omit<CaseResult, 'messages'>[];
  /** Ids of the messages, by the case that has them. */
  readonly messages: ReadonlyMap<string, ReadonlySet<string>>;
  readonly exchanges: number;
  readonly deliveries: number;
  readonly wrong: string | undefined;
}

function walk(result: Ended, { selected, messages }: RecheckOptions, rules: RuleBook): Walked {
  const planned = new Map(selected.cases.map((one) => [one.id, one]));
  const found: Omit<CaseResult, 'messages'>[] = [];
  const ids = new Map<string, ReadonlySet<string>>();
  const sums = { exchange: 0, delivery: 0 };
  let wrong: string | undefined;
  for (const one of result.cases) {
    const given = planned.get(one.id);
    if (given !== undefined && wrong === undefined) {
      [wrong] = caseFlaws(one, given, rules);
      wrong ??= momentFlaw(one, result) ?? responsesFlaw(one, given, messages);
    }
    for (const { kind } of one.messages) sums[kind] += 1;
    ids.set(one.id, new Set(one.messages.map(({ id }) => id)));
    const { messages: _, ...summary } = one;
    found.push(summary);
  }
  return { cases: found, messages: ids, exchanges: sums.exchange, deliveries: sums.delivery, wrong };
}

/**
 * Messages that are in the record, and those that the run counted. A try that came to nothing is counted and not recorded; a
 * run in which everything went its way has none.
 */
function* messageFlaws({ footer, invariants, unsolicited }: Ended, walked: Walked): Iterable<string> {
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
  if (arrived > footer.deliveries)
    yield `its cases have ${arrived} deliveries, and its footer counts ${footer.deliveries}`;
}

function* invariantsFlaws(
  { invariants }: Ended,
  { selected }: RecheckOptions,
  seen: Parameters<typeof invariantFlaws>[2],
): Iterable<string> {
  const there = new Set(invariants.map(({ id }) => id));
  // One that was not selected itself is there only where it found something.
  const planned = selected.invariants.filter(({ id }) => selected.beside?.has(id) !== true || there.has(id));
  yield* listFlaws('invariant', invariants, planned);
  for (const [at, one] of invariants.entries()) {
    const given = planned[at];
    if (given !== undefined) yield* invariantFlaws(one, given, seen);
  }
}

/** A day on which the entries of expected.yaml were as the result states them: the day of the judging is not in it. */
function dayOf({ header, footer }: Ended): string {
  const expired = (footer.expected ?? []).flatMap(({ became, expires }) =>
    became === 'expired' ? [`${expires} `] : [],
  );
  const ended = header.clock.kind === 'real' ? [footer.endedAt.slice(0, 10)] : [];
  return [...expired, ...ended].toSorted().at(-1) ?? '';
}

function withoutCause(finding: Finding): Finding {
  const { followsFrom: _, ...rest } = finding;
  return rest;
}

/** What follows from these cases and invariants; `incomplete` is why the run could not be conformant. */
function concludeAgain(
  result: Ended,
  { selected, suites, nameable }: RecheckOptions,
  { cases, incomplete }: Pick<Walked, 'cases'> & { readonly incomplete: string | undefined },
): Pick<Ended, 'rules' | 'invariants' | 'footer'> {
  const { header, footer, unsolicited } = result;
  const { endedAt, interrupted, wallMilliseconds, exchanges, deliveries } = footer;
  // As they were before causes were marked.
  const unmarked = result.invariants.map((one) => ({
    ...one,
    findings: one.findings.map(withoutCause),
  }));
  const [{ end }, concluded] = conclude(
    { cases, invariants: unmarked, unsolicited, incomplete },
    {
      selected,
      suites,
      nameable,
      profile: header.profile,
      today: dayOf(result),
      expected: entriesOf(footer),
      attestations: attestationsOf([{ file: header.target.file, result: { ...result, cases: [] } }]),
    },
    { endedAt, interrupted, wallMilliseconds, exchanges, deliveries },
  );
  return { rules: end.rules, invariants: end.invariants, footer: { ...footer, ...concluded.footer } };
}

/** Verdicts that do not follow from the cases of a run; a verdict is what a reader looks at first. */
function* verdictFlaws<T extends RuleResult | InvariantResult>(
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

function* conclusionFlaws(result: Ended, options: RecheckOptions, { cases }: Walked): Iterable<string> {
  const { footer } = result;
  const whole = concludeAgain(result, options, { cases, incomplete: undefined });
  yield* verdictFlaws('rule', result.rules, whole.rules);
  yield* verdictFlaws('invariant', result.invariants, whole.invariants);
  // A run that was stopped, or that lacks a part, says so before what follows from its verdicts.
  const incomplete = footer.reasons.length === whole.footer.reasons.length + 1 ? footer.reasons[0] : undefined;
  if (incomplete === undefined && footer.stopped === true)
    yield `the run was stopped, and its reasons do not say why: ${shownValue(footer.reasons)}`;
  const right = incomplete === undefined ? whole : concludeAgain(result, options, { cases, incomplete });
  const wrong = statementFlaw('the run', footer, right.footer, 'its rules');
  if (wrong !== undefined) yield wrong;
}

function* flaws(result: Ended, options: RecheckOptions): Iterable<string> {
  yield* clockFlaws(result);
  const rules = createRuleBook(options.nameable.rules);
  const walked = walk(result, options, rules);
  yield* listFlaws('case', walked.cases, options.selected.cases);
  if (walked.wrong !== undefined) yield walked.wrong;
  yield* invariantsFlaws(result, options, { messages: walked.messages, rules });
  yield* conclusionFlaws(result, options, walked);
  yield* messageFlaws(result, walked);
}

/**
 * Judges the rules of a run again, from what its cases and invariants found: why the result does not follow from itself, in the
 * first thing that does not agree; undefined where all does. Of the messages only what a response shows by itself is judged again.
 */
export function recheck(result: Ended, options: RecheckOptions): string | undefined {
  const [first] = flaws(result, options);
  return first;
}
