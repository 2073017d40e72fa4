import type { ResultFooter, RuleResult, Score } from '../../model/result.ts';
import type { Outcome } from '../../model/verdict.ts';

/** Required rules: what a conformant run says of them, and what it does not. */
function conformantWords({ applicable, judged }: Score): string {
  if (applicable === 0) return 'no required rule that applies was selected, so that none could be broken';
  if (judged === 0) return 'no required rule was judged, because none that was selected can be judged from outside';
  const which = judged < applicable ? 'applies and can be judged from outside' : 'applies';
  return `every selected required rule that ${which} was judged, and none is broken`;
}

function incompleteWords({ applicable, judged }: Score): string {
  const why =
    judged < applicable ? 'not every selected one that applies could be judged' : 'not everything selected was judged';
  return `no required rule was found broken, but ${why}`;
}

function brokenWords(broken: number): string {
  if (broken === 0) return 'a required rule is broken';
  return broken === 1 ? '1 required rule is broken' : `${broken} required rules are broken`;
}

/** What the outcome of a run says, as a clause that any report can end in. */
export function outcomeWords(
  { outcome, score }: Pick<ResultFooter, 'outcome' | 'score'>,
  rules: readonly RuleResult[],
): string {
  const words: Readonly<Record<Outcome, () => string>> = {
    conformant: () => conformantWords(score.required),
    'not conformant': () => brokenWords(rules.filter(({ verdict }) => verdict === 'fail').length),
    incomplete: () => incompleteWords(score.required),
  };
  return words[outcome]();
}

/** A clause as the beginning of a sentence. */
export const capitalise = (clause: string): string => `${clause.slice(0, 1).toUpperCase()}${clause.slice(1)}`;
