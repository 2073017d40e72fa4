import { type Json, readMember } from '../../lib/json.ts';
import type { Level } from '../../model/rule.ts';
import {
  type ArrivedRequest,
  type RequestMember,
  type DecodedRequest,
  requestMembers,
  type CarrierState,
} from '../../interfaces/server-initiated/claims.ts';

export type PredictedAnswer = 'accepted' | 'denied' | 'dropped';

/** Allowed responses of a conforming carrier to a request object, signed as registered and sent as §2.2 says. */
interface Prediction {
  readonly outcomes: ReadonlySet<PredictedAnswer>;
  /** Required rules that it breaks: the response names one of them. */
  readonly broken: readonly string[];
  /** Rules about it that the interface leaves open or only recommends. */
  readonly open: readonly string[];
}

const anyAnswer: ReadonlySet<PredictedAnswer> = new Set(['accepted', 'denied', 'dropped']);
const refusedAnswers: ReadonlySet<PredictedAnswer> = new Set(['denied', 'dropped']);
const acceptedAnswers: ReadonlySet<PredictedAnswer> = new Set(['accepted']);

interface BrokenMemberRule {
  readonly rule: string;
  /** The interface leaves it open, or a carrier may still accept it. */
  readonly isOpen: boolean;
}

/** Rules of a member that its value breaks. */
function brokenMemberRules(
  { shown = [], known = [], open = [] }: RequestMember,
  value: Json | undefined,
  arrived: ArrivedRequest,
): BrokenMemberRule[] {
  return [
    ...shown
      .filter(([, , holds]) => !holds(value, arrived))
      .map(([rule, , , tolerated]) => ({ rule, isOpen: tolerated?.(value) === true })),
    ...known.filter(([, holds]) => !holds(value, arrived)).map(([rule]) => ({ rule, isOpen: false })),
    ...open.filter(([, holds]) => !holds(value, arrived)).map(([rule]) => ({ rule, isOpen: true })),
  ];
}

/** Predicts from the rules of each member whether a conforming carrier must or may refuse (§2.2, §2.3, §2.12). */
export function predict(
  object: DecodedRequest,
  carrier: CarrierState,
  levelOf: (rule: string) => Level | undefined,
): Prediction {
  const client = carrier.clients.find(({ clientId }) => clientId === object.claims['client_id']);
  const arrived: ArrivedRequest = { ...object, carrier, client };
  const rows = requestMembers.flatMap((member) =>
    brokenMemberRules(member, readMember(object[member.in], member.name), arrived),
  );
  const isBroken = ({ rule, isOpen }: BrokenMemberRule): boolean => !isOpen && levelOf(rule) === 'required';
  const rulesOf = (some: readonly BrokenMemberRule[]): readonly string[] => [...new Set(some.map(({ rule }) => rule))];
  const broken = rulesOf(rows.filter(isBroken));
  const open = rulesOf(rows.filter((row) => !isBroken(row)));
  return { outcomes: broken.length > 0 ? refusedAnswers : open.length > 0 ? anyAnswer : acceptedAnswers, broken, open };
}
