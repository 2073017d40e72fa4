import type { Finding } from './finding.ts';
import type { CaseResult, InvariantResult } from './result.ts';

/** A finding, the case it was seen in, where that is known, and the invariant that found it. */
export interface FoundIn {
  readonly finding: Finding;
  readonly seenIn?: CaseResult | undefined;
  readonly invariant?: Pick<InvariantResult, 'id' | 'on'> | undefined;
}

/** The selection that shows a finding again: a named case brings its invariants, an invariant its cases. */
export function selectionFor({ finding, seenIn, invariant }: FoundIn): readonly string[] {
  const own = seenIn?.id ?? finding.seenIn;
  const cases = [...(own === undefined ? [] : [own]), ...(finding.comparedWith ?? [])];
  return invariant?.on === 'run' || cases.length === 0 ? [...cases, ...(invariant ? [invariant.id] : [])] : cases;
}
