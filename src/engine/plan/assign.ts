import type { RunnableInterface, Assignment } from '../context/case-context.ts';
import type { Target } from '../../model/target.ts';
import { findClient } from '../../target/registrations.ts';
import { firstInapplicable, firstMissing, missingAttribute, undeclared } from './requirements.ts';
import { type Chosen, spread } from './spread.ts';
import type { Case, Suites } from '../../suite/suites.ts';

/** A case with its assignment. */
export interface Runs {
  readonly case: Case;
  readonly assignment: Assignment;
}

/** Why a case does not run. */
export interface Unplanned {
  readonly case: Case;
  readonly verdict: 'not-run' | 'not-applicable';
  readonly reason: string;
}

export type Planned = Runs | Unplanned;

export const runs = (planned: Planned): planned is Runs => 'assignment' in planned;

const describeClient = (wanted: Case['client']): string =>
  typeof wanted === 'string'
    ? `a client ${wanted}`
    : `a client with ${Object.entries(wanted)
        .map(([flag, on]) => `${flag} ${on ? 'on' : 'off'}`)
        .join(', ')}`;

interface Planning {
  readonly target: Target;
  readonly chosen: Chosen;
  readonly interface: RunnableInterface;
}

function planOne(given: Case, { target, chosen, interface: certified }: Planning): Planned {
  const notRun = (missing: string): Planned => ({ case: given, verdict: 'not-run', reason: `needs ${missing}` });
  const declared = undeclared(given, target) ?? missingAttribute(given, target, certified);
  if (declared !== undefined) return { case: given, verdict: 'not-applicable', reason: declared };
  const client = findClient(given, target);
  if (client === undefined) return notRun(describeClient(given.client));
  const pointless = firstInapplicable(given, target, client);
  if (pointless !== undefined) return { case: given, verdict: 'not-applicable', reason: pointless };
  const subscriber = chosen.get(given.id);
  if (subscriber === undefined) return notRun(`a subscriber ${given.subscriber}`);
  const missing = firstMissing(given, target, client);
  if (missing !== undefined) return notRun(missing);
  return {
    case: given,
    assignment: { client, subscriber, second: target.clients.find(({ name }) => name === 'second') },
  };
}

/** Assigns client and subscriber to every selected case, in the order of the suites; a selection does not change assignments. */
export function planRun(
  { cases }: Pick<Suites, 'cases'>,
  target: Target,
  { all = cases, interface: certified }: { readonly all?: readonly Case[]; readonly interface: RunnableInterface },
): readonly Planned[] {
  const chosen = spread(all, target, certified);
  return cases.map((given) => planOne(given, { target, chosen, interface: certified }));
}
