import { verdictOfFinding } from '../../judge/rule-book.ts';
import type { Finding } from '../../model/finding.ts';
import type { CaseResult, Result } from '../../model/result.ts';
import { renderRuleRef } from '../../model/rule.ts';
import { worst } from '../../model/verdict.ts';
import { renderFinding } from '../../report/shared/prose.ts';
import { forTerminal } from '../../report/shared/sanitize.ts';

/** How a case came out again, against how it came out before. */
export interface Comparison {
  readonly before: CaseResult['verdict'];
  readonly after: CaseResult['verdict'];
  /** Findings that both have, that only the earlier run has, and that only this one has. */
  readonly same: readonly Finding[];
  readonly gone: readonly Finding[];
  readonly added: readonly Finding[];
}

export const isSame = ({ before, after, gone, added }: Comparison): boolean =>
  before === after && gone.length === 0 && added.length === 0;

/** What makes two findings the same: values differ from run to run, what is wrong about them does not. */
const keyOf = (finding: Finding): string =>
  JSON.stringify([renderRuleRef(finding), finding.code, finding.path, finding.step, finding.seenIn !== undefined]);

/** The case's own findings, and those of invariants that were first seen in it. */
function findingsOf(found: CaseResult, { invariants }: Pick<Result, 'invariants'>): readonly Finding[] {
  const ofInvariants = invariants.flatMap(({ findings }) => findings.filter(({ seenIn }) => seenIn === found.id));
  return [...found.findings, ...ofInvariants];
}

/** Of an invariant that was broken often, only the first violations are kept: others may have been there too. */
function mayHaveBeenThere({ position, seenIn }: Finding, before: Pick<Result, 'invariants'>): boolean {
  if (seenIn === undefined) return false;
  return before.invariants.some(
    ({ position: at, violations, findings }) =>
      at.file === position.file && at.line === position.line && violations > findings.length,
  );
}

const without = (findings: readonly Finding[], others: readonly Finding[]): readonly Finding[] => {
  const known = new Set(others.map(keyOf));
  return findings.filter((finding) => !known.has(keyOf(finding)));
};

/** Of the case and of all that was found in it. */
const verdictIn = ({ verdict }: CaseResult, found: readonly Finding[]): CaseResult['verdict'] =>
  worst([verdict, ...found.map(verdictOfFinding)]) ?? verdict;

type Run = Pick<Result, 'invariants'> & { readonly case: CaseResult };

export function compareCase(before: Run, after: Run): Comparison {
  const [old, now] = [findingsOf(before.case, before), findingsOf(after.case, after)];
  const added = without(now, old).filter((finding) => !mayHaveBeenThere(finding, before));
  return {
    before: verdictIn(before.case, old),
    after: verdictIn(after.case, now),
    same: now.filter((finding) => !added.includes(finding)),
    gone: without(old, now),
    added,
  };
}

const count = (findings: readonly Finding[]): string =>
  `${findings.length} ${findings.length === 1 ? 'finding' : 'findings'}`;

const listed = (mark: string, findings: readonly Finding[]): readonly string[] =>
  findings.map(
    (finding) => `  ${mark} ${forTerminal(`${renderRuleRef(finding)}: ${renderFinding(finding).summary}`, 300)}`,
  );

/** In words; `file` is where it came out before. */
export function renderComparison(comparison: Comparison, file: string): string {
  const { before, after, same, gone, added } = comparison;
  if (isSame(comparison)) return `replay: the same as in ${forTerminal(file)}: ${after}, ${count(same)}\n`;
  const verdicts = before === after ? `${after} as before` : `${after}, was ${before}`;
  const lines = [
    `replay: not as in ${forTerminal(file)}: ${verdicts}; ${count(gone)} gone, ${count(added)} new`,
    ...listed('-', gone),
    ...listed('+', added),
  ];
  return `${lines.join('\n')}\n`;
}
