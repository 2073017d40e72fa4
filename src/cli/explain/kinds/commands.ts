import { countOf } from '../../../lib/lists.ts';
import { completionDefinition } from '../../completion/define.ts';
import * as certifying from '../../definitions/certify.ts';
import * as reading from '../../definitions/reading.ts';
import * as results from '../../definitions/results.ts';
import { sendDefinition } from '../../definitions/send.ts';
import * as suite from '../../definitions/suite.ts';
import { initDefinition } from '../../init/define.ts';
import type { Definition } from '../../shared/command.ts';
import { endsOf, withLetter } from '../../shared/help.ts';
import { helpRows } from '../../shared/help-rows.ts';
import type { Input } from '../../shared/inputs.ts';
import { type Block, fact, gap, head, heading, paragraph } from '../blocks.ts';
import { defineKind } from './kind.ts';

/** Every command, also of those that are defined beside their folder alone. */
const commands: readonly Definition[] = [
  initDefinition,
  ...Object.values({ ...certifying, ...reading, sendDefinition, ...results, ...suite }),
  completionDefinition,
].filter((one) => typeof one !== 'function');

const inputFact = ({ spec, doc, initial, mandatory }: Input<unknown>): readonly Block[] => {
  const usual = typeof initial === 'string' ? ` (default: ${initial})` : '';
  return fact(withLetter(spec), `${doc}${mandatory === true && spec.startsWith('-') ? ' (required)' : ''}${usual}`);
};

function renderCommand({ name, summary, description, args, flags, examples }: Definition): readonly Block[] {
  const row = helpRows[name];
  const specs = Object.values(args).map(({ spec }) => spec);
  return [
    head(['carrierspec', name, ...specs].join(' '), 'a command'),
    ...paragraph(description ?? summary),
    ...Object.values(args).flatMap(inputFact),
    heading('Flags', countOf(Object.values(flags).length, 'flag')),
    ...Object.values(flags).flatMap(inputFact),
    heading('Examples', String(examples.length)),
    ...examples.flatMap((example) => paragraph(`carrierspec ${name} ${example}`.trimEnd(), { whole: true })),
    ...(row === undefined
      ? []
      : [
          heading('Exit codes', 'how it can end'),
          ...endsOf(row.ends).flatMap(([code, words]) => fact('exit', `${code}: ${words}`)),
          gap,
          ...fact('more', row.docs, { whole: true }),
        ]),
  ];
}

export const commandKind = defineKind({
  name: 'command',
  many: 'commands',
  entries: () =>
    commands
      .filter(({ hidden }) => hidden !== true)
      .map((command) => ({
        name: command.name,
        description: command.summary,
        blocks: () => renderCommand(command),
      })),
});
