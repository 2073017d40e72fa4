import { createRuleBook, type RuleBook } from '../../judge/rule-book.ts';
import type { CaseResult, InvariantResult, Result, ResultFooter } from '../../model/result.ts';
import type { Messages } from '../../model/interface.ts';
import type { Selected } from '../plan/select.ts';
import { caseFlaw } from './case.ts';
import { type Concluding, conclusionFlaw, type EndedRun } from './concluded.ts';
import { invariantFlaw } from './invariant.ts';
import { clockFlaw, momentFlaw, type Period, periodOf } from './period.ts';
import { responsesFlaw } from './responses.ts';
import { doubled } from './stated.ts';

export interface RecheckOptions extends Concluding {
  readonly messages: Pick<Messages, 'meant'>;
}

/** A run that reached its end. */
export type Ended = Result & { readonly footer: ResultFooter };

type Named = readonly { readonly id: string }[];

/** Whether a result has what the run selected, each once and in the order of the suites. */
function planFlaw(what: string, found: Named, planned: Named): string | undefined {
  const twice = doubled(found.map(({ id }) => id));
  if (twice !== undefined) return `it has the ${what} ${twice} twice`;
  const [there, selected] = [new Set(found.map(({ id }) => id)), new Set(planned.map(({ id }) => id))];
  const missing = planned.find(({ id }) => !there.has(id));
  if (missing !== undefined) return `it has no ${what} ${missing.id}, which its run selected`;
  const foreign = found.find(({ id }) => !selected.has(id));
  if (foreign !== undefined) return `it has the ${what} ${foreign.id}, which its run did not select`;
  const moved = planned.find(({ id }, at) => found[at]?.id !== id);
  return moved === undefined ? undefined : `the ${what} ${moved.id} does not stand in the order of the suites`;
}

/** What one walk over the cases finds, and what it keeps. */
interface Walked {
  readonly cases: EndedRun['cases'];
  readonly messages: ReadonlyMap<string, ReadonlySet<string>>;
  readonly exchanges: number;
  readonly deliveries: number;
  readonly wrong: string | undefined;
}

function walk(
  { cases }: Ended,
  { selected, messages }: RecheckOptions,
  { run, rules }: { run: Period; rules: RuleBook },
): Walked {
  const planned = new Map(selected.cases.map((one) => [one.id, one]));
  const found: Omit<CaseResult, 'messages'>[] = [];
  const ids = new Map<string, ReadonlySet<string>>();
  const sums = { exchange: 0, delivery: 0 };
  let wrong: string | undefined;
  for (const one of cases) {
    const given = planned.get(one.id);
    if (given !== undefined)
      wrong ??= caseFlaw(one, given, rules) ?? momentFlaw(one, run) ?? responsesFlaw(one, given, messages);
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
function messagesFlaw({ footer, invariants, unsolicited }: Ended, walked: Walked): string | undefined {
  const { cases, exchanges, deliveries } = walked;
  const arrived = deliveries + unsolicited.length;
  if (exchanges > footer.exchanges)
    return `its cases have ${exchanges} exchanges, and its footer counts ${footer.exchanges}`;
  if (arrived > footer.deliveries)
    return `its cases have ${arrived} deliveries, and its footer counts ${footer.deliveries}`;
  const isPlain =
    footer.gaps === undefined &&
    cases.every(({ startedAt, reason, findings, verdict }) =>
      startedAt === 0 ? verdict !== 'error' : reason === undefined && findings.length === 0,
    ) &&
    invariants.every(({ findings }) => findings.length === 0);
  return isPlain && exchanges < footer.exchanges
    ? `its cases have ${exchanges} exchanges, and its footer counts ${footer.exchanges}`
    : undefined;
}

function invariantsFlaw(
  { invariants }: Ended,
  { beside, ...selected }: Selected,
  { messages, rules }: { readonly messages: Walked['messages']; readonly rules: RuleBook },
): string | undefined {
  const there = new Set(invariants.map(({ id }) => id));
  // One that was not selected itself is there only where it found something.
  const planned = selected.invariants.filter(({ id }) => beside?.has(id) !== true || there.has(id));
  const wrong = planFlaw('invariant', invariants, planned);
  if (wrong !== undefined) return wrong;
  const byId = new Map(planned.map((one) => [one.id, one]));
  const run = { rules, messages };
  const flawOf = (one: InvariantResult): string | undefined => {
    const given = byId.get(one.id);
    return given === undefined ? undefined : invariantFlaw(one, given, run);
  };
  return invariants.reduce((found: string | undefined, one) => found ?? flawOf(one), undefined);
}

/**
 * Judges the rules of a run again, from what its cases and invariants found: why the result does not follow from itself, in the
 * first thing that does not agree; undefined where all does. Of the messages only what a response shows by itself is judged again.
 */
export function recheck(result: Ended, options: RecheckOptions): string | undefined {
  const { header, footer } = result;
  const run = periodOf(header, footer);
  if ('wrong' in run) return run.wrong;
  const { selected } = options;
  const rules = createRuleBook(options.nameable.rules);
  const walked = walk(result, options, { run, rules });
  const ended: EndedRun = { ...result, cases: walked.cases };
  return (
    clockFlaw(header, footer) ??
    planFlaw('case', walked.cases, selected.cases) ??
    walked.wrong ??
    invariantsFlaw(result, selected, { messages: walked.messages, rules }) ??
    conclusionFlaw(ended, options) ??
    messagesFlaw(result, walked)
  );
}
