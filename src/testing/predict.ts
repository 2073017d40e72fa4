import { type Json, memberOf } from '../lib/json.ts';
import type { Level } from '../model/rule.ts';
import {
  type Arrived,
  type Member,
  type RequestObject,
  requestMembers,
  type World,
} from '../interfaces/server-initiated/claims.ts';

export type Answer = 'accepted' | 'denied' | 'dropped';

/** Allowed responses of a conforming carrier to a request object, signed as registered and sent as §2.2 says. */
interface Prediction {
  readonly outcomes: ReadonlySet<Answer>;
  /** Required rules that it breaks: the response names one of them. */
  readonly broken: readonly string[];
  /** Rules about it that the interface leaves open or only recommends. */
  readonly open: readonly string[];
}

const any: ReadonlySet<Answer> = new Set(['accepted', 'denied', 'dropped']);
const refused: ReadonlySet<Answer> = new Set(['denied', 'dropped']);
const accepted: ReadonlySet<Answer> = new Set(['accepted']);

interface Failing {
  readonly rule: string;
  /** The interface leaves it open, or a carrier may still accept it. */
  readonly isOpen: boolean;
}

/** Rules of a member that its value breaks. */
function failing({ shown = [], known = [], open = [] }: Member, value: Json | undefined, arrived: Arrived): Failing[] {
  return [
    ...shown
      .filter(([, , holds]) => !holds(value, arrived))
      .map(([rule, , , tolerated]) => ({ rule, isOpen: tolerated?.(value) === true })),
    ...known.filter(([, holds]) => !holds(value, arrived)).map(([rule]) => ({ rule, isOpen: false })),
    ...open.filter(([, holds]) => !holds(value, arrived)).map(([rule]) => ({ rule, isOpen: true })),
  ];
}

/** Predicts from the rules of each member whether a conforming carrier must or may refuse (§2.2, §2.3, §2.12). */
export function predict(object: RequestObject, world: World, levelOf: (rule: string) => Level | undefined): Prediction {
  const client = world.clients.find(({ clientId }) => clientId === object.claims['client_id']);
  const arrived: Arrived = { ...object, world, client };
  const rows = requestMembers.flatMap((member) => failing(member, memberOf(object[member.in], member.name), arrived));
  const isBroken = ({ rule, isOpen }: Failing): boolean => !isOpen && levelOf(rule) === 'required';
  const rulesOf = (some: readonly Failing[]): readonly string[] => [...new Set(some.map(({ rule }) => rule))];
  const broken = rulesOf(rows.filter(isBroken));
  const open = rulesOf(rows.filter((row) => !isBroken(row)));
  return { outcomes: broken.length > 0 ? refused : open.length > 0 ? any : accepted, broken, open };
}
