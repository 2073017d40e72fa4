import type { Result } from '../../model/result.ts';
import { failureSections } from './failures.ts';
import { renderHead } from './head.ts';
import {
  attestedSection,
  recordedSection,
  stoppedSection,
  unsolicitedSection,
  unjudgedSection,
  warningSections,
  expectedSection,
  measuredSections,
} from './sections.ts';
import { collect } from '../shared/collect.ts';

/** GitHub takes 1 MiB of a step's summary, and shows nothing of a longer one. */
const sizeLimit = 900 * 1024;

/** As many sections as fit, whole ones, and a line that says how many did not. */
function fit(sections: readonly string[]): string {
  let size = 0;
  const fitting: string[] = [];
  for (const section of sections) {
    size += Buffer.byteLength(section) + 2;
    if (size > sizeLimit) break;
    fitting.push(section);
  }
  const left = sections.length - fitting.length;
  const note = left === 0 ? [] : [`*${left} more sections are left out here: see the other reports.*`];
  return `${[...fitting, ...note].join('\n\n')}\n`;
}

/** The result as a summary in GitHub's Markdown, for `$GITHUB_STEP_SUMMARY`, at most 900 KiB. */
export function renderMarkdown(result: Result): string {
  const collected = collect(result);
  const rules = new Map(result.rules.map((rule) => [rule.id, rule]));
  return fit([
    renderHead(result),
    ...failureSections(collected.failures, { rules, flags: result.header.flags }),
    ...expectedSection(result),
    ...stoppedSection(collected.stopped),
    ...warningSections(collected.warnings, rules),
    ...attestedSection(result.rules),
    ...unjudgedSection(collected.unjudged),
    ...(result.footer === undefined ? [] : measuredSections(result.footer)),
    ...unsolicitedSection(result.unsolicited),
    ...recordedSection(result.rules),
  ]);
}
