import { omitUndefined, renderPlain } from '../../lib/json.ts';
import { truncateText } from '../../lib/truncation.ts';
import type { Finding } from '../../model/finding.ts';
import { actWords } from '../../model/person-act.ts';
import type { CaseResult } from '../../model/result.ts';
import { renderRuleRef } from '../../model/rule.ts';
import type { AskedAgain } from '../context/case-context.ts';
import { isRequired, isSerious } from './plain-control.ts';
import { confirmedVerdict } from '../../verdict/standing.ts';

/** Whether people acted in the case before the finding, so that their slip may explain it (P22). */
const restsOnPerson = ({ afterActs }: Finding): boolean => afterActs !== undefined;

/** A finding of a second try, whose acts stand after those of the first. */
export const shiftActs = (finding: Finding, before: number): Finding =>
  finding.afterActs === undefined ? finding : { ...finding, afterActs: finding.afterActs + before };

const needsSecondAsking = (finding: Finding): boolean => isRequired(finding) && restsOnPerson(finding);

/** Longest value of a finding in a question, in UTF-16 units. */
const longestShown = 160;

/** `expected failed, got a callback with tokens`. */
const findingWords = ({ expected, actual }: Finding): string => {
  const [wanted, got] = [expected, actual].map((value) => truncateText(renderPlain(value), longestShown));
  return `expected ${wanted}, got ${got}`;
};

/** Acts to ask for a second time; undefined if no required finding rests on one. */
export function actsToRepeat({ findings, acts = [] }: CaseResult): AskedAgain | undefined {
  const resting = findings.filter(needsSecondAsking);
  const [first] = resting;
  if (first === undefined) return undefined;
  const last = Math.max(...resting.map(({ afterActs = 0 }) => afterActs));
  return { acts: acts.slice(0, last), came: findingWords(first) };
}

/** Why a finding stays open: what the person was asked, what came, and the outcome of the second asking. */
function openWords(findings: readonly Finding[], { acts = [] }: CaseResult, end: string): string {
  const refs = [...new Set(findings.map(renderRuleRef))].join(', ');
  const [first] = findings;
  const act = acts[(first?.afterActs ?? 0) - 1];
  const asked = act === undefined ? '' : `${actWords(act)}, and then the run `;
  const came = first === undefined ? '' : findingWords(first);
  return `${refs} may be a slip of a person, because it was not seen twice: ${asked}${came}; ${end}`;
}

/** Rule of a finding, and whether a message shows it: a wrong message is another result than none. */
const resultKey = (finding: Finding): string => `${renderRuleRef(finding)} ${finding.message === undefined}`;

/** Results that both tries have, for `leaveSlipsOpen`. */
export function resultsOfBoth(first: readonly Finding[], again: readonly Finding[]): ReadonlySet<string> {
  const after = new Set(again.map(resultKey));
  return new Set(first.map(resultKey).filter((key) => after.has(key)));
}

/**
 * Removes findings that may be a slip: those after an act of a person, unless both tries have the same result. The case is
 * inconclusive then; `end` says how the second asking ended.
 */
export function leaveSlipsOpen(result: CaseResult, ofBoth: ReadonlySet<string>, end: string): CaseResult {
  const isSlip = (one: Finding): boolean => restsOnPerson(one) && isSerious(one) && !ofBoth.has(resultKey(one));
  const open = result.findings.filter((one) => isSlip(one) && one.level === 'required');
  if (open.length === 0) return result;
  const findings = result.findings.filter((one) => !isSlip(one));
  const words = openWords(open, result, end);
  const reason = result.reason === undefined ? words : `${result.reason}; ${words}`;
  const { confirmation, ...rest } = result;
  const left = findings.filter(({ level }) => level === 'required');
  const status = left.some(isRequired) ? confirmation : { status: 'unstable' as const };
  return {
    ...rest,
    findings,
    reason,
    verdict: confirmedVerdict(findings, reason),
    ...omitUndefined({ confirmation: left.length > 0 && confirmation !== undefined ? status : undefined }),
  };
}
