import { levels } from '../../model/rule.ts';
import type { ResultFooter, ResultHeader, Score } from '../../model/result.ts';
import type { Fact } from '../shared/facts.ts';
import { countCells, fitText, type Page, padText, renderFact, renderHeading, type Tone } from '../shared/layout.ts';
import { clockLegend } from '../shared/prose.ts';
import { interfaceText, renderScore, selectionText } from '../shared/run-prose.ts';
import { forTerminal } from '../shared/sanitize.ts';

/** `sha256:3f2a91c0d4e5...` as its first twelve digits. */
const short = (digest: string): string => digest.replace(/^sha256:/, '').slice(0, 12);

/** What was run, against whom, on which clock. */
export function renderHead(page: Page, header: ResultHeader): readonly string[] {
  const { tool, run, target, clock, suites, startedAt, shard } = header;
  const clockTone = clock.kind === 'virtual' ? page.paint.yellow : page.paint.reset;
  const facts: readonly (Fact & { readonly tone?: Tone })[] = [
    { label: 'interface', text: interfaceText(header) },
    { label: 'target', text: `${target.name} (${target.file})` },
    { label: 'issuer', text: target.issuer },
    {
      label: 'clock',
      text: `${clockLegend[clock.kind]}${clock.note === '' ? '' : `. ${clock.note}`}`,
      tone: clockTone,
    },
    { label: 'suites', text: `rules ${short(suites.rules)}, suites ${short(suites.suites)}` },
    { label: 'selection', text: selectionText(header) },
    ...(shard === undefined ? [] : [{ label: 'shard', text: `${shard.index} of ${shard.of}` }]),
    { label: 'started', text: startedAt },
  ];
  return [
    `${page.paint.bold(`${tool.name} ${forTerminal(tool.version, 40)}`)}  ${page.paint.dim(`run ${forTerminal(run, 60)}`)}`,
    '',
    ...facts.flatMap((fact) => renderFact(page, fact, { indent: 2, tone: fact.tone })),
  ];
}

const nameWidth = 18;

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
