import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { countNoun } from '../../../lib/lists.ts';
import { omitUndefined } from '../../../lib/json.ts';
import { quoteWord } from '../../../lib/shell.ts';
import type { DeepOutcome } from '../../prove/job.ts';
import { openThreads, type Threads } from '../../prove/pool.ts';
import type { NumberedCarrier } from '../../prove/prove-space.ts';
import type { Page } from '../../../report/shared/layout.ts';
import { forTerminal } from '../../../report/shared/sanitize.ts';
import { exitCodes } from '../../../cli/exit-codes.ts';
import { describeMismatch } from '../explore/findings.ts';
import type { CommandInputs, Invocation } from '../../../cli/shared/command.ts';
import { createTerminalPage } from '../../../cli/shared/page.ts';
import { makeFolder, writeBelow } from '../../../cli/shared/files.ts';
import { explorationStart } from './deep.ts';
import type { exploredSpaceDefinition } from './definitions.ts';
import { describeCover, drawCarriers, type CarrierDrawing } from './drawing.ts';

interface ExploredDrawn extends NumberedCarrier {
  readonly outcome: DeepOutcome;
}

const isGreen = ({ outcome: { shown, stopped } }: ExploredDrawn): boolean =>
  shown.length === 0 && stopped === undefined;

interface ExploredSpace {
  readonly explored: readonly ExploredDrawn[];
  readonly drawing: CarrierDrawing;
  readonly flags: Pick<CommandInputs<typeof exploredSpaceDefinition>, 'names' | 'requests'>;
  readonly report: string;
  readonly seconds: number;
}

function repeatCommand({ drawing: { seed }, flags: { names, requests } }: ExploredSpace, number: number): string {
  const what = names.length === 0 ? `--only ${number}` : names.map(quoteWord).join(' ');
  return `npm run space:explore -- --seed ${quoteWord(seed)} --requests ${requests} ${what}`;
}

function renderRedCarrier(page: Page, { number, outcome: { shown, stopped } }: ExploredDrawn, again: string) {
  const { paint } = page;
  const title = `  ${paint.red('red')} ${paint.bold(`carrier ${number}`)}`;
  return [
    ...(stopped === undefined ? [] : [title, ...page.fact('stopped', stopped)]),
    ...shown.flatMap((one) => [
      `${title} ${one.rule}`,
      ...page.fact('tried', one.title),
      ...page.fact('came', describeMismatch(one)),
    ]),
    `      ${paint.dim(forTerminal(again))}`,
  ];
}

export function renderExploredSpace(page: Page, told: ExploredSpace): readonly string[] {
  const { explored, drawing, report, seconds } = told;
  const reds = explored.filter((one) => !isGreen(one));
  const sent = explored.reduce((sum, { outcome }) => sum + outcome.requests, 0);
  const unjudged = explored.reduce((sum, { outcome }) => sum + outcome.unjudged, 0);
  const carriers = countNoun(explored.length, 'conforming carrier');
  return [
    ...reds.flatMap((one) => renderRedCarrier(page, one, repeatCommand(told, one.number))),
    ...page.paragraph(`Seed ${drawing.seed}: ${describeCover(drawing)}.`, { indent: 0 }),
    `${countNoun(sent, 'request object')}, ${unjudged.toLocaleString('en')} of them without a verdict, in ${seconds.toFixed(1)} s; report: ${forTerminal(report)}`,
    reds.length === 0
      ? page.paint.green(`Green: ${carriers} explored, and nothing found.`)
      : page.paint.red(`Not green: ${reds.length} of ${carriers}.`),
  ];
}

type ExploreSpaceFlags = CommandInputs<typeof exploredSpaceDefinition>;

const maxFindings = 10;

/** Explores each carrier with its own seed: the drawing's seed and the carrier's number. */
async function exploreAll(
  { carriers, seed }: CarrierDrawing,
  { requests }: ExploreSpaceFlags,
  means: { readonly threads: Threads<'explore'>; readonly onCarrier: (one: ExploredDrawn) => void },
): Promise<readonly ExploredDrawn[]> {
  return Promise.all(
    carriers.map(async ({ number, choices }) => {
      const outcome = await means.threads.run({
        seed: `${seed} ${number}`,
        requests,
        enough: maxFindings,
        faults: [],
        choices,
      });
      const one = { number, choices, outcome };
      means.onCarrier(one);
      return one;
    }),
  );
}

function buildExploredReport({ explored, drawing: { seed }, flags: { requests } }: ExploredSpace) {
  const carriers = explored.map(({ number, choices, outcome: { shown, stopped, unjudged, requests: sent } }) => ({
    number,
    shown,
    ...omitUndefined({ stopped }),
    requests: sent,
    unjudged,
    choices,
  }));
  return { format: 'carrierspec-explored-space', version: 1, seed, requests, carriers };
}

/** `npm run space:explore`: explores conforming carriers. Returns 0 if nothing is found, else 1. */
export async function exploreSpaceCommand(flags: ExploreSpaceFlags, invocation: Invocation): Promise<number> {
  const drawing = drawCarriers(flags);
  makeFolder(flags.out, '--out', ['explored-space.json']);
  const begun = performance.now();
  const threads = openThreads('explore', availableParallelism(), { suites: [], startAt: explorationStart });
  const total = drawing.carriers.length;
  let done = 0;
  const onCarrier = (): void => {
    done += 1;
    if (done % Math.ceil(total / 20) === 0) invocation.stderr.write(`${done}/${total} carriers\n`);
  };
  try {
    const explored = await exploreAll(drawing, flags, { threads, onCarrier });
    const report = join(flags.out, 'explored-space.json');
    const told = { explored, drawing, flags, report, seconds: (performance.now() - begun) / 1000 };
    const written = `${JSON.stringify(buildExploredReport(told), null, 1)}\n`;
    writeBelow({ folder: flags.out, flag: '--out' }, 'explored-space.json', [written]);
    invocation.stdout.write(`${renderExploredSpace(createTerminalPage(invocation), told).join('\n')}\n`);
    return explored.every(isGreen) ? exitCodes.conformant : exitCodes['not conformant'];
  } finally {
    await threads.close();
  }
}
