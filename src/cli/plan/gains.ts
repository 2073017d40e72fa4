import type { Forecast } from '../../engine/plan/forecast.ts';
import type { Gain } from '../../engine/plan/more.ts';
import { listIds } from '../../lib/lists.ts';
import type { Page } from '../../report/shared/layout.ts';
import { span, table } from './table.ts';

const nameLimit = 5;

/** What there is one more of, and what it would be like. */
const words: Readonly<Record<Gain['of'], (more: number | undefined) => string>> = {
  subscribers: (more) => (more === 1 ? 'subscriber' : 'subscribers'),
  clients: (more) => (more === 1 ? 'client' : 'clients'),
};

function renderGain(page: Page, { of, like, tags, rows }: Gain): readonly string[] {
  const whom = of === 'clients' ? `like ${listIds(like, nameLimit)}` : `tagged ${tags.join(', ')}`;
  const enough = `more ${words[of](undefined)} ${whom} bring nothing`;
  const last = rows.at(-1);
  if (last === undefined) return page.paragraph(enough);
  return [
    ...table(
      page,
      ['with', 'takes'],
      rows.map(({ more, seconds }) => [`${more} more ${words[of](more)} ${whom}`, span(seconds)]),
    ),
    ...page.paragraph(`beyond ${last.more}, ${enough}`),
  ];
}

/** What more subscribers and registrations would bring. */
export function renderGains(page: Page, { gains, longest }: Forecast): readonly string[] {
  if (gains.length === 0) return [];
  return [
    ...page.heading('With more', `the same cases take ${span(longest)} with what the target has`),
    ...gains.flatMap((gain) => renderGain(page, gain)),
  ];
}
