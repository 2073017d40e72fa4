import { omitUndefined } from '../../lib/json.ts';
import { type PersonAct, unanswered } from '../../model/person-act.ts';
import type { PlannedAct, ProgressEvent } from '../../model/progress.ts';
import type { Operator, OperatorQuestion } from './operator.ts';

type AskedAct = Pick<OperatorQuestion, 'case' | 'step' | 'action'>;

const isSame = (one: AskedAct, { case: id, step, action }: AskedAct): boolean =>
  one.case === id && one.step === step && one.action === action;

/** Counts the acts of people in a run: those begun, and those that the plan still has ahead. */
export interface ActCount {
  /** Takes the plan, and the number of acts that a run that was cut off has answered. */
  readonly plan: (acts: readonly PlannedAct[], answered: number, report: (event: ProgressEvent) => void) => void;
  /** Returns the number of an act and the count of all; an act that is asked again keeps its number. */
  readonly begin: (act: AskedAct) => { readonly number: number; readonly of: number };
  /** Drops the acts that an ended case did not need. */
  readonly end: (id: string) => void;
}

export function createActCount(): ActCount {
  const numbers = new Map<string, number>();
  let ahead: readonly PlannedAct[] = [];
  let [begun, before] = [0, 0];
  let tell: (event: ProgressEvent) => void = () => undefined;
  const report = (): void => {
    const [next] = ahead;
    const of = begun + ahead.length;
    if (of > 0) tell({ kind: 'acts', begun, of, before, ...omitUndefined({ next }) });
  };
  return {
    plan: (acts, answered, to) => {
      ahead = acts;
      begun = before = answered;
      tell = to;
      report();
    },
    begin: (act) => {
      const key = JSON.stringify([act.case, act.step, act.action]);
      const at = ahead.findIndex((one) => isSame(one, act));
      if (at >= 0 || !numbers.has(key)) {
        begun += 1;
        numbers.set(key, begun);
        ahead = ahead.filter((_, index) => index !== at);
        report();
      }
      return { number: numbers.get(key) ?? begun, of: begun + ahead.length };
    },
    end: (id) => {
      const left = ahead.filter((one) => one.case !== id);
      if (left.length === ahead.length) return;
      ahead = left;
      report();
    },
  };
}

/** Gives each question its number when a person gets it. */
export const numberQuestions = (operator: Operator, acts: ActCount): Operator => ({
  ...operator,
  ask: (question, signal, until) => operator.ask({ ...question, place: acts.begin(question) }, signal, until),
});

/** Number of acts that people have answered in these cases. */
export function countAnswered(cases: Iterable<{ readonly acts?: readonly PersonAct[] }>): number {
  let count = 0;
  for (const { acts = [] } of cases) {
    const answered = acts.filter((one) => one.answered !== unanswered);
    count += new Set(answered.map(({ step, action }) => JSON.stringify([step, action]))).size;
  }
  return count;
}
