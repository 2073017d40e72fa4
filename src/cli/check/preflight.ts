import type { PreflightNote, Blame } from '../../engine/context/note.ts';
import { runPreflight, notesVerdict } from '../../engine/run-preflight.ts';
import type { RunOptions } from '../../engine/run-options.ts';
import { forJson, omitUndefined } from '../../lib/json.ts';
import { type Page, wrapText } from '../../report/shared/layout.ts';
import { forTerminal } from '../../report/shared/sanitize.ts';
import { readSuites } from '../../setup/read-files.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Invocation } from '../shared/command.ts';
import { createTerminalPage } from '../shared/page.ts';
import { idleProgramRun, readMatchingTarget } from '../shared/setup.ts';

/** Runs the preflight with the options of an idle run. */
const preflightIdleRun = (given: Pick<RunOptions, 'suites' | 'target'>): Promise<readonly PreflightNote[]> =>
  runPreflight({ ...idleProgramRun(given), jobs: 4 });

const ownerLabels: Readonly<Record<Blame, string>> = {
  configuration: 'yours to change',
  carrier: 'the carrier’s to change',
  network: 'on the way there',
};

const preflightVerdicts = {
  ready: 'ready: carrierspec run can begin',
  usage: 'not ready: make the changes marked “yours to change”, then try again',
  unreachable: 'not ready: the carrier or the receiver is out of reach',
} as const;

const noteIndent = '          ';

function renderNote(note: PreflightNote, page: Page): readonly string[] {
  const { paint, width } = page;
  const tones = { ok: paint.green, warning: paint.yellow, problem: paint.red, skipped: paint.dim };
  const { state, about, description, whose, change } = note;
  const [first = '', ...more] = wrapText(
    forTerminal(about === '' ? description : `${about}: ${description}`),
    width - noteIndent.length,
  );
  const advice =
    change === undefined || whose === undefined
      ? []
      : wrapText(forTerminal(`${ownerLabels[whose]}: ${change}`), width - noteIndent.length);
  return [
    `${tones[state](state.padEnd(noteIndent.length - 2))}  ${first}`,
    ...more.map((line) => noteIndent + line),
    ...advice.map((line) => noteIndent + line),
  ];
}

function renderPreflight(notes: readonly PreflightNote[], page: Page): readonly string[] {
  const names = [...new Set(notes.map(({ check }) => check))];
  const lines = names.flatMap((name) => [
    page.paint.bold(name),
    ...notes.filter(({ check }) => check === name).flatMap((note) => renderNote(note, page)),
    '',
  ]);
  return [...lines, preflightVerdicts[notesVerdict(notes)]];
}

const preflightExitCodes = {
  ready: exitCodes.conformant,
  usage: exitCodes.usage,
  unreachable: exitCodes.unreachable,
} as const;

const noteJson = ({ place, ...note }: PreflightNote) => omitUndefined({ ...note, position: place?.position });

interface PreflightRequest {
  readonly file: string;
  readonly dirs: readonly string[];
  readonly json: boolean;
}

/** `carrierspec check --preflight --target FILE`: tries everything that a run needs; judges nothing. */
export async function preflightTarget(
  { file, dirs, json }: PreflightRequest,
  { stdout, env }: Invocation,
): Promise<number> {
  const suites = await readSuites(dirs);
  const target = readMatchingTarget(file, suites, env);
  const notes = await preflightIdleRun({ suites, target });
  const verdict = notesVerdict(notes);
  if (json) stdout.write(`${forJson({ verdict, checks: notes.map(noteJson) }, 2)}\n`);
  else for (const line of renderPreflight(notes, createTerminalPage({ stdout, env }))) stdout.write(`${line}\n`);
  return preflightExitCodes[verdict];
}
