import { keptFindings, verdictOfInvariant } from '../../judge/invariant-tally.ts';
import type { RuleBook } from '../../judge/rule-book.ts';
import type { InvariantResult } from '../../model/result.ts';
import { renderRuleRef } from '../../model/rule.ts';
import { isConclusive } from '../../model/verdict.ts';
import type { Invariant } from '../../suite/suites.ts';
import { confirmationFlaw, findingsFlaw, positionFlaw, rulesHeldBy } from './case.ts';
import { memberFlaw } from './stated.ts';

/** What is known of the run that an invariant was judged in. */
interface SeenRun {
  readonly rules: RuleBook;
  /** Ids of the messages, by the case that has them. */
  readonly messages: ReadonlyMap<string, ReadonlySet<string>>;
}

/** The numbers of an invariant, and the findings that it keeps. */
function countFlaw({ judged, violations, findings }: InvariantResult, what: string) {
  if (judged === 0 && violations > 0) return `${what} was judged on no message, and ${violations} broke it`;
  if ((violations === 0) !== (findings.length === 0))
    return `${what} was broken by ${violations} messages, and has ${findings.length} findings`;
  // Fewer than are kept of one rule: all that were found are there, and each message that broke it gave one.
  if (findings.length < violations && findings.length < keptFindings)
    return `${what} was broken by ${violations} messages, and has ${findings.length} findings`;
  return undefined;
}

function placesFlaw({ findings }: InvariantResult, what: string, messages: SeenRun['messages']): string | undefined {
  for (const finding of findings) {
    const { seenIn, message } = finding;
    const ref = renderRuleRef(finding);
    const held = messages.get(seenIn ?? '');
    if (held === undefined)
      return `${what} has a finding of ${ref} in the case ${seenIn ?? ''}, which the result has not`;
    if (message !== undefined && !held.has(message))
      return `${what} has a finding of ${ref} in the message ${message}, which ${seenIn ?? ''} has not`;
  }
  return undefined;
}

/** Why an invariant cannot have come out like that; undefined where it can. */
export function invariantFlaw(result: InvariantResult, given: Invariant, run: SeenRun): string | undefined {
  const what = `the invariant ${result.id}`;
  const { id, title, suite, area, on, expectations } = given;
  const { findings, judged, verdict, reason } = result;
  const follows = { id, title, suite, area, on, rules: expectations.flatMap(({ rules }) => rules) };
  const right = verdictOfInvariant(result);
  const wrong =
    memberFlaw(what, { stated: result, follows, from: 'the suites' }, Object.keys(follows)) ??
    positionFlaw(what, result.position, given.position) ??
    findingsFlaw(findings, { what, rules: run.rules, judged: rulesHeldBy(given) }) ??
    countFlaw(result, what) ??
    placesFlaw(result, what, run.messages) ??
    confirmationFlaw(result, what);
  if (wrong !== undefined) return wrong;
  if (verdict !== right) return `${what} is ${verdict}, and ${right} follows from its findings`;
  if ((reason !== undefined) === isConclusive(right))
    return `${what} was judged on ${judged} messages, and gives ${reason === undefined ? 'no' : 'a'} reason for having no verdict`;
  return undefined;
}
