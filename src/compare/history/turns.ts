import { ruleWords } from '../comparison.ts';
import type { RuleResult } from '../../model/result.ts';
import { type Verdict, worstVerdict, isConclusive } from '../../model/rule.ts';
import type {
  JudgeIndex,
  Turn,
  TurnCause,
  CarrierHistory,
  History,
  HistoryRun,
  HistoryEntry,
  RuleLine,
} from './history-model.ts';
import { omitUndefined } from '../../lib/json.ts';

interface RunVerdict {
  readonly at: number;
  readonly rule: RuleResult;
  readonly suites: string;
  /** Absent if the cases that ran are unknown. */
  readonly judges?: JudgeIndex;
}

/** Whether the carrier, the rule or the suites may have changed, and not just the selection. */
export const isTurn = ({ cause }: Turn): boolean => cause !== 'selection';

const isWorse = (one: Verdict, other: Verdict): boolean => one !== other && worstVerdict([one, other]) === one;

/** Whether the run with the better verdict ran none of the cases that broke the rule, so that it disproves nothing. */
function isUntried(one: RunVerdict, other: RunVerdict): boolean {
  const [worse, better] = isWorse(one.rule.verdict, other.rule.verdict) ? [one, other] : [other, one];
  const seenIn = worse.judges?.against.get(worse.rule.id) ?? [];
  const ran = better.judges?.ran;
  return ran !== undefined && seenIn.length > 0 && !seenIn.some((id) => ran.has(id));
}

function turnCause(before: RunVerdict, after: RunVerdict): TurnCause {
  if (ruleWords(before.rule) !== ruleWords(after.rule)) return 'rule';
  if (before.suites !== after.suites) return 'suites';
  return isUntried(before, after) ? 'selection' : 'carrier';
}

const createTurn = (before: RunVerdict, after: RunVerdict): Turn => {
  const { id: rule, level, verdict: to } = after.rule;
  return {
    rule,
    level,
    from: before.rule.verdict,
    to,
    before: before.at,
    at: after.at,
    cause: turnCause(before, after),
  };
};

/** Newest comparable run (cause not `selection`) since the last one with the verdict of `after`. */
function newestComparable(before: readonly RunVerdict[], after: RunVerdict): RunVerdict | undefined {
  const same = before.findLastIndex(({ rule }) => rule.verdict === after.rule.verdict);
  return before.slice(same + 1).findLast((one) => turnCause(one, after) !== 'selection');
}

/** Turn at the last of these runs, if any. `open` is an earlier finding that no later run has retried. */
function turnAt(runs: readonly RunVerdict[], open: RunVerdict | undefined): Turn | undefined {
  const [before, after] = runs.slice(-2);
  if (before === undefined || after === undefined) return undefined;
  const isSame = before.rule.verdict === after.rule.verdict;
  if (open !== undefined && open.rule.verdict !== after.rule.verdict && turnCause(open, after) !== 'selection')
    return createTurn(open, after);
  if (isSame) return undefined;
  const compared = isWorse(after.rule.verdict, before.rule.verdict)
    ? newestComparable(runs.slice(0, -1), after)
    : before;
  return createTurn(compared ?? before, after);
}

/** Finding that is still open after the last run, because that run did not retry it. */
function findingLeftOpen(
  turned: Turn | undefined,
  runs: readonly RunVerdict[],
  open: RunVerdict | undefined,
): RunVerdict | undefined {
  const [before, after] = runs.slice(-2);
  if (before === undefined || after === undefined) return undefined;
  if (turned === undefined) return open;
  if (turned.cause !== 'selection' || !isWorse(turned.from, turned.to)) return undefined;
  return open ?? before;
}

/** Turns of a rule. A finding stays open across runs that do not retry it. */
function listTurns(judged: readonly RunVerdict[]): readonly Turn[] {
  const turns: Turn[] = [];
  let open: RunVerdict | undefined;
  for (const at of judged.keys()) {
    const runs = judged.slice(0, at + 1);
    const turned = turnAt(runs, open);
    if (turned !== undefined) turns.push(turned);
    open = findingLeftOpen(turned, runs, open);
  }
  return turns;
}

export interface CarrierTurn {
  readonly carrier: CarrierHistory;
  readonly turn: Turn;
  readonly run: HistoryRun;
  readonly worse: boolean;
}

export interface HistoryNews {
  /** Grouped by carrier, each group in run order. */
  readonly turned: readonly CarrierTurn[];
  /** Carriers without a run since then, each with its newest run. */
  readonly silent: readonly { readonly carrier: CarrierHistory; readonly newest: HistoryRun }[];
}

const isSince = ({ startedAt }: HistoryRun, since: number): boolean => Date.parse(startedAt) >= since;

function carrierTurns(carrier: CarrierHistory, since: number): readonly CarrierTurn[] {
  return carrier.rules
    .flatMap(({ turns }) => turns.filter(isTurn))
    .flatMap((turn) => {
      const run = carrier.runs[turn.at];
      if (run === undefined || !isSince(run, since)) return [];
      return [{ carrier, turn, run, worse: isWorse(turn.to, turn.from) }];
    })
    .toSorted((one, other) => one.turn.at - other.turn.at);
}

/** Turns in runs that began at or after `since` (milliseconds since the epoch), and carriers without such a run. */
export function newsSince({ carriers }: History, since: number): HistoryNews {
  return {
    turned: carriers.flatMap((carrier) => carrierTurns(carrier, since)),
    silent: carriers.flatMap((carrier) => {
      const newest = carrier.runs.at(-1);
      return newest === undefined || isSince(newest, since) ? [] : [{ carrier, newest }];
    }),
  };
}

function makeRuleLine(id: string, given: readonly RunVerdict[], runs: number): readonly RuleLine[] {
  const newest = given.at(-1);
  if (newest === undefined) return [];
  const judged = given.filter(({ rule }) => isConclusive(rule.verdict));
  const last = judged.at(-1);
  const { area, clause, level, description } = newest.rule;
  const cells = Array.from({ length: runs }, (_, run) => {
    const found = given.find(({ at }) => at === run)?.rule;
    return found && omitUndefined({ verdict: found.verdict, reason: found.reason });
  });
  return [
    {
      id,
      area,
      clause,
      level,
      description,
      cells,
      turns: listTurns(judged),
      newest: { verdict: newest.rule.verdict, at: newest.at },
      ...(last === undefined || last === newest ? {} : { judgedLast: { verdict: last.rule.verdict, at: last.at } }),
      reworded: new Set(given.map(({ rule }) => ruleWords(rule))).size > 1,
    },
  ];
}

/** A line for each rule that any run selected, in the order of the newest run that has it; `entries` are oldest first. */
export function ruleLines(entries: readonly HistoryEntry[]): readonly RuleLine[] {
  const byRule = new Map<string, RunVerdict[]>();
  for (const [at, { rules, header, judges }] of entries.entries()) {
    for (const rule of rules) {
      const judged = omitUndefined({ at, rule, suites: header.suites.suites, judges });
      const before = byRule.get(rule.id);
      if (before === undefined) byRule.set(rule.id, [judged]);
      else before.push(judged);
    }
  }
  const ids = new Set(entries.toReversed().flatMap(({ rules }) => rules.map(({ id }) => id)));
  return [...ids].flatMap((id) => makeRuleLine(id, byRule.get(id) ?? [], entries.length));
}
