import { isTrigger } from '../../suite/verbs/trigger.ts';
import type { Client } from '../../model/target.ts';
import type { Case } from '../../suite/suites.ts';

/** A step that may raise events. */
interface Raising {
  readonly name: string;
  readonly action: string;
}

/** The last step by which a case raises events before a step; where none is named, the last of all. */
export function raisingStep({ steps }: Pick<Case, 'steps'>, before?: string): Raising | undefined {
  const end = before === undefined ? steps.length : steps.findIndex(({ name }) => name === before);
  const raising = steps
    .slice(0, end)
    .flatMap(({ name, act }): Raising[] =>
      isTrigger(act) && act.definition?.raisesEvents === true ? [{ name, action: act.action }] : [],
    );
  return raising.at(-1);
}

/** The name of a step that awaits events, over all cases of a run. */
export const missedEvent = ({ id }: Pick<Case, 'id'>, step: string): string => `${id} ${step}`;

/** The name of the events for a client that a case raises before a step, over all cases of a run. */
export const firstEvent = ({ name }: Pick<Client, 'name'>, given: Pick<Case, 'steps'>, before?: string): string =>
  `${name} ${raisingStep(given, before)?.action ?? 'nothing'}`;
