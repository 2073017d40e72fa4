import type { Explored, Unconfirmed } from '../../explore/explore.ts';
import { countOf } from '../../lib/lists.ts';
import { type Rule, renderRuleRef } from '../../model/rule.ts';
import type { Page } from '../../report/shared/layout.ts';
import { forTerminal } from '../../report/shared/sanitize.ts';
import type { EndedBy } from './exploring.ts';
import { shownWords, type WrittenFinding } from './write.ts';

export interface Rendered extends Explored {
  readonly seed: string;
  readonly seconds: number;
  readonly endedBy?: EndedBy;
  readonly findings: readonly WrittenFinding[];
  readonly rules: readonly Rule[];
}

function describeCounts({ requests }: Explored): string {
  const counts = Object.entries(requests).map(([kind, count]) => `${count.toLocaleString('en')} ${kind}`);
  return counts.length === 0 ? '' : ` (${counts.join(', ')})`;
}

const endings: Readonly<Record<EndedBy, string>> = {
  interrupted: 'Interrupted: what was not sent by then is not tried.',
  budget: 'The budget was over before all requests were sent; --budget sets another.',
  'cut-off': 'It was cut off.',
};

function renderFinding(page: Page, { found, again }: WrittenFinding, rules: readonly Rule[]): readonly string[] {
  const rule = rules.find(({ id }) => id === found.rule);
  const folded = found.folded === 0 ? '' : `; ${countOf(found.folded, 'other request')} showed the same`;
  return [
    '',
    `${page.paint.red(found.finding.level === 'required' ? 'broken' : 'warned')} ${page.paint.bold(forTerminal(renderRuleRef(found.finding)))}  ${page.paint.dim(`${found.kind}, after ${found.after.toLocaleString('en')} requests${folded}`)}`,
    ...page.paragraph(rule?.description),
    ...page.fact('tried', found.title),
    ...page.fact('came', shownWords(found)),
    ...page.fact('with', found.parts.length === 0 ? undefined : found.parts.join('; ')),
    ...page.fact('again', again, { whole: true }),
  ];
}

const onceWords = ({ untried }: Unconfirmed): string =>
  untried === true ? 'Seen once, and not tried again before the end' : 'Seen once and not again, so it is no finding';

/** What an exploration has found, and how much it has tried. */
export function renderExplored(page: Page, all: Rendered): readonly string[] {
  const { findings, unconfirmed, unjudged, stopped, seed, seconds, rules, endedBy } = all;
  const sum = Object.values(all.requests).reduce((sent, count) => sent + count, 0);
  const end =
    findings.length === 0
      ? sum === 0
        ? 'Nothing was tried.'
        : page.paint.green('Nothing was found.')
      : page.paint.red(`${countOf(findings.length, 'finding')}.`);
  return [
    ...findings.flatMap((one) => renderFinding(page, one, rules)),
    ...unconfirmed
      .slice(0, 10)
      .flatMap((one) => ['', ...page.paragraph(`${onceWords(one)}: ${one.rule}, ${one.title}`, { indent: 0 })]),
    ...(findings.length + unconfirmed.length === 0 ? [] : ['']),
    ...(stopped === undefined ? [] : page.paragraph(`It had to stop: ${stopped}`, { indent: 0 })),
    ...(unjudged.count === 0
      ? []
      : page.paragraph(`${countOf(unjudged.count, 'probe')} without a verdict: ${unjudged.reason ?? ''}`, {
          indent: 0,
        })),
    ...page.paragraph(
      `Seed ${seed}: ${sum.toLocaleString('en')} request objects in ${seconds.toFixed(1)} s${describeCounts(all)}.`,
      { indent: 0 },
    ),
    ...(endedBy === undefined ? [] : page.paragraph(endings[endedBy], { indent: 0 })),
    end,
  ];
}
