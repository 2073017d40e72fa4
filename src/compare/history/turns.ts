import type { RuleResult } from '../../model/result.ts';
import { type Verdict, worst } from '../../model/verdict.ts';
import type { Judges, Turn, TurnCause } from './lines.ts';

/** What a rule says: two rules of one id with other words are two rules. */
export const wordsOf = ({ clause, level, description, interpretation }: RuleResult): string =>
  JSON.stringify([clause, level, description, interpretation]);

/** A rule as one run judged it. */
export interface Judged {
  readonly at: number;
  readonly rule: RuleResult;
  readonly suites: string;
  /** Absent: which cases ran is not known. */
  readonly judges?: Judges;
}

/** Whether the carrier, the rule or the suites may have turned, and not only what was selected. */
export const isTurn = ({ cause }: Turn): boolean => cause !== 'selection';

/** Whether the first verdict is the worse of two. */
export const isWorse = (one: Verdict, other: Verdict): boolean => one !== other && worst([one, other]) === one;

/** Whether the run with the better verdict ran none of the cases in which the rule was broken: then it says nothing of them. */
function saysNothing(one: Judged, other: Judged): boolean {
  const [worse, better] = isWorse(one.rule.verdict, other.rule.verdict) ? [one, other] : [other, one];
  const seenIn = worse.judges?.against.get(worse.rule.id) ?? [];
  const ran = better.judges?.ran;
  return ran !== undefined && seenIn.length > 0 && !seenIn.some((id) => ran.has(id));
}

function causeOf(before: Judged, after: Judged): TurnCause {
  if (wordsOf(before.rule) !== wordsOf(after.rule)) return 'rule';
  if (before.suites !== after.suites) return 'suites';
  return saysNothing(before, after) ? 'selection' : 'carrier';
}

const turn = (before: Judged, after: Judged): Turn => {
  const { id: rule, level, verdict: to } = after.rule;
  return {
    rule,
    level,
    from: before.rule.verdict,
    to,
    before: before.at,
    at: after.at,
    cause: causeOf(before, after),
  };
};

/** The newest of these runs that tried what `after` found, from the last verdict that was another than its own. */
function newestThatTried(before: readonly Judged[], after: Judged): Judged | undefined {
  const same = before.findLastIndex(({ rule }) => rule.verdict === after.rule.verdict);
  return before.slice(same + 1).findLast((one) => causeOf(one, after) !== 'selection');
}

/** The turn at the last of these runs; `open` is what an earlier run found and no later one tried again. */
function turnAt(runs: readonly Judged[], open: Judged | undefined): Turn | undefined {
  const [before, after] = runs.slice(-2);
  if (before === undefined || after === undefined) return undefined;
  const isSame = before.rule.verdict === after.rule.verdict;
  if (open !== undefined && open.rule.verdict !== after.rule.verdict && causeOf(open, after) !== 'selection')
    return turn(open, after);
  if (isSame) return undefined;
  const compared = isWorse(after.rule.verdict, before.rule.verdict)
    ? newestThatTried(runs.slice(0, -1), after)
    : before;
  return turn(compared ?? before, after);
}

/** What stays open after a run: a finding that it says nothing of. */
function openAfter(turned: Turn | undefined, runs: readonly Judged[], open: Judged | undefined): Judged | undefined {
  const [before, after] = runs.slice(-2);
  if (before === undefined || after === undefined) return undefined;
  if (turned === undefined) return open;
  if (turned.cause !== 'selection' || !isWorse(turned.from, turned.to)) return undefined;
  return open ?? before;
}

/**
 * Where a rule turns: only verdicts about the carrier do; what was not judged says nothing, and is seen in the cells. A run that
 * did not try what an earlier one found does not answer for it: what comes after is compared with the newest run that did.
 * Where there is none, the verdict differs by the selection alone.
 */
export function turnsOf(judged: readonly Judged[]): readonly Turn[] {
  const turns: Turn[] = [];
  let open: Judged | undefined;
  for (const at of judged.keys()) {
    const runs = judged.slice(0, at + 1);
    const turned = turnAt(runs, open);
    if (turned !== undefined) turns.push(turned);
    open = openAfter(turned, runs, open);
  }
  return turns;
}
