import type { Result } from '../../model/result.ts';
import { type Collected, unjudgedRules } from '../shared/collect.ts';
import type { CaseEntry } from './case-index.ts';
import { html, type Markup, nothing } from './markup.ts';
import { countProblems } from './problems.ts';
import { hasRun } from './timeline.ts';

/** A part of the page that the navigation leads to; one without a count has nothing to count. */
interface Part {
  readonly id: string;
  readonly name: string;
  readonly count?: number;
  /** The page does not have it. */
  readonly isAbsent?: boolean;
}

/** What the navigation leads to, in the order of the page. */
export function partsOf(result: Result, collected: Collected, cases: readonly CaseEntry[]): readonly Part[] {
  const { footer, rules } = result;
  const { limits = [], profile = [], expected = [] } = footer ?? {};
  const counted = (id: string, name: string, count: number): Part => ({ id, name, count, isAbsent: count === 0 });
  return [
    { id: 'summary', name: 'Summary' },
    counted('broken', 'Broken', countProblems('failures', result, collected)),
    counted('broken-expected', 'Broken, as expected', countProblems('expected', result, collected)),
    counted('warnings', 'Warnings', countProblems('warnings', result, collected)),
    counted('expected', 'Expected failures', expected.length),
    counted('unjudged', 'Not judged', unjudgedRules(rules).length),
    counted('limits', 'Limits', limits.length),
    counted('profile', 'Profile', profile.length),
    { id: 'rules', name: 'Rules', count: rules.length },
    { id: 'run', name: 'Timeline', isAbsent: !cases.some(hasRun) },
    { id: 'scores', name: 'Scores', isAbsent: footer === undefined },
    { id: 'about', name: 'About' },
  ];
}

/** The parts that a page has, always in sight; printing is offered once the script runs. */
export function renderNavigation(parts: readonly Part[]): Markup {
  const items = parts
    .filter(({ isAbsent }) => isAbsent !== true)
    .map(({ id, name, count }) => {
      const number = count === undefined ? nothing : html` <span class="count">${count}</span>`;
      return html`<li><a href="#${id}">${name}${number}</a></li>`;
    });
  return html`<nav class="parts" aria-label="Parts of the report"><ul>${items}</ul><p class="printing" id="printing" hidden><button type="button" id="print-summary">Print summary</button> <button type="button" id="print-all">Print all</button></p></nav>`;
}
