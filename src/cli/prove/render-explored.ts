import { countOf } from '../../lib/lists.ts';
import { quoteWord } from '../../lib/shell.ts';
import type { DeepOutcome } from '../../prove/job.ts';
import type { Drawn } from '../../prove/space/judge-drawn.ts';
import type { Page } from '../../report/shared/layout.ts';
import { forTerminal } from '../../report/shared/sanitize.ts';
import type { proveDefinition } from '../definitions/suite.ts';
import { shownWords } from '../explore/write.ts';
import type { Given } from '../shared/command.ts';
import { coverWords, type Drawing } from './drawing.ts';

type SpaceFlags = Given<typeof proveDefinition>;

/** How the exploration of a drawn carrier came out. */
export interface ExploredCarrier extends Drawn {
  readonly outcome: DeepOutcome;
}

export const isGreen = ({ outcome: { shown, stopped } }: ExploredCarrier): boolean =>
  shown.length === 0 && stopped === undefined;

/** What is told of the exploration of drawn carriers. */
export interface ExploredSpace {
  readonly explored: readonly ExploredCarrier[];
  readonly drawing: Drawing;
  readonly flags: Pick<SpaceFlags, 'names' | 'requests'>;
  readonly report: string;
  readonly seconds: number;
}

function againOf({ drawing: { seed }, flags: { names, requests } }: ExploredSpace, number: number): string {
  const what = names.length === 0 ? `--only ${number}` : names.map(quoteWord).join(' ');
  return `carrierspec prove --space --explore --seed ${quoteWord(seed)} --requests ${requests} ${what}`;
}

function renderRed(page: Page, { number, outcome: { shown, stopped } }: ExploredCarrier, again: string) {
  const { paint } = page;
  const title = `  ${paint.red('red')} ${paint.bold(`carrier ${number}`)}`;
  return [
    ...(stopped === undefined ? [] : [title, ...page.fact('stopped', stopped)]),
    ...shown.flatMap((one) => [
      `${title} ${one.rule}`,
      ...page.fact('tried', one.title),
      ...page.fact('came', shownWords(one)),
    ]),
    `      ${paint.dim(forTerminal(again))}`,
  ];
}

/** What was found of which carrier, and how to see it again. */
export function renderExplored(page: Page, told: ExploredSpace): readonly string[] {
  const { explored, drawing, report, seconds } = told;
  const reds = explored.filter((one) => !isGreen(one));
  const sent = explored.reduce((sum, { outcome }) => sum + outcome.requests, 0);
  const unjudged = explored.reduce((sum, { outcome }) => sum + outcome.unjudged, 0);
  const carriers = countOf(explored.length, 'conforming carrier');
  return [
    ...reds.flatMap((one) => renderRed(page, one, againOf(told, one.number))),
    ...page.paragraph(`Seed ${drawing.seed}: ${coverWords(drawing)}.`, { indent: 0 }),
    `${countOf(sent, 'request object')}, ${unjudged.toLocaleString('en')} of them without a verdict, in ${seconds.toFixed(1)} s; report: ${forTerminal(report)}`,
    reds.length === 0
      ? page.paint.green(`Green: ${carriers} explored, and nothing found.`)
      : page.paint.red(`Not green: ${reds.length} of ${carriers}.`),
  ];
}
