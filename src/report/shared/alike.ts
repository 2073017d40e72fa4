import { replaceLiterals } from '../../lib/string-literals.ts';
import type { Finding, FindingCode } from '../../model/finding.ts';
import { renderFinding } from './prose.ts';

/** Where another value is another finding: a refusal with 400 is not one with 500. */
const exact: ReadonlySet<FindingCode> = new Set(['outcome', 'status', 'error-code']);

/** What two findings against one rule have in common that say the same of two values: `body.sub is "…", not "…"`. */
export function likenessOf(finding: Finding): string {
  const { summary } = renderFinding(finding);
  if (exact.has(finding.code)) return summary;
  return replaceLiterals(summary, () => '"…"').replaceAll(/\d+/g, '#');
}
