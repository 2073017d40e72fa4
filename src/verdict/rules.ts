import { omitUndefined, type Json } from '../lib/json.ts';
import { countNoun } from '../lib/lists.ts';
import type { Attestation, AttestedStatement } from '../model/target.ts';
import type { Finding } from '../model/finding.ts';
import type { CaseResult, InvariantResult, RuleResult } from '../model/result.ts';
import {
  type Level,
  levels,
  renderRuleRef,
  type Rule,
  type RuleRef,
  isConclusive,
  type RunOutcome,
  type Verdict,
  worstVerdict,
} from '../model/rule.ts';
import { countedVerdict, type FoldedRule, isDecisive, type Judge, unjudgedVerdict } from './standing.ts';
import { scoreByLevel } from './counts.ts';

interface RuleTally {
  readonly rule: Rule;
  readonly verdicts: Set<Verdict>;
  /** Verdicts from its critical aspects alone. */
  readonly critical: Set<Verdict>;
  /** A case of the rule did not run, or an invariant found nothing to judge. */
  missed: boolean;
  readonly judgedBy: string[];
  readonly reasons: Map<string, number>;
  /** For each verdict, the rules that its findings, or the unmet condition, follow from. */
  readonly follows: Map<Verdict, Set<string | undefined>>;
  /** Levels of findings against it, except findings seen in one of two tries. */
  readonly broken: Set<Level>;
  readonly recorded: Record<string, Json>;
}

/** Folds cases and invariants into verdicts of rules as they end, keeping only what counts. */
export interface RuleTallies {
  readonly addCase: (result: Omit<CaseResult, 'messages'>, rules: ReadonlySet<string>) => void;
  readonly addInvariant: (result: InvariantResult) => void;
  readonly conclude: (selected: ReadonlySet<string>) => readonly FoldedRule[];
}

type JudgedCase = Judge & Pick<CaseResult, 'id' | 'findings' | 'followsFrom'>;

/** Level of a rule or aspect. */
type LevelOf = (ref: RuleRef) => Level | undefined;

/** Whether a case has no verdict on a required rule only because the carrier does not follow what is recommended (P10). */
const isWaived = ({ level }: Rule, { followsFrom }: JudgedCase, levelOf: LevelOf): boolean =>
  level === 'required' && followsFrom !== undefined && levelOf(followsFrom) !== 'required';

/** Verdict of a case on one of its rules: in a stopped case, only a violation at the rule's own level stands. */
function verdictForRule(rule: Rule, judged: JudgedCase, own: readonly Finding[], levelOf: LevelOf): Verdict {
  const decisive = own.filter((one) => isDecisive(one, judged, rule));
  const found = worstVerdict(decisive.map(countedVerdict));
  if (found !== undefined) return found;
  const unjudged = unjudgedVerdict(judged, rule.id);
  return unjudged === 'inconclusive' && isWaived(rule, judged, levelOf) ? 'not-applicable' : (unjudged ?? 'pass');
}

const isCriticalIn =
  ({ aspects }: Rule) =>
  ({ aspect }: Finding): boolean =>
    aspects.some(({ id, critical }) => id === aspect && critical === true);

const maxKeptJudges = 50;

function addVerdict(tally: RuleTally, judged: JudgedCase, levelOf: LevelOf): void {
  const { rule, verdicts, judgedBy, reasons } = tally;
  const { id, reason } = judged;
  const own = judged.findings.filter((one) => one.rule === rule.id);
  const verdict = verdictForRule(rule, judged, own, levelOf);
  verdicts.add(verdict);
  tally.critical.add(verdictForRule(rule, judged, own.filter(isCriticalIn(rule)), levelOf));
  const decisive = own.filter((one) => countedVerdict(one) === verdict);
  const causes = decisive.length > 0 ? decisive.map((one) => one.followsFrom) : [judged.followsFrom?.rule];
  const follows = tally.follows.get(verdict) ?? new Set();
  for (const cause of causes) follows.add(cause);
  tally.follows.set(verdict, follows);
  for (const one of own) if (one.unstable !== true) tally.broken.add(one.level);
  if (judgedBy.length < maxKeptJudges) judgedBy.push(id);
  if (reason !== undefined && !isConclusive(verdict)) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
}

/** Records the values of each row of a matrix under the row's name. */
function addRecorded({ recorded }: RuleTally, result: Pick<CaseResult, 'id' | 'recorded'>): void {
  const row = result.id.split('/').slice(1).join('/');
  for (const [name, value] of Object.entries(result.recorded)) {
    const ofRow = row === '' ? name : `${name} (${row})`;
    recorded[Object.hasOwn(recorded, ofRow) ? `${name} (${result.id})` : ofRow] = value;
  }
}

const openRuleTally = (rule: Rule): RuleTally => ({
  rule,
  verdicts: new Set(),
  critical: new Set(),
  missed: false,
  judgedBy: [],
  reasons: new Map(),
  follows: new Map(),
  broken: new Set(),
  recorded: {},
});

interface TallyOptions {
  readonly attestations?: readonly Attestation[] | undefined;
  /** Why the run stopped: the one reason of each rule with a case that did not run for it. */
  readonly stopped?: string | undefined;
}

export function createRuleTallies(
  rules: readonly Rule[],
  { attestations = [], stopped }: TallyOptions = {},
): RuleTallies {
  const attested = new Map(attestations.map((attestation) => [attestation.rule, attestation]));
  const tallies = new Map(rules.map((rule) => [rule.id, openRuleTally(rule)]));
  const levelOf: LevelOf = ({ rule, aspect }) => {
    const found = tallies.get(rule)?.rule;
    return (found?.aspects.find(({ id }) => id === aspect) ?? found)?.level;
  };
  return {
    addCase: (result, judged) => {
      for (const id of judged) {
        const tally = tallies.get(id);
        if (tally === undefined) continue;
        addVerdict(tally, result, levelOf);
        tally.missed ||= result.verdict === 'not-run';
        addRecorded(tally, result);
      }
    },
    addInvariant: (result) => {
      for (const { rule } of result.rules) {
        const tally = tallies.get(rule);
        if (tally === undefined) continue;
        addVerdict(tally, result, levelOf);
        tally.missed ||= result.verdict === 'not-run';
      }
    },
    conclude: (selected) =>
      [...tallies.values()]
        .filter(({ rule }) => selected.has(rule.id))
        .map((tally) => applyAttestation(concludeRule(tally, stopped), attested.get(tally.rule.id))),
  };
}

const unjudgedReasons: Readonly<Record<Rule['judged'], string>> = {
  cases: 'no case judged it',
  invariant: 'no message it speaks of was seen',
  attested: 'only the operator can attest it',
  untestable: 'not testable from outside',
};

const unjudgedReason = ({ judged, rationale }: Rule): string =>
  rationale === undefined ? unjudgedReasons[judged] : `${unjudgedReasons[judged]}: ${rationale}`;

/**
 * A pass becomes inconclusive if other cases of the rule did not run, or an invariant found nothing to judge. A violation at the rule's
 * own level stands, though other cases are open.
 */
function ruleVerdict({ rule, missed, recorded }: RuleTally, verdicts: ReadonlySet<Verdict>): Verdict {
  const found = worstVerdict(verdicts) ?? 'not-run';
  if (rule.level === 'recommended' && found === 'inconclusive' && verdicts.has('warn')) return 'warn';
  if (rule.level === 'informational') {
    return found === 'pass' && Object.keys(recorded).length > 0 ? 'informational' : found;
  }
  const isOfLesserLevel =
    found === 'pass' || found === 'informational' || (found === 'warn' && rule.level === 'required');
  return missed && isOfLesserLevel ? 'inconclusive' : found;
}

function aspectTexts({ id, aspects }: Rule): RuleResult['aspects'] {
  if (aspects.length === 0) return undefined;
  return Object.fromEntries(
    aspects.map((aspect) => [renderRuleRef({ rule: id, aspect: aspect.id }), aspect.description]),
  );
}

/** Whether nothing was found at each level of the rule and its aspects; undefined if there is only one level. */
function keptLevels({ rule, broken }: RuleTally): RuleResult['levels'] {
  const stated = levels.filter((level) => level === rule.level || rule.aspects.some((one) => one.level === level));
  return stated.length < 2 ? undefined : Object.fromEntries(stated.map((level) => [level, !broken.has(level)]));
}

/** Reasons for having no verdict, each with the number of its cases; the stop of the run stands alone. */
function joinReasons({ reasons }: RuleTally, stopped = ''): string | undefined {
  if (reasons.has(stopped)) return stopped;
  const said = [...reasons].map(([reason, count]) => (count > 1 ? `${reason} (${count} cases)` : reason));
  return said.length === 0 ? undefined : said.join('; ');
}

function concludeRule(tally: RuleTally, stopped: string | undefined): FoldedRule {
  const { rule, judgedBy, recorded } = tally;
  const verdict = ruleVerdict(tally, tally.verdicts);
  const isPartlyCritical = rule.aspects.some((aspect) => aspect.critical === true);
  const criticalVerdict = isPartlyCritical ? ruleVerdict(tally, tally.critical) : undefined;
  const reason = joinReasons(tally, stopped) ?? (verdict === 'not-run' ? unjudgedReason(rule) : undefined);
  const causes: ReadonlySet<string | undefined> = tally.follows.get(verdict) ?? new Set();
  const [cause, ...others] = causes;
  const followsFrom = others.length === 0 && cause !== rule.id ? cause : undefined;
  const { id, area, clause, level, stated, description, interpretation, judged, baseline, critical } = rule;
  return {
    id,
    area,
    clause,
    level,
    ...omitUndefined({ stated }),
    description,
    ...omitUndefined({ aspects: aspectTexts(rule), levels: keptLevels(tally), interpretation }),
    judged,
    ...omitUndefined({ baseline, critical, criticalVerdict }),
    verdict,
    ...omitUndefined({ reason, followsFrom }),
    judgedBy,
    recorded,
    causes,
    isStable: tally.broken.size > 0,
  };
}

/** An attestation counts only for a rule that the run could not judge. */
function applyAttestation(result: FoldedRule, attestation: Attestation | undefined): FoldedRule {
  if (attestation === undefined || result.judged !== 'attested' || result.verdict !== 'not-run') return result;
  const { rule: _, place: __, ...attested } = attestation;
  return { ...result, verdict: 'attested', reason: attestationReason(attested), attestation: attested };
}

const attestationReason = ({ by, on, description, evidence, sha256 }: AttestedStatement): string =>
  `${by} attests it on ${on}: ${description} (evidence: ${evidence}${sha256 === undefined ? '' : `, ${sha256}`})`;

/** A required rule that counts and could have been judged, but was not. Others leave nothing open, unless the program itself failed (P20). */
export const isOpenRule = (rule: Pick<RuleResult, 'level' | 'verdict' | 'standing' | 'apart'> | undefined): boolean =>
  rule !== undefined &&
  rule.apart !== true &&
  (rule.verdict === 'error' || (rule.level === 'required' && rule.standing === 'open'));

/** `rules` are those that count, as they count; `all` are all of the run. An incomplete run is never green: every selected rule that can be judged must have been judged. */
export function concludeOutcome(
  rules: readonly RuleResult[],
  interrupted: string | undefined,
  all: readonly RuleResult[] = rules,
): { readonly outcome: RunOutcome; readonly reasons: readonly string[] } {
  const open = rules.filter(isOpenRule);
  const reasons = interrupted === undefined ? [] : [interrupted];
  for (const level of levels) {
    const count = open.filter((rule) => rule.level === level).length;
    if (count > 0) reasons.push(`${countNoun(count, `${level} rule`)} without a verdict`);
  }
  if (all.every(({ verdict }) => !isConclusive(verdict))) reasons.push('no rule was judged');
  if (rules.some(({ verdict }) => verdict === 'fail')) return { outcome: 'not conformant', reasons };
  if (reasons.length > 0) return { outcome: 'incomplete', reasons };
  return { outcome: scoreByLevel(rules).required.judged === 0 ? 'not judged' : 'conformant', reasons };
}
