import { memberOf } from '../../lib/json.ts';
import type { Level } from '../../model/rule.ts';
import { type Arrived, type RequestObject, requestMembers, type World } from './claims.ts';

export type Answer = 'accepted' | 'denied' | 'dropped';

/** What a carrier that conforms may do with a request object that is signed as registered and sent as §2.2 says. */
interface Prediction {
  readonly outcomes: ReadonlySet<Answer>;
  /** The required rules that it breaks: one of them is named in the response. */
  readonly broken: readonly string[];
  /** What the interface leaves open, or only recommends, in it. */
  readonly open: readonly string[];
}

const any: ReadonlySet<Answer> = new Set(['accepted', 'denied', 'dropped']);
const refused: ReadonlySet<Answer> = new Set(['denied', 'dropped']);
const accepted: ReadonlySet<Answer> = new Set(['accepted']);

/**
 * The rules of each member: what is refused by a required rule is never accepted, and what breaks nothing and leaves nothing
 * open always is (§2.2, §2.3, §2.12).
 */
export function predict(object: RequestObject, world: World, levelOf: (rule: string) => Level | undefined): Prediction {
  const client = world.clients.find(({ clientId }) => clientId === object.claims['client_id']);
  const arrived: Arrived = { ...object, world, client };
  const broken = new Set<string>();
  const open = new Set<string>();
  for (const { in: part, name, shown = [], known = [], open: unsaid = [] } of requestMembers) {
    const value = memberOf(object[part], name);
    for (const [rule, , holds, tolerated] of shown) {
      if (holds(value, object)) continue;
      (levelOf(rule) === 'required' && tolerated?.(value) !== true ? broken : open).add(rule);
    }
    for (const [rule, holds] of known)
      if (!holds(value, arrived)) (levelOf(rule) === 'required' ? broken : open).add(rule);
    for (const [rule, holds] of unsaid) if (!holds(value, arrived)) open.add(rule);
  }
  const outcomes = broken.size > 0 ? refused : open.size > 0 ? any : accepted;
  return { outcomes, broken: [...broken], open: [...open] };
}
