import type { CarrierHistory, History, Turn } from '../../compare/history/lines.ts';
import { isTurn } from '../../compare/history/turns.ts';
import type { Markup } from '../html/markup.ts';
import { causeWords, turnMarks } from './parts.ts';

interface ShownTurn {
  readonly carrier: CarrierHistory;
  readonly turn: Turn;
  readonly marks: Markup;
  readonly words: string;
}

/** Turns on the page. */
const mostTurns = 50;

/** What turned at one carrier, the newest first. */
const turnsOf = (carrier: CarrierHistory): readonly ShownTurn[] =>
  carrier.rules
    .flatMap(({ turns }) => turns.filter(isTurn))
    .toSorted((one, other) => other.at - one.at)
    .map((turn) => ({ carrier, turn, marks: turnMarks(turn), words: causeWords(turn) }));

const momentOf = ({ carrier, turn }: ShownTurn): number => Date.parse(carrier.runs[turn.at]?.startedAt ?? '');

/** The newest turns of all carriers. */
export const recentTurns = ({ carriers }: History): readonly ShownTurn[] =>
  carriers
    .flatMap(turnsOf)
    .toSorted((one, other) => momentOf(other) - momentOf(one))
    .slice(0, mostTurns);
