import type { Difference } from '../../model/suite.ts';
import { reportAt } from '../compile/context.ts';
import { described, either, placed, word } from '../grammar/grammar.ts';
import { defineVerb } from './define.ts';
import {
  compileDifference,
  describeDifference,
  differenceShape,
  orNothing,
  requiresOfDifference,
} from './difference.ts';
import { checkReference, exchangeMembers, repeatKeys } from './references.ts';

const eachOrMapping = { title: 'a mapping, or "each"' };

/** Sends a request object (§2.3). */
export const authorize = defineVerb({
  verb: 'authorize',
  description:
    'Send a request object; the keys are its deliberate differences from the base request. `each` takes the row of the case.',
  value: described(placed(either(word(['each'], eachOrMapping), differenceShape, eachOrMapping)), {}),
  keys: repeatKeys,
  outcomes: ['accepted', 'denied', 'denied-or-dropped', 'at-most-one', 'answered'],
  expectations: ['echo', 'error', 'status', 'like', 'latencyLike'],
  members: [...exchangeMembers, 'claims', 'header', 'jws', 'granted'],
  makes: ['request', 'object'],
  compile: ({ place }, context): { readonly difference: Difference } => {
    if (place.value === 'each' && context.row === undefined) {
      reportAt(place, context, { code: 'unknown-name', message: 'this case has no "each" to take a row from' });
    }
    const source = place.value === 'each' ? context.row : place;
    const read = source === undefined ? undefined : differenceShape.read(source);
    return { difference: read === undefined ? {} : compileDifference(read, context) };
  },
  check: ({ place }, _act, context) => {
    const source = place.value === 'each' ? context.row : place;
    if (source !== undefined) checkReference(differenceShape.read(source)?.again, context);
  },
  requires: ({ difference }) => requiresOfDifference(difference),
  describe: ({ difference }, show) => ({
    act: 'a request object is sent',
    details: orNothing(describeDifference(difference, show)),
  }),
});
