import { groupBy, listIds } from '../../lib/lists.ts';
import type { CaseResult, Confirmation, InvariantResult, Result, RuleResult } from '../../model/result.ts';
import type { Finding } from '../../model/finding.ts';
import { isConclusive, type RuleStanding } from '../../model/rule.ts';
import { runExitCode } from '../../verdict/ending.ts';
import { resultHeadlineLine } from '../../verdict/headline.ts';
import { createStandingLookup, type StandingLookup } from '../../verdict/findings.ts';
import { isDecisive } from '../../verdict/standing.ts';
import { findingSummary } from './broken-rules.ts';
import { expectedWords, followsWords } from './consequences.ts';
import type { EvidenceLine } from './facts.ts';
import { levelWords } from './prose.ts';

type CaseOrInvariant = Omit<CaseResult, 'messages'> | InvariantResult;

/** Maximum findings shown of one case or invariant, and maximum cases or invariants with findings. */
const maxShown = { findings: 3, judges: 12 };

/** Meaning of each standing. */
const standingWords: Readonly<Record<RuleStanding, string>> = {
  kept: 'kept: nothing was found against it',
  broken: 'broken: it makes the run not conformant',
  follows: 'the finding against it follows from another rule, which is counted in its place',
  expected: 'broken, and an entry of expected.yaml accounts for it',
  uncounted: 'broken, and the profile does not count it',
  'not followed': 'not followed: it is recommended, so it changes no outcome',
  unstable: 'seen in one of two tries, so it is a warning',
  attested: 'attested by the operator: no run judged it',
  open: 'open: it could be judged, and was not',
  unjudgeable: 'it cannot be judged from outside',
  'not applicable': 'it does not apply to this carrier',
};

const triesWords = ({ status, reason }: Confirmation): string =>
  ({
    confirmed: 'a second try showed it again',
    unstable: 'a second try showed it again',
    'seen-once': `there was no second try${reason === undefined ? '' : `: ${reason}`}`,
  })[status];

/** A finding, with the reason why it stands or does not. */
function findingWords(finding: Finding, judge: CaseOrInvariant, standingOf: StandingLookup): string {
  const standing = standingOf(finding, judge.id);
  const words = {
    broken: 'it stands',
    uncounted: 'it stands, and does not count',
    follows: followsWords(finding.followsFrom ?? ''),
    warning: finding.unstable === true ? 'a second try did not show it: it does not stand' : 'it stands, as a warning',
    expected: standing.kind === 'expected' ? expectedWords(standing.entry) : '',
  }[standing.kind];
  const { confirmation } = judge;
  const isTried = finding.level === 'required' && finding.unstable !== true;
  const tries = isTried && confirmation !== undefined ? `${triesWords(confirmation)}; ` : '';
  const of = finding.aspect === undefined ? '' : `#${finding.aspect}: `;
  return `${of}${findingSummary(finding)}. ${tries}${words}`;
}

const decisiveFindings = (rule: RuleResult, judge: CaseOrInvariant): readonly Finding[] =>
  judge.findings.filter((one) => one.rule === rule.id && isDecisive(one, judge, rule));

function* judgeFacts(rule: RuleResult, judge: CaseOrInvariant, standingOf: StandingLookup): Iterable<EvidenceLine> {
  const decisive = decisiveFindings(rule, judge);
  const words = [...new Set(decisive.map((finding) => findingWords(finding, judge, standingOf)))];
  for (const text of words.slice(0, maxShown.findings)) yield { label: 'finding', text: `${judge.id}: ${text}` };
  if (words.length > maxShown.findings)
    yield { label: 'finding', text: `${judge.id}: and ${words.length - maxShown.findings} more` };
  if (decisive.length === 0 && !isConclusive(judge.verdict))
    yield { label: judge.verdict, text: `${judge.id}: ${judge.reason ?? 'no reason was given'}` };
}

/** Aspects of the rule that findings are about, each with its own level and sentence. */
function aspectFacts(rule: RuleResult, findings: readonly Finding[]): readonly EvidenceLine[] {
  const byAspect = groupBy(findings, ({ aspect = '' }) => aspect);
  return [...byAspect].flatMap(([aspect, [finding]]) =>
    aspect === '' || finding === undefined
      ? []
      : [
          {
            label: 'aspect',
            text: `#${aspect}, ${levelWords(finding)}: ${rule.aspects?.[`${rule.id}#${aspect}`] ?? 'a part of the rule'}`,
          },
        ],
  );
}

/** Meaning of the rule's standing. If aspects alone are not followed, it names them: the rule itself may be required. */
function soWords(rule: RuleResult, findings: readonly Finding[]): string {
  const aspects = [...new Set(findings.map(({ aspect }) => aspect))];
  if (rule.standing !== 'not followed' || aspects.length === 0 || aspects.includes(undefined))
    return standingWords[rule.standing];
  const [names, verb] = [aspects.map((aspect) => `#${aspect}`).join(', '), aspects.length === 1 ? 'is' : 'are'];
  return `${names} ${verb} not followed: ${aspects.length === 1 ? 'it is' : 'they are'} only recommended, so no outcome changes`;
}

/** The steps from what cases and invariants found to the verdict of a rule, and what it does to the run; undefined if the result has no such rule. */
export function whyFacts(result: Result, id: string): readonly EvidenceLine[] | undefined {
  const rule = result.rules.find((one) => one.id === id);
  if (rule === undefined) return undefined;
  const standingOf = createStandingLookup(result);
  const held: string[] = [];
  const told: EvidenceLine[] = [];
  const findings: Finding[] = [];
  let more = 0;
  let judges = 0;
  const take = (judge: CaseOrInvariant): void => {
    if (!rule.judgedBy.includes(judge.id) && !judge.findings.some((one) => one.rule === id)) return;
    findings.push(...decisiveFindings(rule, judge));
    const facts = [...judgeFacts(rule, judge, standingOf)];
    if (facts.length === 0) held.push(judge.id);
    else if (judges < maxShown.judges) told.push(...facts);
    else more += 1;
    if (facts.length > 0) judges += 1;
  };
  for (const { messages: _, ...judge } of result.cases) take(judge);
  for (const invariant of result.invariants) take(invariant);
  const counts = rule.apart === true ? ', which the profile does not count' : '';
  const named = result.footer?.named.includes(id) === true ? ', counted because it was named' : '';
  return [
    { label: 'rule', text: `${rule.id}: ${rule.description}` },
    { label: 'level', text: `${levelWords(rule)}${counts}${named}` },
    ...aspectFacts(rule, findings),
    ...told,
    ...(more === 0
      ? []
      : [{ label: 'finding', text: `and ${more} more cases or invariants with findings or without a verdict` }]),
    ...(held.length === 0 ? [] : [{ label: 'held', text: `nothing against it in ${listIds(held, maxShown.judges)}` }]),
    { label: 'verdict', text: `${rule.verdict}${rule.reason === undefined ? '' : `: ${rule.reason}`}` },
    ...(rule.followsFrom === undefined
      ? []
      : [{ label: 'cause', text: followsWords(rule.followsFrom, undefined, result.rules) }]),
    { label: 'so', text: soWords(rule, findings) },
    { label: 'the run', text: `${resultHeadlineLine(result)}: exit code ${runExitCode(result)}` },
  ];
}
