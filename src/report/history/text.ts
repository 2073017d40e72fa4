import { forJson, renderJsonLines } from '../../lib/json.ts';
import type { CarrierHistory, History } from '../../compare/history/history-model.ts';
import { type HistoryNews, type CarrierTurn, isTurn } from '../../compare/history/turns.ts';
import { countNoun } from '../../lib/lists.ts';
import { forTerminal } from '../shared/sanitize.ts';
import { causeWords, carrierTitle, runMoment } from './page.ts';

function carrierText(carrier: CarrierHistory): string {
  const { runs, rules, interface: of } = carrier;
  const last = runs.at(-1);
  const turns = rules.reduce((sum, line) => sum + line.turns.filter(isTurn).length, 0);
  const newest = last === undefined ? '' : `, the newest ${runMoment(last)}: ${last.headline}`;
  return `${carrierTitle(carrier)} (${of}): ${countNoun(runs.length, 'run')}${newest}; ${countNoun(turns, 'turn')} of a verdict`;
}

export const renderHistoryText = ({ carriers }: History): readonly string[] =>
  carriers.map((carrier) => forTerminal(carrierText(carrier)));

function turnedText({ carrier, turn, run }: CarrierTurn): string {
  const { name, issuer, runs } = carrier;
  const before = runs[turn.before];
  const why = causeWords(turn);
  const from = before === undefined ? turn.from : `${turn.from} (${runMoment(before)})`;
  const words = `${name} (${issuer}): ${turn.rule}, ${turn.level}, turned from ${from} to ${turn.to} (${runMoment(run)})`;
  return why === '' ? words : `${words}; ${why}`;
}

/** A line for each turn, and for each carrier without a run since. */
export const renderNews = ({ turned, silent }: HistoryNews): readonly string[] =>
  [
    ...turned.map(turnedText),
    ...silent.map(
      ({ carrier: { name, issuer }, newest }) =>
        `${name} (${issuer}): no run since then; the newest is of ${runMoment(newest)}`,
    ),
  ].map((line) => forTerminal(line));

/** The history as one JSON document, one carrier, edition or matrix per line. */
export function* renderHistoryJson({ carriers, editions, matrices }: History): Iterable<string> {
  yield `{\n"format":${forJson('carrierspec-history')},\n"version":1,\n`;
  const lists = Object.entries({ editions, carriers, matrices });
  for (const [at, [name, values]] of lists.entries()) {
    yield `"${name}":[`;
    yield* renderJsonLines(values);
    yield at === lists.length - 1 ? '\n]\n}\n' : '\n],\n';
  }
}
