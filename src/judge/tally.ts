import type { Attestation, Attested } from '../model/attestation.ts';
import type { Json } from '../model/json.ts';
import type { CaseResult, InvariantResult, RuleResult } from '../model/result.ts';
import type { Rule } from '../model/rule.ts';
import { isConclusive, type Verdict, worst } from '../model/verdict.ts';
import { verdictOf } from './rule-book.ts';

interface RuleTally {
  readonly verdicts: Set<Verdict>;
  /** A case of the rule did not run. */
  missed: boolean;
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

type Judged = Pick<CaseResult, 'verdict' | 'reason' | 'findings'>;

/** What a case that did not get to its end says of the rules it did not get to. */
const unjudgedIn = ({ verdict, reason }: Judged): Verdict | undefined =>
  noVerdict(verdict) ? verdict : reason === undefined ? undefined : 'inconclusive';

/**
 * What a case says of one of its rules. A proven violation of the rule's own level stands even where the case did not get
 * further; a softer one does not: the rest might have been worse.
 */
function verdictForRule({ id, level }: Rule, judged: Judged): Verdict {
  const found = worst(judged.findings.filter(({ rule }) => rule === id).map((finding) => verdictOf[finding.level]));
  const unjudged = unjudgedIn(judged);
  if (unjudged === undefined) return found ?? 'pass';
  return found === 'fail' || (found === 'warn' && level === 'recommended') ? found : unjudged;
}

/** Names of judges that are listed with a rule. */
const keptJudges = 50;

export function createRuleTallies(rules: readonly Rule[], attestations: readonly Attestation[] = []): RuleTallies {
  const attested = new Map(attestations.map((attestation) => [attestation.rule, attestation]));
  const tallies = new Map<string, RuleTally>(
    rules.map(({ id }) => [id, { verdicts: new Set(), missed: false, judgedBy: [], reasons: new Map(), recorded: {} }]),
  );
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  const verdictOn = (id: string, judged: Judged): Verdict => {
    const rule = byId.get(id);
    return rule === undefined ? judged.verdict : verdictForRule(rule, judged);
  };
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
        const verdict = verdictOn(rule, result);
        const tally = add(rule, verdict, result.id, result.reason);
        if (tally === undefined) continue;
        tally.missed ||= result.verdict === 'not-run';
        const short = result.id.split('/').slice(1).join('/');
        for (const [name, value] of Object.entries(result.recorded)) {
          const plain = short === '' ? name : `${name} (${short})`;
          const taken = Object.hasOwn(tally.recorded, plain);
          tally.recorded[taken ? `${name} (${result.id})` : plain] = value;
        }
      }
    },
    addInvariant: (result) => {
      for (const { rule } of result.rules) {
        add(rule, verdictOn(rule, result), result.id, result.reason);
      }
    },
    conclude: (selected) =>
      rules
        .filter(({ id }) => selected.has(id))
        .map((rule) => attest(concludeRule(rule, tallies.get(rule.id)), attested.get(rule.id))),
  };
}

const withoutJudge: Readonly<Record<Rule['judged'], string>> = {
  cases: 'no case judged it',
  invariant: 'no message it speaks of was seen',
  attested: 'only the operator can attest it',
  untestable: 'not testable from outside',
};

/** Half a rule is no rule: what passed in the cases that ran is inconclusive while others of its cases did not run. */
function verdictOfRule({ level }: Rule, found: Verdict, tally: RuleTally | undefined): Verdict {
  if (level === 'informational') {
    return found === 'pass' && Object.keys(tally?.recorded ?? {}).length > 0 ? 'informational' : found;
  }
  return tally?.missed === true && (found === 'pass' || found === 'informational') ? 'inconclusive' : found;
}

function concludeRule(rule: Rule, tally: RuleTally | undefined): RuleResult {
  const recorded = tally?.recorded ?? {};
  const found = worst(tally?.verdicts ?? []) ?? 'not-run';
  const verdict = verdictOfRule(rule, found, tally);
  const reasons = [...(tally?.reasons ?? [])].map(([reason, count]) =>
    count > 1 ? `${reason} (${count} cases)` : reason,
  );
  const reason = reasons.length > 0 ? reasons.join('; ') : verdict === 'not-run' ? reasonWithoutJudge(rule) : undefined;
  const { id, area, clause, level, description, interpretation } = rule;
  return {
    id,
    area,
    clause,
    level,
    description,
    ...(interpretation === undefined ? {} : { interpretation }),
    judged: rule.judged,
    verdict,
    ...(reason === undefined ? {} : { reason }),
    judgedBy: tally?.judgedBy ?? [],
    recorded,
  };
}

/** A rule that nothing of the run could judge, and that the operator attests. What a case found outweighs any word. */
function attest(result: RuleResult, attestation: Attestation | undefined): RuleResult {
  if (attestation === undefined || result.judged !== 'attested' || result.verdict !== 'not-run') return result;
  const { rule: _, place: __, ...attested } = attestation;
  return { ...result, verdict: 'attested', reason: reasonOf(attested), attestation: attested };
}

function reasonOf({ by, on, description, evidence, sha256 }: Attested): string {
  return `${by} attests it on ${on}: ${description} (evidence: ${evidence}${sha256 === undefined ? '' : `, ${sha256}`})`;
}

const reasonWithoutJudge = ({ judged, rationale }: Rule): string =>
  rationale === undefined ? withoutJudge[judged] : `${withoutJudge[judged]}: ${rationale}`;
