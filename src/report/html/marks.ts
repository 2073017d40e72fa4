import type { Finding } from '../../model/finding.ts';
import type { CaseResult, InvariantResult } from '../../model/result.ts';
import { renderRuleRef } from '../../model/rule.ts';
import { renderFinding, renderPath } from '../shared/prose.ts';
import { forTerminal } from '../shared/sanitize.ts';
import type { Mark, Marks } from './message-view.ts';

/** What a finding shows of the message it is about. */
export function markOf(finding: Finding): Mark {
  const { summary, expected, actual } = renderFinding(finding);
  return {
    level: finding.level,
    rule: forTerminal(renderRuleRef(finding)),
    description: forTerminal(summary),
    ...(finding.path === undefined ? {} : { path: forTerminal(renderPath(finding.path)) }),
    expected: forTerminal(expected),
    actual: forTerminal(actual),
  };
}

function markMessage(marks: Map<string, Map<string, Mark[]>>, finding: Finding, caseId: string): void {
  if (finding.message === undefined) return;
  const ofCase = marks.get(caseId) ?? new Map<string, Mark[]>();
  marks.set(caseId, ofCase);
  ofCase.set(finding.message, [...(ofCase.get(finding.message) ?? []), markOf(finding)]);
}

/** What findings show of messages: those of invariants at once, those of a case when `take` gets it. */
export function collectMarks(invariants: readonly InvariantResult[]): {
  readonly marks: Marks;
  readonly take: (ended: CaseResult) => void;
} {
  const marks = new Map<string, Map<string, Mark[]>>();
  for (const finding of invariants.flatMap(({ findings }) => findings)) {
    if (finding.seenIn !== undefined) markMessage(marks, finding, finding.seenIn);
  }
  return {
    marks,
    take: ({ id, findings }) => {
      for (const finding of findings) markMessage(marks, finding, id);
    },
  };
}
