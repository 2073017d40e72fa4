import type { ResultFooter } from '../../model/result.ts';
import { renderRuleRef } from '../../model/rule.ts';
import { countOf } from '../shared/layout.ts';
import { behaviourInWords, limitInWords, type Measured } from '../shared/measured-prose.ts';
import { codeSpan, plainMarkdown } from './escape.ts';
import { bounded } from './sections.ts';

/** What a carrier said stands in a code span, which has no place in a cell: so a list, and no table. */
function renderEntry({ name, about, found, isSeen, rules }: Measured): string {
  const refs = rules.length === 0 ? '' : ` (${codeSpan(rules.map(renderRuleRef).join(', '))})`;
  const words = codeSpan(found);
  return `- ${codeSpan(name)}, ${plainMarkdown(about)}: ${isSeen ? words : `*${words}*`}${refs}`;
}

/** The carrier's real limits and its profile, of a run that measured. */
export function measuredSections({
  limits = [],
  profile = [],
}: Pick<ResultFooter, 'limits' | 'profile'>): readonly string[] {
  const section = (heading: string, entries: readonly Measured[]): readonly string[] =>
    entries.length === 0 ? [] : [heading, bounded(entries.map(renderEntry))];
  return [
    ...section(`## Measured limits: ${countOf(limits.length, 'limit')}`, limits.map(limitInWords)),
    ...section(`## Profile: ${countOf(profile.length, 'behaviour')}`, profile.map(behaviourInWords)),
  ];
}
