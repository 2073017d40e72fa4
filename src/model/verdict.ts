/** Verdict of a case, an invariant or a rule; `attested` only of a rule: the operator's word, which is no pass. */
export type Verdict =
  | 'pass'
  | 'informational'
  | 'warn'
  | 'inconclusive'
  | 'error'
  | 'fail'
  | 'not-applicable'
  | 'not-run'
  | 'attested';

/** From best to worst. A proven violation outweighs everything; `not-run` and `not-applicable` say nothing beside a verdict. */
export const severity: readonly Verdict[] = [
  'not-applicable',
  'not-run',
  'attested',
  'pass',
  'informational',
  'warn',
  'inconclusive',
  'error',
  'fail',
];

/** The worst of several verdicts, or undefined where there are none. */
export function worst(verdicts: Iterable<Verdict>): Verdict | undefined {
  let found: Verdict | undefined;
  for (const verdict of verdicts) {
    if (found === undefined || severity.indexOf(verdict) > severity.indexOf(found)) found = verdict;
  }
  return found;
}

/** Verdicts that say something about the carrier. */
export function isConclusive(verdict: Verdict): boolean {
  return verdict === 'pass' || verdict === 'informational' || verdict === 'warn' || verdict === 'fail';
}

/** `not judged`: nothing was found, and no required rule was among what was judged. */
export type Outcome = 'conformant' | 'not conformant' | 'incomplete' | 'not judged';
