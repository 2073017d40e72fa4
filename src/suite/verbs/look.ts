import { word } from '../grammar/grammar.ts';
import { text } from '../yaml/cursor.ts';
import { defineVerb } from './define.ts';
import { checkRequest, ofKey } from './references.ts';

export interface Look {
  readonly what: 'card';
  readonly of?: string;
}

/** Looks at what the phone shows of a request. */
export const look = defineVerb({
  verb: 'look',
  description: 'Look at what the phone shows.',
  value: word(['card']),
  keys: { of: ofKey },
  outcomes: [],
  expectations: ['card'],
  members: ['card', 'summary', 'sentAt'],
  compile: ({ value, keys: { of } }): Look => {
    const step = of === undefined ? undefined : text(of);
    return { what: value, ...(step === undefined ? {} : { of: step }) };
  },
  check: ({ place, keys: { of } }, _act, context) => checkRequest(of, place, context),
  requires: () => ['action:look'],
  describe: ({ what, of }) => ({
    act: `the tester looks at the ${what} on the phone${of === undefined ? '' : ` (of step ${of})`}`,
    details: [],
  }),
});
