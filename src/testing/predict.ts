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

interface Failing {
  readonly rule: string;
  /** The interface leaves it open, or a carrier may accept it all the same. */
  readonly isOpen: boolean;
}

/** The rules of a member that its value does not keep. */
function failing({ shown = [], known = [], open = [] }: Member, value: Json | undefined, arrived: Arrived): Failing[] {
  return [
    ...shown
      .filter(([, , holds]) => !holds(value, arrived))
      .map(([rule, , , tolerated]) => ({ rule, isOpen: tolerated?.(value) === true })),
    ...known.filter(([, holds]) => !holds(value, arrived)).map(([rule]) => ({ rule, isOpen: false })),
    ...open.filter(([, holds]) => !holds(value, arrived)).map(([rule]) => ({ rule, isOpen: true })),
  ];
}

/** The rules of each member that a conforming carrier must refuse, or may, by the interface (§2.2, §2.3, §2.12). */
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
