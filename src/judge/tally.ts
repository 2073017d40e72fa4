import type { Finding } from '../model/finding.ts';
import type { Json } from '../model/json.ts';
import type { CaseResult, InvariantResult, RuleResult, Score } from '../model/result.ts';
import { type Level, levels, type Rule } from '../model/rule.ts';
import { isConclusive, type Outcome, type Verdict, worst } from '../model/verdict.ts';
import { verdictOf } from './rule-book.ts';

interface RuleTally {
  readonly verdicts: Set<Verdict>;
  readonly judgedBy: string[];
  readonly reasons: Map<string, number>;
  readonly recorded: Record<string, Json>;
}

/** Folds cases and invariants, as they end, into verdicts of rules. Nothing of a case is kept but what it says. */
export interface RuleTallies {
  readonly addCase: (result: Omit<CaseResult, 'messages'>, rules: ReadonlySet<string>) => void;
  readonly addInvariant: (result: InvariantResult) => void;
  readonly conclude: (selected: ReadonlySet<string>) => readonly RuleResult[];
}

const noVerdict = (verdict: Verdict): boolean => !isConclusive(verdict);

/** What a case or an invariant says of one of its rules: a proven violation stands, even where the case did not get further. */
function verdictForRule(rule: string, verdict: Verdict, findings: readonly Finding[]): Verdict {
  const found = worst(findings.filter((finding) => finding.rule === rule).map(({ level }) => verdictOf[level]));
  if (found === 'fail' || found === 'warn') return found;
  return noVerdict(verdict) ? verdict : (found ?? 'pass');
}

/** Names of judges that are listed with a rule. */
const keptJudges = 50;

export function createRuleTallies(rules: readonly Rule[]): RuleTallies {
  const tallies = new Map<string, RuleTally>(
    rules.map(({ id }) => [id, { verdicts: new Set(), judgedBy: [], reasons: new Map(), recorded: {} }]),
  );
  const add = (rule: string, verdict: Verdict, judge: string, reason: string | undefined): RuleTally | undefined => {
    const tally = tallies.get(rule);
    if (tally === undefined) return undefined;
    tally.verdicts.add(verdict);
    if (tally.judgedBy.length < keptJudges) tally.judgedBy.push(judge);
    if (reason !== undefined && noVerdict(verdict)) tally.reasons.set(reason, (tally.reasons.get(reason) ?? 0) + 1);
    return tally;
  };

  return {
    addCase: (result, judged) => {
      for (const rule of judged) {
        const verdict = verdictForRule(rule, result.verdict, result.findings);
        const tally = add(rule, verdict, result.id, result.reason);
        if (tally === undefined) continue;
        const short = result.id.split('/').slice(1).join('/');
        for (const [name, value] of Object.entries(result.recorded)) {
          tally.recorded[short === '' ? name : `${name} (${short})`] = value;
        }
      }
    },
    addInvariant: (result) => {
      for (const { rule } of result.rules) {
        add(rule, verdictForRule(rule, result.verdict, result.findings), result.id, result.reason);
      }
    },
    conclude: (selected) =>
      rules.filter(({ id }) => selected.has(id)).map((rule) => concludeRule(rule, tallies.get(rule.id))),
  };
}

const withoutJudge: Readonly<Record<Rule['judged'], string>> = {
  cases: 'no case judged it',
  invariant: 'no message it speaks of was seen',
  attested: 'only the operator can attest it',
  untestable: 'not testable from outside',
};

function concludeRule(rule: Rule, tally: RuleTally | undefined): RuleResult {
  const recorded = tally?.recorded ?? {};
  const found = worst(tally?.verdicts ?? []) ?? 'not-run';
  const observed = rule.level === 'observed' && found === 'pass' && Object.keys(recorded).length > 0;
  const verdict = observed ? 'recorded' : found;
  const reasons = [...(tally?.reasons ?? [])].map(([reason, count]) =>
    count > 1 ? `${reason} (${count} cases)` : reason,
  );
  const reason = reasons.length > 0 ? reasons.join('; ') : verdict === 'not-run' ? reasonWithoutJudge(rule) : undefined;
  const { id, area, clause, level, says, reading } = rule;
  return {
    id,
    area,
    clause,
    level,
    says,
    ...(reading === undefined ? {} : { reading }),
    judged: rule.judged,
    verdict,
    ...(reason === undefined ? {} : { reason }),
    judgedBy: tally?.judgedBy ?? [],
    recorded,
  };
}

const reasonWithoutJudge = ({ judged, because }: Rule): string =>
  because === undefined ? withoutJudge[judged] : `${withoutJudge[judged]}: ${because}`;

const conforms: ReadonlySet<Verdict> = new Set(['pass', 'recorded']);

function scoreOf(rules: readonly RuleResult[]): Score {
  return {
    conforming: rules.filter(({ verdict }) => conforms.has(verdict)).length,
    judged: rules.filter(({ verdict }) => isConclusive(verdict)).length,
    applicable: rules.filter(({ verdict }) => verdict !== 'not-applicable').length,
  };
}

export function scoreByLevel(rules: readonly RuleResult[]): Record<Level, Score> {
  const of = (level: Level): Score => scoreOf(rules.filter((rule) => rule.level === level));
  return { required: of('required'), recommended: of('recommended'), observed: of('observed') };
}

export function scores(rules: readonly RuleResult[]): Record<Level | 'all', Score> {
  return { ...scoreByLevel(rules), all: scoreOf(rules) };
}

export function scoresByArea(rules: readonly RuleResult[]): Record<string, Record<Level, Score>> {
  const areas = [...new Set(rules.map(({ area }) => area))];
  return Object.fromEntries(areas.map((area) => [area, scoreByLevel(rules.filter((rule) => rule.area === area))]));
}

export function countVerdicts(rules: readonly RuleResult[]): Partial<Record<Verdict, number>> {
  const counts: Partial<Record<Verdict, number>> = {};
  for (const { verdict } of rules) counts[verdict] = (counts[verdict] ?? 0) + 1;
  return counts;
}

/** A rule that cases or invariants could judge, and did not. */
const isOpen = ({ judged, level, verdict }: RuleResult): boolean =>
  (judged === 'cases' || judged === 'invariant') &&
  (verdict === 'inconclusive' || verdict === 'error' || (verdict === 'not-run' && level !== 'observed'));

/** Incomplete is never green: what was selected and could be judged has been judged, or the run is incomplete. */
export function concludeOutcome(
  rules: readonly RuleResult[],
  interrupted: string | undefined,
): { readonly outcome: Outcome; readonly reasons: readonly string[] } {
  const open = rules.filter(isOpen);
  const reasons = interrupted === undefined ? [] : [interrupted];
  for (const level of levels) {
    const ids = open.filter((rule) => rule.level === level).map(({ id }) => id);
    if (ids.length > 0) reasons.push(`${ids.length} ${level} ${ids.length === 1 ? 'rule' : 'rules'} without a verdict`);
  }
  if (rules.every(({ verdict }) => !isConclusive(verdict))) reasons.push('no rule was judged');
  if (rules.some(({ verdict }) => verdict === 'fail')) return { outcome: 'not conformant', reasons };
  return { outcome: reasons.length > 0 ? 'incomplete' : 'conformant', reasons };
}
