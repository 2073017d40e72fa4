import type { Subscriber } from '../../model/target.ts';
import { rememberRules } from '../../suite/suites.ts';
import type { TimedCase } from '../../engine/plan/assign.ts';
import { buildClient } from './keys.ts';
import { buildScenario } from './suite.ts';

/** Facts about a case that a plan uses. */
export interface TimedInput {
  readonly held?: number;
  readonly total?: number;
  readonly rules?: readonly string[];
  /** Its subscriber and other resources; `!` marks exclusive use. */
  readonly wants?: readonly string[];
}

/** A case of a plan, which holds its resources for so many seconds. */
export function buildTimed(
  id: string,
  { held = 0, total = held, rules = [id], wants = ['first'] }: TimedInput,
): TimedCase {
  const [name = '', ...others] = wants;
  const subscriber: Subscriber = { name: name.replace('!', ''), tags: [], subs: {} };
  const locks = [`subscriber:${name}`, ...others.map((one) => (one.includes(':') ? one : `subscriber:${one}`))];
  return {
    planned: {
      case: rememberRules(buildScenario(id), rules),
      assignment: { client: buildClient(), subscriber, second: undefined },
    },
    index: 0,
    time: { held, total, prompt: [], pushes: 0, reaches: [] },
    wants: locks.map((lock) => ({ lock: lock.replace('!', ''), exclusive: lock.endsWith('!') })),
  };
}
