import { plainText } from '../../model/json.ts';
import type { LimitResult, ProfileValue } from '../../model/limit.ts';
import { renderRuleRef, type RuleRef } from '../../model/rule.ts';

/** A limit or a behaviour of the profile in English. Nothing in it is made safe for where it is shown yet. */
export interface Measured {
  readonly name: string;
  /** What is open, of a behaviour; what was looked for, of a limit. */
  readonly about: string;
  /** What came of it: `refuses iat older than 300 s ± 2 s`, `denied 400`, `not seen, needs a driver`. */
  readonly found: string;
  /** Whether that is something about the carrier. */
  readonly isSeen: boolean;
  readonly rules: readonly RuleRef[];
}

export const limitInWords = ({ name, title, words, state, rules }: LimitResult): Measured => ({
  name,
  about: title,
  found: words,
  isSeen: state !== 'unmeasured',
  rules,
});

/** A recorded null is what came: nothing. A value that is absent was not seen, and has a reason. */
export const behaviourInWords = ({ name, description, value, reason, rules }: ProfileValue): Measured => ({
  name,
  about: description,
  found: value === undefined ? `not seen, ${reason ?? 'nobody knows why'}` : plainText(value ?? 'nothing'),
  isSeen: value !== undefined,
  rules,
});

/** `  (REQ-009, RSP-003#shape)`, or nothing where there is no rule. */
export const rulesInBrackets = (rules: readonly RuleRef[]): string =>
  rules.length === 0 ? '' : `  (${rules.map(renderRuleRef).join(', ')})`;
