import type { Sighting } from '../../judge/invariants.ts';
import type { Finding } from '../../model/finding.ts';
import type { Scope } from '../../model/template.ts';
import type { CaseRoom } from './case-room.ts';

/** A finding as it may be kept: the case's secrets taken out. */
export function redactFinding(finding: Finding, { redactor }: CaseRoom): Finding {
  return { ...finding, expected: redactor.json(finding.expected), actual: redactor.json(finding.actual) };
}

export function sightingIn(room: CaseRoom, scope: Scope): Sighting {
  return { caseId: room.case.id, order: room.order, scope, redact: (finding) => redactFinding(finding, room) };
}
