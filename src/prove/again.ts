import { type FoundIn, selectionFor } from '../model/seen-again.ts';
import type { Finding } from '../model/finding.ts';
import { type RuleRef, renderRuleRef } from '../model/rule.ts';
import { isRed, type Subject } from './catalogue.ts';
import type { JobOutcome } from './job.ts';
import { defined } from '../lib/optional.ts';
import type { Clean } from './judge-subject.ts';
import type { Pool } from './pool.ts';

/** A finding, and who found it: a case, or an invariant in the messages of a case. */
interface Shown extends FoundIn {
  readonly judge: string;
}

const counts = (finding: Finding, { breaks }: Subject): boolean =>
  finding.level !== 'informational' && breaks.includes(finding.rule);

/** What a case found first, or what an invariant did: by lot, where both have seen the fault. */
function firstFinding(subject: Subject, { cases, invariants }: JobOutcome, { judgement }: Clean): Shown | undefined {
  const turned = cases.filter(({ id, verdict }) => isRed(verdict) && judgement.cases.get(id)?.verdict !== verdict);
  const ofCases = turned.flatMap((one) =>
    one.findings
      .filter((finding) => counts(finding, subject))
      .map((finding) => ({ finding, judge: one.id, seenIn: { ...one, messages: [] } })),
  );
  const ofInvariants = invariants.flatMap((invariant) =>
    invariant.findings
      .filter((finding) => counts(finding, subject))
      .map((finding) => ({ finding, judge: invariant.id, invariant })),
  );
  const found = [ofCases[0], ofInvariants[0]].filter((one) => one !== undefined);
  return found[subject.name.length % found.length];
}

const isAlike = (one: RuleRef & Pick<Finding, 'code' | 'path'>, other: typeof one): boolean =>
  renderRuleRef(one) === renderRuleRef(other) && one.code === other.code && one.path === other.path;

/** A violation across cases may be seen in any of them: their order differs from the whole run's. */
function isSeenIn({ cases, invariants }: JobOutcome, { finding, judge }: Shown): boolean {
  const judges = new Set([judge, ...(finding.comparedWith ?? [])]);
  const found = [...cases, ...invariants].filter(({ id }) => judges.has(id)).flatMap(({ findings }) => findings);
  return found.some((one) => isAlike(one, finding));
}

/**
 * Runs, alone, what a report prints to see a finding of the fault again. Gives a sentence where it is not seen again.
 */
export async function seeAgain(
  subject: Subject,
  outcome: JobOutcome,
  { clean, pool }: { readonly clean: Clean; readonly pool: Pool },
): Promise<readonly string[]> {
  const { name, declares: supports = {} } = subject;
  const shown = firstFinding(subject, outcome, clean);
  if (shown === undefined) return [];
  const what = selectionFor(shown);
  const again = await pool.run(defined({ faults: [name], supports, what, serial: true }));
  if (isSeenIn(again, shown)) return [];
  const command = `carrierspec run ${what.join(' ')} --fault ${name}`;
  return [`${renderRuleRef(shown.finding)} of ${shown.judge} is not seen again by: ${command}`];
}
