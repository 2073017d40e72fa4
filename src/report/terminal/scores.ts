import type { ResultFooter, Score } from '../../model/result.ts';
import { levels } from '../../model/rule.ts';
import { countCells, fitText, type Page, padText, renderHeading, type Tone } from '../shared/layout.ts';
import { forTerminal } from '../shared/sanitize.ts';

const nameWidth = 18;

/** `212/214 of 240`: conforming of judged, judged of applicable; never one without the other. */
export function renderScore({ conforming, judged, applicable }: Score): string {
  return `${conforming}/${judged} of ${applicable}`;
}

function toneOf({ paint }: Page, { conforming, judged, applicable }: Score): Tone {
  if (applicable === 0) return paint.dim;
  if (conforming < judged) return paint.red;
  return judged < applicable ? paint.yellow : paint.green;
}

function renderCell(page: Page, score: Score, width: number): string {
  const text = score.applicable === 0 ? '-' : renderScore(score);
  return toneOf(page, score)(text) + ' '.repeat(Math.max(0, width - countCells(text)));
}

/** One line an area: how much of what was judged conforms, and how much of what applies was judged. */
export function renderAreas(page: Page, footer: ResultFooter): readonly string[] {
  const width = Math.floor((page.width - nameWidth - 2) / levels.length);
  const rows = [...Object.entries(footer.areas), ['all areas', footer.score] as const];
  const line = (name: string, cells: readonly string[]): string =>
    `  ${padText(fitText(forTerminal(name, 200), nameWidth - 2), nameWidth)}${cells.join('')}`.trimEnd();
  return [
    ...renderHeading(page, 'Rules by area', 'conforming/judged of applicable'),
    page.paint.dim(
      line(
        '',
        levels.map((level) => padText(level, width)),
      ),
    ),
    ...rows.map(([name, scores]) =>
      line(
        name,
        levels.map((level) => renderCell(page, scores[level], width)),
      ),
    ),
  ];
}
