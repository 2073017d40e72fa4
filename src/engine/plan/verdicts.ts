import { type Level, levels } from '../../model/rule.ts';
import { rulesOf, type Case } from '../../suite/suites.ts';
import type { RunOptions } from '../run-options.ts';
import type { Unplanned } from './assign.ts';
import { type Booked, lengthOf } from './schedule.ts';
import { rulesOfInvariant } from './select.ts';

/** Rules that have their verdict at a moment of the run. */
export interface VerdictsAt {
  /** Seconds from the beginning of the run. */
  readonly after: number;
  /** How many have theirs by then. */
  readonly count: Readonly<Record<Level, number>>;
  /** Ids of those that did not have theirs at the moment before. */
  readonly judged: Readonly<Record<Level, readonly string[]>>;
}

/** When the rules have their verdicts, if nothing is found. */
export interface PlannedVerdicts {
  readonly rules: Readonly<Record<Level, number>>;
  readonly moments: readonly VerdictsAt[];
  /** Ids of rules that only invariants judge: on every message, so that they are known at the end. */
  readonly standing: readonly string[];
  /** Ids of rules that get none, because cases of theirs do not run. */
  readonly never: readonly string[];
}

/** Ten minutes, an hour, four hours, a night. */
const moments = [600, 3600, 4 * 3600, 8 * 3600];

interface Casting {
  readonly booked: readonly Booked[];
  readonly notRun: readonly Unplanned[];
  readonly beyondBudget: readonly Case[];
}

interface Wanted extends Pick<RunOptions, 'selected'> {
  readonly suites: Pick<RunOptions['suites'], 'rules'>;
}

/** A pass counts only when each case of the rule has run. */
function missedBy({ notRun, beyondBudget }: Casting): ReadonlySet<string> {
  const silent = notRun.filter(({ verdict }) => verdict === 'not-run').map((one) => one.case);
  return new Set([...silent, ...beyondBudget].flatMap((given) => [...rulesOf(given)]));
}

/** By rule, when the last of its cases has ended. */
function endsOf(booked: readonly Booked[]): ReadonlyMap<string, number> {
  const ends = new Map<string, number>();
  for (const { planned, ends: at } of booked) {
    for (const rule of rulesOf(planned.case)) ends.set(rule, Math.max(ends.get(rule) ?? 0, at));
  }
  return ends;
}

function standingOf({ invariants, beside }: Wanted['selected']): ReadonlySet<string> {
  const own = invariants.filter(({ id }) => beside?.has(id) !== true);
  return new Set(own.flatMap((one) => [...rulesOfInvariant(one)]));
}

const byLevel = <T>(of: (level: Level) => T): Readonly<Record<Level, T>> => ({
  required: of('required'),
  recommended: of('recommended'),
  informational: of('informational'),
});

export function planVerdicts(casting: Casting, wanted: Wanted): PlannedVerdicts {
  const ends = endsOf(casting.booked);
  const standing = standingOf(wanted.selected);
  const missed = missedBy(casting);
  const known = wanted.suites.rules.filter(
    ({ id }) => wanted.selected.rules.has(id) && (ends.has(id) || standing.has(id) || missed.has(id)),
  );
  const rules = known.filter(({ id }) => !missed.has(id));
  const last = lengthOf(casting.booked);
  const endOf = ({ id }: { readonly id: string }): number => ends.get(id) ?? last;
  const points = [...moments.filter((at) => at < last), last];
  return {
    rules: byLevel((level) => rules.filter((rule) => rule.level === level).length),
    moments: points.map((after, at) => {
      const before = points[at - 1] ?? -1;
      const judgedIn = (level: Level, from: number): readonly string[] =>
        rules.filter((rule) => rule.level === level && endOf(rule) > from && endOf(rule) <= after).map(({ id }) => id);
      return {
        after,
        count: byLevel((level) => judgedIn(level, -1).length),
        judged: byLevel((level) => judgedIn(level, before)),
      };
    }),
    standing: rules.filter(({ id }) => !ends.has(id)).map(({ id }) => id),
    never: levels.flatMap((level) =>
      known.filter((rule) => rule.level === level && missed.has(rule.id)).map(({ id }) => id),
    ),
  };
}
