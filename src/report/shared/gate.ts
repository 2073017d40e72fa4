import { showCharacters } from './sanitize.ts';

/** A text that a CI log reads as a command or as markup. */
interface Marker {
  /** CI systems that act on it. */
  readonly readers: string;
  readonly text: string;
  /** At the start of a line, blanks and colours may precede it. */
  readonly at: 'start' | 'anywhere';
}

/** Markers of actions/runner, azure-pipelines-agent, TeamCity, Buildkite, GitLab and Jenkins, allowed on no line. */
export const markers: readonly Marker[] = [
  { readers: 'GitHub, Gitea', text: '::', at: 'start' },
  { readers: 'GitHub, Azure', text: '##[', at: 'anywhere' },
  { readers: 'Azure', text: '##vso', at: 'anywhere' },
  { readers: 'TeamCity', text: '##teamcity[', at: 'anywhere' },
  { readers: 'Buildkite', text: '--- ', at: 'start' },
  { readers: 'Buildkite', text: '+++ ', at: 'start' },
  { readers: 'Buildkite', text: '~~~ ', at: 'start' },
  { readers: 'Buildkite', text: '^^^ +++', at: 'start' },
  { readers: 'GitLab', text: '\r\u001b[0K', at: 'anywhere' },
  { readers: 'Jenkins', text: '\u001b[8mha:', at: 'anywhere' },
];

const startMarkers = markers.filter(({ at }) => at === 'start');
const innerMarkers = markers.filter(({ at }) => at === 'anywhere');

// oxlint-disable-next-line no-control-regex -- our own colours, and cursor movements
const terminalSequences = /\u001b\[[\d;?]*[A-Za-z]/g;
// oxlint-disable-next-line no-control-regex -- as above
const indent = /^(?:\s|\u001b\[[\d;?]*[A-Za-z])*/;

/** Controls other than line ends (LF, CR LF), tabs and colours (SGR); SGR 8 counts, because it hides text. */
const controls =
  // oxlint-disable-next-line no-control-regex -- the escape of a colour is one of them
  /\u001b(?!\[(?!8m)[\d;]*m)|\r(?!\n)|[\u0000-\u0008\u000b\u000c\u000e-\u001a\u001c-\u001f\u007f-\u009f]/g;

/** Escapes the last character, because those before it may have been written already. */
const breakMarker = (text: string): string => text.slice(0, -1) + showCharacters(text.slice(-1));

function closeLine(line: string): string {
  let closed = line;
  for (const { text } of innerMarkers) if (closed.includes(text)) closed = closed.replaceAll(text, breakMarker(text));
  const [before = ''] = indent.exec(closed) ?? [];
  const begun = startMarkers.find(({ text }) => closed.startsWith(text, before.length));
  if (begun === undefined) return closed;
  return before + breakMarker(begun.text) + closed.slice(before.length + begun.text.length);
}

/** UTF-16 units of an unfinished line that must be kept to recognize a marker split between pieces. */
const keptUnits = 16;

/** End of an unfinished line, standing for the whole; `x` marks a line that has already begun. */
function keepEnd(line: string): string {
  const text = line.replaceAll(terminalSequences, '').trimStart();
  return text.length <= keptUnits ? text : `x${text.slice(-keptUnits)}`;
}

/** Makes text inert for CI logs, in pieces of any size; `plain` also escapes control characters. */
export function createGate({ plain }: { readonly plain: boolean }): (piece: string) => string {
  let begun = '';
  return (piece) => {
    const shown = plain ? piece.replace(controls, showCharacters) : piece;
    const lines = `${begun}${shown}`.split('\n').map(closeLine);
    const closed = lines.join('\n').slice(begun.length);
    begun = keepEnd(lines.at(-1) ?? '');
    return closed;
  };
}

/** A whole text, inert in every log. */
export const forLog = (text: string): string => createGate({ plain: true })(text);

/** A report written in pieces, inert in every log that prints the file. */
export function* gateReport(pieces: Iterable<string>): Iterable<string> {
  const gate = createGate({ plain: true });
  for (const piece of pieces) yield gate(piece);
}
