import type { Difference } from '../../model/suite.ts';
import { reportAt } from '../compile/context.ts';
import { either, word } from '../grammar/grammar.ts';
import { at } from '../yaml/cursor.ts';
import { defineVerb, readRow } from './define.ts';
import { describeDifference, differenceShape, orNothing, requiresOfDifference } from './difference.ts';
import { checkReference, exchangeMembers, repeatKeys } from './references.ts';

const eachOrMapping = { title: 'a mapping, or "each"' };

/** Sends a request object (§2.3). */
export const authorize = defineVerb({
  verb: 'authorize',
  description:
    'Send a request object; the keys are its deliberate differences from the base request. `each` takes the row of the case.',
  value: either(word(['each'], eachOrMapping), differenceShape, eachOrMapping),
  keys: repeatKeys,
  outcomes: ['accepted', 'denied', 'denied-or-dropped', 'at-most-one', 'answered'],
  expectations: ['echo', 'error', 'status', 'like', 'latencyLike'],
  members: [...exchangeMembers, 'claims', 'header', 'jws', 'granted'],
  makes: ['request', 'object'],
  compile: ({ place, value }, context): { readonly difference: Difference } => {
    if (value === 'each' && context.row === undefined) {
      reportAt(place, context, { code: 'unknown-name', message: 'this case has no "each" to take a row from' });
    }
    const difference = value === 'each' ? readRow(differenceShape, context) : value;
    checkReference(at(value === 'each' ? (context.row ?? place) : place, 'again'), context);
    return { difference: difference ?? {} };
  },
  requires: ({ difference }) => requiresOfDifference(difference),
  describe: ({ difference }, show) => ({
    act: 'a request object is sent',
    details: orNothing(describeDifference(difference, show)),
  }),
});
