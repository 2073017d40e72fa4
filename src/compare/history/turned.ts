import type { CarrierHistory, History, HistoryRun, Turn } from './lines.ts';
import { isTurn, isWorse } from './turns.ts';

/** A rule that turned, with the run in which it did. */
export interface Turned {
  readonly carrier: CarrierHistory;
  readonly turn: Turn;
  readonly run: HistoryRun;
  readonly worse: boolean;
}

/** What is new since a moment. */
export interface News {
  /** By carrier, and of each in the order of its runs. */
  readonly turned: readonly Turned[];
  /** Carriers without a run since then, and the newest that they have. */
  readonly silent: readonly { readonly carrier: CarrierHistory; readonly newest: HistoryRun }[];
}

const isSince = ({ startedAt }: HistoryRun, since: number): boolean => Date.parse(startedAt) >= since;

function turnedAt(carrier: CarrierHistory, since: number): readonly Turned[] {
  return carrier.rules
    .flatMap(({ turns }) => turns.filter(isTurn))
    .flatMap((turn) => {
      const run = carrier.runs[turn.at];
      if (run === undefined || !isSince(run, since)) return [];
      return [{ carrier, turn, run, worse: isWorse(turn.to, turn.from) }];
    })
    .toSorted((one, other) => one.turn.at - other.turn.at);
}

/** What turned in runs that began at this moment (milliseconds since the epoch) or later, and who had none. */
export function newsSince({ carriers }: History, since: number): News {
  return {
    turned: carriers.flatMap((carrier) => turnedAt(carrier, since)),
    silent: carriers.flatMap((carrier) => {
      const newest = carrier.runs.at(-1);
      return newest === undefined || isSince(newest, since) ? [] : [{ carrier, newest }];
    }),
  };
}
