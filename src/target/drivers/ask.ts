import { at } from '../../suite/yaml/document.ts';
import type { AskDriver } from '../../model/target.ts';
import { described, json, object } from '../../suite/grammar/grammar.ts';
import { duration } from '../grammar/values.ts';
import { readTimeout } from '../reader.ts';
import { compileText } from '../templates.ts';
import { defineDriverKind } from './define.ts';

/** Seconds in which a person finds the phone. */
const defaultTimeout = 120;

export const askKind = defineDriverKind({
  kind: 'ask',
  grammar: object({
    ask: json({
      type: ['string', 'boolean'],
      minLength: 1,
      title: 'a sentence or true',
      description: 'The operator does it: what to say, with templates, or true for the words of the action.',
    }),
    timeout: described(duration, 'How long the operator (default 2m) or the function of a module (default 30s) has.'),
  }),
  description: 'the operator, who is asked',
  attended: true,
  canDriveClock: false,
  load: ({ ask, cursor }, reader): AskDriver => {
    if (ask?.value === false) reader.complain(ask, 'bad-value', '"ask" must be a sentence or true, not false');
    return {
      kind: 'ask',
      ...(typeof ask?.value === 'string' ? { description: compileText(ask, reader) } : {}),
      timeout: readTimeout(at(cursor, 'timeout'), reader) ?? defaultTimeout,
      env: reader.env,
    };
  },
});
