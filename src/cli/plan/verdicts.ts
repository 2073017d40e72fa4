import type { PlannedVerdicts, VerdictsAt } from '../../engine/plan/verdicts.ts';
import { listFolded } from '../../lib/lists.ts';
import { levels } from '../../model/rule.ts';
import type { Page } from '../../report/shared/layout.ts';
import { span, table } from './table.ts';

/** Runs of consecutive ids that are listed of each level. */
const idLimit = 8;

/** The rules whose verdict comes only after a moment, the required ones first. */
function renderLater(page: Page, { judged }: VerdictsAt, before: VerdictsAt): readonly string[] {
  return levels.flatMap((level) =>
    judged[level].length === 0
      ? []
      : page.paragraph(`${level}, only after ${span(before.after)}: ${listFolded(judged[level], idLimit)}`, {
          indent: 4,
          tone: page.paint.dim,
        }),
  );
}

/** How many rules have their verdicts when, and which come late. */
export function renderVerdicts(page: Page, { rules, moments, never }: PlannedVerdicts): readonly string[] {
  const total = levels.reduce((sum, level) => sum + rules[level], 0);
  if (total + never.length === 0) return [];
  const rows = moments.map(({ after, count }) => [
    span(after),
    ...levels.map((level) => `${count[level]} of ${rules[level]}`),
  ]);
  return [
    ...page.heading('Verdicts', 'rules whose cases have all ended; what only invariants judge is known at the end'),
    ...table(page, ['after', ...levels], rows),
    ...moments.flatMap((moment, at) => {
      const before = moments[at - 1];
      return before === undefined ? [] : renderLater(page, moment, before);
    }),
    ...(never.length > 0 ? page.paragraph(`without a verdict: ${listFolded(never, idLimit)}`) : []),
  ];
}
