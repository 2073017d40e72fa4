import type { Profile } from '../../model/profile.ts';
import type { ResultFooter, ResultHeader, RuleResult, Result } from '../../model/result.ts';
import { type Level, type Score, type Outcome, type Verdict, isConclusive } from '../../model/rule.ts';

export interface Judges {
  /** Ids of the cases that ended with a verdict on the carrier. */
  readonly ran: ReadonlySet<string>;
  /** By rule, the ids of the cases in which something was found against it. */
  readonly against: ReadonlyMap<string, readonly string[]>;
}

export interface HistoryEntry {
  readonly file: string;
  readonly header: ResultHeader;
  readonly footer?: ResultFooter;
  readonly rules: readonly RuleResult[];
  readonly judges?: Judges;
}

/** What a run was made against: only `carrier` is the carrier of an operator as it is. */
export type CarrierKind = 'carrier' | 'test carrier' | 'reference carrier' | 'faults injected';

export interface HistoryRun {
  /** Its id, as the result names it. */
  readonly run: string;
  readonly file: string;
  readonly startedAt: string;
  /** The label of the rules and suites that judged it. */
  readonly edition: string;
  readonly outcome: Outcome | 'cut off';
  /** The outcome, and of a part how much of the rules was judged. */
  readonly headline: string;
  readonly profile?: Profile;
  /** Of the required rules that count; absent where the run was cut off. */
  readonly required?: Score;
  readonly clock: 'real' | 'virtual';
  readonly tool: string;
  /** What makes its verdicts say less than those of a whole run, a clause each. */
  readonly notes: readonly string[];
}

/** The cause of a turn; `selection`: one of the runs left out the cases in which the other found the rule broken. */
export type TurnCause = 'carrier' | 'rule' | 'suites' | 'selection';

/** A verdict that is another than the one before it. Runs are named by their place in the list of runs. */
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
  /** By run; undefined where the run did not select the rule. */
  readonly cells: readonly ({ readonly verdict: Verdict; readonly reason?: string } | undefined)[];
  readonly turns: readonly Turn[];
  /** What the newest run that selected the rule says, whatever that is. */
  readonly newest: { readonly verdict: Verdict; readonly at: number };
  /** The run that judged it last, where the newest verdict is none. */
  readonly judgedLast?: { readonly verdict: Verdict; readonly at: number };
  /** The runs do not have it in the same words. */
  readonly reworded: boolean;
}

/** The runs of one carrier by one interface, the oldest first. */
export interface CarrierHistory {
  /** 16 hex digits of the digest of its identity: matrices name it so. */
  readonly id: string;
  readonly name: string;
  readonly otherNames: readonly string[];
  readonly issuer: string;
  readonly kind: CarrierKind;
  readonly faults: readonly string[];
  /** Id and version. */
  readonly interface: string;
  readonly runs: readonly HistoryRun[];
  /** Runs that are left out because there are newer ones. */
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

/** The newest verdict of a carrier on a rule. */
export interface MatrixCell {
  readonly verdict: Verdict;
  readonly at: number;
  /** Newer runs of the carrier that did not select the rule. */
  readonly newerWithout: number;
  readonly judgedLast?: RuleLine['judgedLast'];
  /** The rule had other words in that run than in the row. */
  readonly otherWords: boolean;
}

export interface MatrixRow extends Pick<RuleResult, 'id' | 'area' | 'clause' | 'level' | 'description'> {
  /** By carrier; undefined where none of its runs selected the rule. */
  readonly cells: readonly (MatrixCell | undefined)[];
}

export interface Matrix {
  readonly interface: string;
  /** Ids of the carriers, in the order of the cells. */
  readonly carriers: readonly string[];
  readonly rows: readonly MatrixRow[];
}

export interface History {
  readonly carriers: readonly CarrierHistory[];
  readonly editions: readonly Edition[];
  readonly matrices: readonly Matrix[];
  /** Results that say the same as one that is there: which file is read, and which are not. */
  readonly doubled: readonly { readonly file: string; readonly same: string }[];
  /** Parts of a run that was joined from them and is there: what the whole says counts in their place. */
  readonly parts: readonly { readonly file: string; readonly whole: string }[];
}

export function judgesOf({ cases, invariants }: Pick<Result, 'cases' | 'invariants'>): Judges {
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
