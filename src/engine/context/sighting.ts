import type { ObservationContext } from '../../judge/invariants.ts';
import type { Finding } from '../../model/finding.ts';
import type { Scope } from '../../model/template.ts';
import type { CaseContext } from './case-context.ts';

/** A finding as it may be kept: the case's secrets taken out. */
export function redactFinding(finding: Finding, { redactor }: CaseContext): Finding {
  return { ...finding, expected: redactor.json(finding.expected), actual: redactor.json(finding.actual) };
}

export function observationContext(ctx: CaseContext, scope: Scope): ObservationContext {
  return { caseId: ctx.case.id, order: ctx.order, scope, redact: (finding) => redactFinding(finding, ctx) };
}
