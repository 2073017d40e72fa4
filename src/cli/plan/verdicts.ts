import type { PlannedVerdicts, VerdictsAt } from '../../engine/plan/forecast.ts';
import { listFolded } from '../../lib/lists.ts';
import { levels } from '../../model/rule.ts';
import type { Page } from '../../report/shared/layout.ts';
import { span, table } from './table.ts';

/** Runs of consecutive ids that are listed of each level. */
const idLimit = 8;

const renderIds = (page: Page, label: string, ids: readonly string[]): readonly string[] =>
  ids.length === 0 ? [] : page.paragraph(`${label}: ${listFolded(ids, idLimit)}`, { indent: 4, tone: page.paint.dim });

/** The rules whose last case ends only after a moment, the required ones first. */
function renderLater(page: Page, { judged }: Pick<VerdictsAt, 'judged'>, before: VerdictsAt): readonly string[] {
  return levels.flatMap((level) => renderIds(page, `${level}, only after ${span(before.after)}`, judged[level]));
}

/** How many rules have their verdicts when, and which come late. */
export function renderVerdicts(page: Page, { rules, moments, standing, never }: PlannedVerdicts): readonly string[] {
  const total = levels.reduce((sum, level) => sum + rules[level], 0);
  if (total + never.length === 0) return [];
  const ofCases = (ids: readonly string[]): readonly string[] => ids.filter((id) => !standing.includes(id));
  const rows = moments.map(({ after, count }) => [
    span(after),
    ...levels.map((level) => `${count[level]} of ${rules[level]}`),
  ]);
  return [
    ...page.heading('Verdicts', 'rules whose cases have all ended; at the end also those that only invariants judge'),
    ...table(page, ['after', ...levels], rows),
    ...moments.flatMap((moment, at) => {
      const before = moments[at - 1];
      if (before === undefined) return [];
      const { required, recommended, informational } = moment.judged;
      const judged = {
        required: ofCases(required),
        recommended: ofCases(recommended),
        informational: ofCases(informational),
      };
      return renderLater(page, { judged }, before);
    }),
    ...renderIds(page, 'on every message, until the end', standing),
    ...renderIds(page, 'without a verdict, because cases do not run', never),
  ];
}
