import type { CarrierHistory, History } from '../../compare/history/lines.ts';
import { countOf } from '../../lib/lists.ts';
import { forTerminal } from '../shared/sanitize.ts';
import { titleOf, whenOf } from './names.ts';
import { isTurn } from './turns.ts';

function carrierText(carrier: CarrierHistory): string {
  const { runs, rules, interface: of } = carrier;
  const last = runs.at(-1);
  const turns = rules.reduce((sum, line) => sum + line.turns.filter(isTurn).length, 0);
  const newest = last === undefined ? '' : `, the newest ${whenOf(last)}: ${last.outcome}`;
  return `${titleOf(carrier)} (${of}): ${countOf(runs.length, 'run')}${newest}; ${countOf(turns, 'turn')} of a verdict`;
}

/** A line for each carrier. */
export const renderHistoryText = ({ carriers }: History): readonly string[] =>
  carriers.map((carrier) => forTerminal(carrierText(carrier)));
