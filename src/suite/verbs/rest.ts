import type { Action } from '../../model/action.ts';
import { members } from '../grammar/grammar.ts';
import { duration } from '../grammar/shared.ts';
import { type AnyAct, defineVerb } from './define.ts';

export interface Rest {
  readonly since: readonly { readonly action: string; readonly seconds: number }[];
}

/** Waits until actions on the subscriber, of this case or of others before it, are long ago. */
export const defineRest = (actions: readonly Action[]) =>
  defineVerb({
    verb: 'rest',
    description: 'Wait until the last such action on the subscriber, of this case or an earlier one, is so long ago.',
    value: members(Object.fromEntries(actions.map(({ name }) => [name, duration('How long ago it has to be.')])), {
      title: 'rest',
      minProperties: 1,
    }),
    keys: {},
    outcomes: [],
    expectations: [],
    members: ['summary', 'sentAt'],
    compile: ({ value }): Rest => ({
      since: actions.flatMap(({ name: action }) => {
        const seconds = value[action];
        return seconds === undefined ? [] : [{ action, seconds }];
      }),
    }),
    describe: ({ since }) => ({
      act: 'the subscriber is left alone',
      details: since.map(({ action, seconds }) => `until the last ${action} is ${seconds / 60} minutes ago`),
    }),
  });

export const isRest = (act: AnyAct): act is AnyAct & Rest => act.verb === 'rest';
