import { countedRules, runScope, runHeadline, judgedShare } from '../../verdict/headline.ts';
import type { Ending, Gap, Result, ResultFooter, ResultHeader, RootCause, RuleResult } from '../../model/result.ts';
import { type Score, type RunOutcome, verdictOrder, type Verdict } from '../../model/rule.ts';
import { countNoun } from '../../lib/lists.ts';
import type { Profile } from '../../model/profile.ts';
import { runEnding, runExitCode } from '../../verdict/ending.ts';
import { brokenCauses } from '../../verdict/standing.ts';
import type { ExpectedResult } from '../../model/expected-failure.ts';
import { isStale } from '../../verdict/expected.ts';

/** Clause for a conformant run: what was judged, and what was not. */
function conformantWords({ header, footer, rules }: ConcludedRun): string {
  const scope = runScope(header);
  const { judged, applicable } = footer.score.required;
  if (scope.isPartial) return 'none is broken, and nothing is said about the rest';
  const attested = rules.filter(({ level, standing }) => level === 'required' && standing === 'attested').length;
  const outside = applicable - judged - attested;
  const rest = [
    ...(outside === 0 ? [] : [`${outside} cannot be judged from outside`]),
    ...(attested === 0 ? [] : [`${attested} ${attested === 1 ? 'is' : 'are'} attested`]),
  ];
  const share = `${judgedShare(footer, scope)} ${applicable === 1 ? 'was' : 'were'} judged, and none is broken`;
  return [share, ...rest].join('; ');
}

/** Reason why no required rule was judged. */
const unjudgedWords = ({ applicable }: Score): string =>
  applicable === 0 ? 'none that applies was selected' : 'none that was selected can be judged from outside';

/** Names broken rules that do not count for the outcome, so that they are not hidden. */
function apartWords(rules: readonly RuleResult[]): string {
  const broken = rules.filter(({ standing }) => standing === 'uncounted');
  if (broken.length === 0) return '';
  const [of, is] = broken.length === 1 ? ['rule', 'is'] : ['rules', 'are'];
  return `; ${broken.length} ${of} that this profile does not count ${is} broken: ${broken.map(({ id }) => id).join(', ')}`;
}

function incompleteWords({ applicable, judged }: Score, rules: readonly RuleResult[]): string {
  const why =
    judged < applicable
      ? 'some applicable rules of the selection have no verdict'
      : 'not everything selected was judged';
  const apart = apartWords(rules);
  return `no required rule${apart === '' ? '' : ' that counts'} was found broken, but ${why}${apart}`;
}

/** Noun for broken rules that count, where some count that are recommended only. */
export const brokenNoun = (rules: readonly Pick<RuleResult, 'stated'>[]): string =>
  rules.some(({ stated }) => stated !== undefined) ? 'required or recommended rule' : 'required rule';

/** Number of broken rules; rules with findings that follow from another rule are counted separately (P2). */
function brokenWords(rules: readonly RuleResult[]): string {
  const broken = brokenCauses(rules);
  const rule = brokenNoun(broken);
  const causes = broken.length;
  const following = rules.filter(({ verdict, standing }) => verdict === 'fail' && standing === 'follows').length;
  const said = `${countNoun(causes, rule)} ${causes === 1 ? 'is' : 'are'} broken`;
  const it = causes === 1 ? 'it' : 'them';
  return following === 0
    ? said
    : `${said}, and findings against ${countNoun(following, 'more rule')} follow from ${it}`;
}

export type ConcludedRun = Pick<Result, 'header' | 'rules'> & { readonly footer: ResultFooter };

/** The outcome in words, a clause that any report can end in. */
export function outcomeWords(judged: ConcludedRun): string {
  const { footer, rules } = judged;
  const words: Readonly<Record<RunOutcome, () => string>> = {
    conformant: () => `${conformantWords(judged)}${apartWords(rules)}`,
    'not conformant': () => brokenWords(rules),
    incomplete: () => incompleteWords(footer.score.required, rules),
    'not judged': () => `${unjudgedWords(footer.score.required)}${apartWords(rules)}`,
  };
  return words[footer.outcome]();
}

/** Score of the rules that count: `217/217 of 228 required rules`; undefined if none applies. */
export function countedScore({ header, footer }: Pick<ConcludedRun, 'header' | 'footer'>): string | undefined {
  if (footer.score.required.applicable === 0) return undefined;
  const { isPartial, profile } = runScope(header);
  const score = `${renderScore(footer.score.required)} ${countedRules(profile)}`;
  return isPartial ? `${score} that were selected, of ${footer.whole}` : score;
}

/** Declarations of the target file, joined by `; `; undefined if there are none. */
export const declaredText = ({ declarations }: ResultHeader): string | undefined =>
  declarations.length === 0 ? undefined : declarations.map(({ words }) => words).join('; ');

export const profileLegend: Readonly<Record<Profile, string>> = {
  interface: 'interface: the interface and the critical rules of the baseline count for the outcome',
  hardened: 'hardened: the interface and the whole baseline count for the outcome',
  strict:
    'strict: the interface and the whole baseline count for the outcome, recommended rules as much as required ones',
};

export const capitalise = (clause: string): string => `${clause.slice(0, 1).toUpperCase()}${clause.slice(1)}`;

/** Explains why the row of all areas is not the sum of the others; undefined if every rule counts for the outcome. */
export function allAreasNote(rules: readonly RuleResult[]): string | undefined {
  const apart = rules.filter((rule) => rule.apart === true && rule.criticalVerdict === undefined).length;
  if (apart === 0) return undefined;
  return `All areas: the rules that count for the outcome, without ${countNoun(apart, 'rule')} that the profile does not count`;
}

export const interfaceText = ({ interface: { id, version } }: ResultHeader): string => `${id} ${version}`;

/** `212/214 of 240`: conforming, judged and applicable, never one without the others. */
export const renderScore = ({ conforming, judged, applicable }: Score): string =>
  `${conforming}/${judged} of ${applicable}`;

/** Reasons why a run is incomplete or was stopped, a clause each. */
export const stopReasons = ({ interrupted, reasons, root }: ResultFooter): readonly string[] => [
  ...(interrupted ? ['the run was interrupted'] : []),
  ...rootFacts(root).map(({ label, text }) => `${label}: ${text}`),
  ...reasons,
];

/** The refused plain request that ended the run, the response, and likely causes, the most likely first. */
export const rootFacts = (root: RootCause | undefined): readonly { readonly label: string; readonly text: string }[] =>
  root === undefined
    ? []
    : [
        { label: 'refused', text: `the plain request of client ${root.client}, in ${root.cases.join(' and ')}` },
        { label: 'sent', text: root.sent },
        { label: 'came back', text: root.came },
        ...(root.tried ?? []).map((text) => ({ label: 'tried', text })),
        ...root.causes.map((text, at) => ({ label: 'look at', text: `${at + 1}. ${text}` })),
        { label: 'then', text: 'carrierspec check --preflight tries each of these alone; --keep-going runs on' },
      ];

/** `14 exchanges, 8 deliveries`. */
export const trafficText = ({ exchanges, deliveries }: Pick<ResultFooter, 'exchanges' | 'deliveries'>): string =>
  `${countNoun(exchanges, 'exchange')}, ${countNoun(deliveries, 'delivery', 'deliveries')}`;

/** Number of rules for each verdict, worst first. */
export function countRuleVerdicts(rules: readonly RuleResult[]): readonly (readonly [Verdict, number])[] {
  return verdictOrder.toReversed().flatMap((verdict) => {
    const count = rules.filter((rule) => rule.verdict === verdict).length;
    return count === 0 ? [] : [[verdict, count] as const];
  });
}

/** Count of recorded values: `3 values of 2 rules`; undefined if there are none. */
export function recordedCount(rules: readonly RuleResult[]): string | undefined {
  const counts = rules.map(({ recorded }) => Object.keys(recorded).length).filter((count) => count > 0);
  const values = counts.reduce((sum, count) => sum + count, 0);
  return counts.length === 0 ? undefined : `${countNoun(values, 'value')} of ${countNoun(counts.length, 'rule')}`;
}

/** Words for a clock with Date headers that are not believed. */
export const doubtWords = (doubt: string): string => `not known: it sends ${doubt}; requests had the time of our clock`;

/** Offset of the carrier's clock from ours; undefined if no Date header was seen. */
export function skewWords({ skew, doubt }: ResultFooter): string | undefined {
  if (doubt !== undefined) return doubtWords(doubt);
  if (skew === undefined) return undefined;
  const seconds = (milliseconds: number): string => (Math.abs(milliseconds) / 1000).toFixed(1);
  const direction = skew.offset < 0 ? 'behind' : 'ahead of';
  return `${seconds(skew.offset)} s ${direction} ours, give or take ${seconds(skew.uncertainty)} s`;
}

/** Words for a gap; cases that were under way then have been run anew. */
export const gapWords = ({ from, to }: Gap): string =>
  `from ${from} to ${to} the run was cut off and its receiver was closed; cases that were under way then were run anew`;

/** Words for failures of the carrier that break no rule (P26). */
/** Says where the cases and their reasons are. */
export const leftOutCount = (count: number): string =>
  `${countNoun(count, 'case')} as unfit for production, and ${count === 1 ? 'its' : 'their'} rules have no verdict: carrierspec explain safe`;

export const passingWords = (count: number): string =>
  count === 1
    ? '1 request failed, and went through when it was sent again: it breaks no rule'
    : `${count} requests failed, and went through when they were sent again: they break no rule`;

/** Maximum lag of our receiver, rounded up, so that no lag reads as none. */
export function lagWords(milliseconds: number): string {
  if (milliseconds <= 0) return 'never behind';
  const most = milliseconds < 1000 ? `${Math.ceil(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(2)} s`;
  return `at most ${most} behind; findings that this delay could explain are left out`;
}

type RunEnding = Pick<Result, 'header' | 'footer' | 'rules'>;

/** Files of the entries, where a reader looks next. */
const entryFiles = (entries: readonly ExpectedResult[]): string =>
  [...new Set(entries.map(({ position }) => position.file))].join(', ');

function brokenCountWords({ footer, rules }: RunEnding): string {
  const expected = footer?.expected ?? [];
  const all = countNoun(brokenCauses(rules).length, 'broken rule');
  if (expected.length === 0) return all;
  const unexpected = rules.filter(({ standing }) => standing === 'broken').length;
  const which = unexpected === 1 ? 'is not expected' : 'are not expected';
  return `${unexpected} of ${all} ${which} (${entryFiles(expected)})`;
}

const endingTexts: Readonly<Record<Ending, (ended: RunEnding) => string>> = {
  conformant: (ended) => runHeadline(ended).words,
  unjudged: (ended) => runHeadline(ended).words,
  expected: ({ footer, rules }) => {
    const all = countNoun(brokenCauses(rules).length, 'broken rule');
    return `${all}, all expected (${entryFiles(footer?.expected ?? [])})`;
  },
  broken: brokenCountWords,
  stale: ({ footer }) => {
    const stale = (footer?.expected ?? []).filter(isStale);
    return `${countNoun(stale.length, 'entry', 'entries')} to delete (${entryFiles(stale)})`;
  },
  internal: () => 'carrierspec or its surroundings failed',
  incomplete: () => 'incomplete',
  interrupted: () => 'interrupted',
};

/** End of a run with its exit code: `1 broken rule, all expected (expected.yaml): exit code 0`. */
export function endingWords(ended: RunEnding): string {
  const ending = runEnding(ended);
  return `${endingTexts[ending](ended)}: exit code ${runExitCode(ended)}`;
}
