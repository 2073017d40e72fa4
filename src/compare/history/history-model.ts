import type { Profile } from '../../model/profile.ts';
import type { ResultFooter, ResultHeader, RuleResult, Result } from '../../model/result.ts';
import { type Level, type Score, type RunOutcome, type Verdict, isConclusive } from '../../model/rule.ts';

export interface JudgeIndex {
  /** Ids of the cases that ended with a verdict on the carrier. */
  readonly ran: ReadonlySet<string>;
  /** For each rule, the ids of the cases with findings against it. */
  readonly against: ReadonlyMap<string, readonly string[]>;
}

export interface HistoryEntry {
  readonly file: string;
  readonly header: ResultHeader;
  readonly footer?: ResultFooter;
  readonly rules: readonly RuleResult[];
  readonly judges?: JudgeIndex;
}

/** System under test; only `carrier` is an operator's real carrier. */
export type CarrierKind = 'carrier' | 'test carrier' | 'reference carrier' | 'faults injected';

export interface HistoryRun {
  /** Id from the result header. */
  readonly run: string;
  readonly file: string;
  readonly startedAt: string;
  /** Label of its rules and suites. */
  readonly edition: string;
  readonly outcome: RunOutcome | 'cut off';
  /** The outcome; for a partial run, also how many of the rules were judged. */
  readonly headline: string;
  readonly profile?: Profile;
  /** Score of the required rules that count; absent if the run was cut off. */
  readonly required?: Score;
  readonly clock: 'real' | 'virtual';
  readonly tool: string;
  /** Caveats on its verdicts, a clause each. */
  readonly notes: readonly string[];
}

/** Cause of a turn. `selection`: one run left out the cases in which the other found the rule broken. */
export type TurnCause = 'carrier' | 'rule' | 'suites' | 'selection';

/** A change of verdict. `before` and `at` are indexes into the list of runs. */
export interface Turn {
  readonly rule: string;
  readonly level: Level;
  readonly from: Verdict;
  readonly to: Verdict;
  readonly before: number;
  readonly at: number;
  readonly cause: TurnCause;
}

export interface RuleLine extends Pick<RuleResult, 'id' | 'area' | 'clause' | 'level' | 'description'> {
  /** One per run; undefined where the run did not select the rule. */
  readonly cells: readonly ({ readonly verdict: Verdict; readonly reason?: string } | undefined)[];
  readonly turns: readonly Turn[];
  /** Verdict of the newest run that selected the rule, conclusive or not. */
  readonly newest: { readonly verdict: Verdict; readonly at: number };
  /** Newest conclusive verdict, if `newest` is not conclusive. */
  readonly judgedLast?: { readonly verdict: Verdict; readonly at: number };
  /** The rule's wording differs between runs. */
  readonly reworded: boolean;
}

/** Runs of one carrier against one interface, oldest first. */
export interface CarrierHistory {
  /** First 16 hex digits of the digest of its identity; matrices refer to it. */
  readonly id: string;
  readonly name: string;
  readonly otherNames: readonly string[];
  readonly issuer: string;
  readonly kind: CarrierKind;
  readonly faults: readonly string[];
  /** Id and version. */
  readonly interface: string;
  readonly runs: readonly HistoryRun[];
  /** Number of older runs that are left out. */
  readonly older: number;
  readonly rules: readonly RuleLine[];
}

export interface Edition {
  /** `E1` is the oldest of its interface. */
  readonly label: string;
  readonly interface: string;
  readonly rules: string;
  readonly suites: string;
  /** Versions of carrierspec that ran them. */
  readonly tools: readonly string[];
  readonly runs: number;
}

/** Newest verdict of a carrier on a rule. */
export interface MatrixCell {
  readonly verdict: Verdict;
  readonly at: number;
  /** Number of newer runs that did not select the rule. */
  readonly newerWithout: number;
  readonly judgedLast?: RuleLine['judgedLast'];
  /** The rule is worded differently in that run. */
  readonly otherWords: boolean;
}

export interface HistoryMatrixRow extends Pick<RuleResult, 'id' | 'area' | 'clause' | 'level' | 'description'> {
  /** One per carrier; undefined where none of its runs selected the rule. */
  readonly cells: readonly (MatrixCell | undefined)[];
}

export interface HistoryMatrix {
  readonly interface: string;
  /** Ids of the carriers, in the order of the cells. */
  readonly carriers: readonly string[];
  readonly rows: readonly HistoryMatrixRow[];
}

export interface History {
  readonly carriers: readonly CarrierHistory[];
  readonly editions: readonly Edition[];
  readonly matrices: readonly HistoryMatrix[];
  /** Duplicates: `file` is ignored because `same` has the same content. */
  readonly doubled: readonly { readonly file: string; readonly same: string }[];
  /** Shards: `file` is ignored because the merged result `whole` contains it. */
  readonly parts: readonly { readonly file: string; readonly whole: string }[];
}

export function indexJudges({ cases, invariants }: Pick<Result, 'cases' | 'invariants'>): JudgeIndex {
  const against = new Map<string, string[]>();
  const note = (rule: string, id: string | undefined): void => {
    const known = against.get(rule);
    if (id === undefined || known?.includes(id) === true) return;
    if (known === undefined) against.set(rule, [id]);
    else known.push(id);
  };
  const ran = new Set<string>();
  for (const { id, verdict, findings } of cases) {
    if (isConclusive(verdict)) ran.add(id);
    for (const { rule } of findings) note(rule, id);
  }
  for (const { findings } of invariants) for (const { rule, seenIn } of findings) note(rule, seenIn);
  return { ran, against };
}
