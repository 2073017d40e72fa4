import { memberOf } from '../../../lib/json.ts';
import type { Level } from '../../../model/rule.ts';
import { requestObjectRules } from '../decode/object-rules.ts';
import { type Arrived, openRules, type RequestObject, tolerated, type World, worldRules } from './world.ts';

export type Answer = 'accepted' | 'denied' | 'dropped';

/** What a carrier that conforms may do with a request object that is signed as registered and sent as §2.2 says. */
export interface Prediction {
  readonly outcomes: ReadonlySet<Answer>;
  /** The required rules that it breaks: one of them is named in the response. */
  readonly broken: readonly string[];
  /** What the interface leaves open, or only recommends, in it. */
  readonly open: readonly string[];
}

interface Row {
  readonly rule: string;
  readonly path: string;
}

const any: ReadonlySet<Answer> = new Set(['accepted', 'denied', 'dropped']);
const refused: ReadonlySet<Answer> = new Set(['denied', 'dropped']);
const accepted: ReadonlySet<Answer> = new Set(['accepted']);

/**
 * The rows of `decode`, which see the object alone, and those that see what the carrier knows (§2.2, §2.3, §2.12): what is
 * refused by a required rule is never accepted, and what breaks nothing and leaves nothing open always is.
 */
export function predict(object: RequestObject, world: World, levelOf: (rule: string) => Level | undefined): Prediction {
  const { header, claims } = object;
  const client = world.clients.find(({ clientId }) => clientId === claims['client_id']);
  const arrived: Arrived = { header, claims, world, client };
  const valueAt = (path: string) => {
    const [part = '', name = ''] = path.split('.');
    return memberOf(part === 'header' ? header : claims, name);
  };
  const failing = [
    ...requestObjectRules.filter(({ path, holds }) => !holds(valueAt(path), object)),
    ...worldRules.filter(({ path, holds }) => !holds(valueAt(path), arrived)),
  ];
  const unsaid = openRules.filter(({ path, holds }) => !holds(valueAt(path), arrived));
  const isRequired = ({ rule, path }: Row): boolean =>
    levelOf(rule) === 'required' && tolerated[rule]?.(valueAt(path)) !== true;
  const broken = failing.filter(isRequired).map(({ rule }) => rule);
  const open = [...failing.filter((row) => !isRequired(row)), ...unsaid].map(({ rule }) => rule);
  const outcomes = broken.length > 0 ? refused : open.length > 0 ? any : accepted;
  return { outcomes, broken: [...new Set(broken)], open: [...new Set(open)] };
}
