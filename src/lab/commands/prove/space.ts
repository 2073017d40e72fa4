import { join } from 'node:path';
import { countNoun } from '../../../lib/lists.ts';
import { omitUndefined } from '../../../lib/json.ts';
import { quoteWord } from '../../../lib/shell.ts';
import type { RunPool } from '../../prove/pool.ts';
import {
  type TroubleCause,
  type NumberedCarrier,
  type DrawnProof,
  type ProvedSpace,
  proveSpace,
} from '../../prove/prove-space.ts';
import type { Page } from '../../../report/shared/layout.ts';
import { forTerminal } from '../../../report/shared/sanitize.ts';
import type { Suites } from '../../../suite/suites.ts';
import type { proveDefinition } from '../../../cli/definitions/suite.ts';
import { exitCodes } from '../../../cli/exit-codes.ts';
import { type CommandInputs, type Invocation, isLive } from '../../../cli/shared/command.ts';
import { writeBelow } from '../../../cli/shared/files.ts';
import { createTerminalPage } from '../../../cli/shared/page.ts';
import { describeCover, type CarrierDrawing } from './drawing.ts';

type SpaceFlags = CommandInputs<typeof proveDefinition>;

const choiceNames = (choices: NumberedCarrier['choices']): readonly string[] =>
  Object.entries(choices).map(([id, name]) => `${id}/${name}`);

function renderCause(page: Page, cause: TroubleCause, { seed }: CarrierDrawing): readonly string[] {
  const { paint } = page;
  const rules = Object.entries(cause.rules).map(([rule, verdict]) => `${rule === '' ? 'the run' : rule} ${verdict}`);
  const names = choiceNames(cause.choices);
  const again = cause.again
    ? `carrierspec prove --space ${names.length === 0 ? 'plain' : names.join(' ')}`
    : `carrierspec prove --space --seed ${quoteWord(seed)} --only ${cause.carriers[0] ?? 1} --whole`;
  const choices = cause.again ? names.join(' and ') : 'not seen again in these cases alone';
  return [
    `  ${paint.red('red')} ${paint.bold(forTerminal(choices === '' ? 'the plain choices alone' : choices))}`,
    ...page.paragraph(rules.join(', '), { indent: 6 }),
    ...page.paragraph(cause.why, { indent: 6 }),
    ...page.paragraph(`cases ${cause.cases.join(', ')}; carriers ${cause.carriers.join(', ')}`, { indent: 6 }),
    `      ${paint.dim(forTerminal(again))}`,
  ];
}

/** Names the shuffled order of the first carrier. */
const describeOrder = ([first]: readonly DrawnProof[]): string | undefined =>
  first && `Cases in a shuffled order: ${first.order} with carrier ${first.number}, and so on.`;

interface SpaceOutcome extends ProvedSpace {
  readonly drawing: CarrierDrawing;
  readonly report: string;
  readonly seconds: number;
}

function renderSpace(page: Page, { proofs, causes, drawing, report, seconds }: SpaceOutcome): readonly string[] {
  const red = proofs.filter(({ troubles }) => troubles.length > 0);
  const ran = proofs.reduce((sum, one) => sum + one.ran, 0);
  const end =
    red.length === 0
      ? page.paint.green(
          `Green: ${countNoun(proofs.length, 'conforming carrier')}, and no rule red or without a verdict.`,
        )
      : page.paint.red(
          `Not green: ${red.length} of ${countNoun(proofs.length, 'conforming carrier')}, by ${countNoun(causes.length, 'cause')}.`,
        );
  return [
    ...causes.flatMap((cause) => renderCause(page, cause, drawing)),
    ...page.paragraph(`Seed ${drawing.seed}: ${describeCover(drawing)}.`, { indent: 0 }),
    ...page.paragraph(describeOrder(proofs), { indent: 0 }),
    `${countNoun(ran, 'case')} ran, in ${seconds.toFixed(1)} s; report: ${forTerminal(report)}`,
    end,
  ];
}

function buildSpaceReport({
  proofs,
  causes,
  drawing: { seed, cover, freedoms, choices },
}: Omit<SpaceOutcome, 'report'>) {
  const { pairs, covered, enough } = cover ?? {};
  return {
    format: 'carrierspec-space',
    version: 1,
    seed,
    space: { freedoms, choices, ...omitUndefined({ pairs, covered, enough }) },
    carriers: proofs.map(({ number, order, troubles, choices: chosen }) => ({
      number,
      order,
      status: troubles.length === 0 ? 'green' : 'red',
      troubles,
      choices: chosen,
    })),
    causes,
  };
}

function createSpaceProgress(total: number, { stderr, env }: Invocation) {
  const live = isLive(stderr, env);
  const step = Math.max(1, Math.ceil(total / 10));
  let done = 0;
  let red = 0;
  return {
    onProof: ({ troubles }: DrawnProof): void => {
      done += 1;
      if (troubles.length > 0) red += 1;
      if (live) stderr.write(`\r\u001b[K${done}/${total} carriers, ${red} red${done === total ? '\n' : ''}`);
      else if (done % step === 0) stderr.write(`${done}/${total} carriers, ${red} red\n`);
    },
    onCause: ({ choices, rules }: TroubleCause): void =>
      void stderr.write(`cause: ${choiceNames(choices).slice(0, 4).join(' and ')}: ${Object.keys(rules).join(', ')}\n`),
  };
}

interface SpaceServices {
  readonly suites: Suites;
  readonly pool: RunPool;
  readonly drawing: CarrierDrawing;
}

/** `carrierspec prove --space`: proves that no conforming carrier fails a rule. Returns 0 if none fails, else 1. */
export async function proveSpaceCommand(
  flags: SpaceFlags,
  invocation: Invocation,
  means: SpaceServices,
): Promise<number> {
  const begun = performance.now();
  const { drawing, suites, pool } = means;
  const teller = createSpaceProgress(drawing.carriers.length, invocation);
  const { carriers, seed } = drawing;
  const whole = flags.whole || drawing.one;
  const proved = await proveSpace({
    suites,
    pool,
    carriers,
    seed,
    whole,
    ...teller,
  });
  const report = join(flags.out, 'space.json');
  const told = { ...proved, drawing, seconds: (performance.now() - begun) / 1000 };
  const written = `${JSON.stringify(buildSpaceReport(told), null, 1)}\n`;
  writeBelow({ folder: flags.out, flag: '--out' }, 'space.json', [written]);
  invocation.stdout.write(`${renderSpace(createTerminalPage(invocation), { ...told, report }).join('\n')}\n`);
  const green = proved.proofs.every(({ troubles }) => troubles.length === 0);
  return green ? exitCodes.conformant : exitCodes['not conformant'];
}
