import type { Note, Whose } from '../../engine/preflight/note.ts';
import { verdictOfNotes } from '../../engine/preflight/preflight.ts';
import { type Page, wrapText } from '../../report/layout.ts';
import { forTerminal } from '../../report/sanitize.ts';

const whoseWords: Readonly<Record<Whose, string>> = {
  configuration: 'yours to change',
  carrier: 'the carrier’s to change',
  network: 'on the way there',
};

const verdictWords = {
  ready: 'ready: carrierspec run can begin',
  usage: 'not ready: change what is yours to change, then try again',
  unreachable: 'not ready: the carrier or the receiver is out of reach',
} as const;

const indent = '          ';

function noteLines(note: Note, page: Page): readonly string[] {
  const { paint, width } = page;
  const tones = { ok: paint.green, warning: paint.yellow, problem: paint.red, skipped: paint.dim };
  const { state, about, description, whose, change } = note;
  const [first = '', ...more] = wrapText(
    forTerminal(about === '' ? description : `${about}: ${description}`),
    width - indent.length,
  );
  const advice =
    change === undefined || whose === undefined
      ? []
      : wrapText(forTerminal(`${whoseWords[whose]}: ${change}`), width - indent.length);
  return [
    `${tones[state](state.padEnd(indent.length - 2))}  ${first}`,
    ...more.map((line) => indent + line),
    ...advice.map((line) => indent + line),
  ];
}

/** The checks in order, and what comes of them. */
export function renderPreflight(notes: readonly Note[], page: Page): readonly string[] {
  const names = [...new Set(notes.map(({ check }) => check))];
  const lines = names.flatMap((name) => [
    page.paint.bold(name),
    ...notes.filter(({ check }) => check === name).flatMap((note) => noteLines(note, page)),
    '',
  ]);
  return [...lines, verdictWords[verdictOfNotes(notes)]];
}
