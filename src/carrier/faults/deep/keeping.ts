import { stringMember } from '../../json.ts';
import { leaveOut } from '../edit/messages.ts';
import type { Edit } from '../edit/define.ts';
import { withBuilders } from '../edit/parts.ts';

/** Keeps a claim that passed the checks in this form; undefined: not at all. */
export function keeping(claim: string, form: (value: string) => string | undefined): Edit {
  return withBuilders(({ claims }) => ({
    claims: (context) => {
      const built = claims(context);
      const value = stringMember(built, claim);
      if (value === undefined) return built;
      const kept = form(value);
      return kept === undefined ? leaveOut(built, claim) : { ...built, [claim]: kept };
    },
  }));
}
