import { type Cursor, cursorText } from '../yaml/document.ts';
import { omitUndefined } from '../../lib/json.ts';
import { suggestKnown } from '../../lib/suggestion.ts';
import type { Action } from '../../model/action.ts';
import type { TemplateMap } from '../../model/suite.ts';
import { reportAt } from '../context.ts';
import { anyText, checked, described, either, flag, members, type ReadContext } from '../grammar/grammar.ts';
import { kebabName, values } from '../grammar/common-shapes.ts';
import { type AnyAct, defineVerb, describeMap, describeName, checkReference, checkRequest, ofShape } from './verb.ts';

const actionName = (actions: readonly Action[]) =>
  checked(anyText(), (name, cursor, { report }: ReadContext) => {
    const known = actions.map((one) => one.name);
    if (known.includes(name)) return;
    const hint = suggestKnown(name, known);
    reportAt(cursor, { report }, { code: 'unknown-name', message: `there is no action "${name}"`, hint });
  });

const triggerShape = (actions: readonly Action[]) =>
  members(
    {
      action: described(actionName(actions), 'The name of the action.'),
      of: ofShape,
      with: values('Values for the action.'),
      ifPossible: flag({ description: 'The action may be impossible (the push is gone), which is fine.' }),
      subscriber: kebabName('Another subscriber, by tag.', 'second'),
    },
    { title: 'trigger', required: ['action'] },
  );

export interface Trigger {
  readonly action: string;
  /** The action's definition in the interface. */
  readonly definition?: Action;
  readonly of?: string;
  readonly with: TemplateMap;
  readonly ifPossible: boolean;
  /** Another subscriber, by tag. */
  readonly subscriber?: string;
}

interface WrittenTrigger {
  readonly action?: string | undefined;
  readonly of?: Cursor | undefined;
  readonly with?: TemplateMap | undefined;
  readonly ifPossible?: boolean | undefined;
  readonly subscriber?: string | undefined;
}

function compileTrigger(written: WrittenTrigger, actions: readonly Action[]): Trigger {
  const { action = '', of, with: given = [], ifPossible = false, subscriber } = written;
  const definition = actions.find((one) => one.name === action);
  return {
    action,
    with: given,
    ifPossible,
    ...omitUndefined({ definition, of: of === undefined ? undefined : cursorText(of), subscriber }),
  };
}

/** Requirements of a trigger, including the undo, because a change left behind would disturb every later case. */
const triggerRequirements = ({ action, definition, subscriber }: Trigger): readonly string[] => [
  `action:${action}`,
  ...(definition?.undo === undefined ? [] : [`action:${definition.undo}`]),
  ...(subscriber === undefined ? [] : [`subscriber:${subscriber}`]),
];

/** Verb that makes something happen at the carrier or on the phone. */
export const defineTrigger = (actions: readonly Action[]) =>
  defineVerb({
    verb: 'trigger',
    description: 'Make something happen.',
    value: either(actionName(actions), triggerShape(actions), { title: 'an action or a mapping' }),
    keys: { of: ofShape },
    sends: false,
    outcomes: [],
    expectations: [],
    members: ['status', 'body', 'done', 'summary', 'sentAt'],
    compile: ({ value, keys }) => {
      const { of = keys.of, ...given } = typeof value === 'string' ? { action: value } : value;
      return compileTrigger({ of, ...given }, actions);
    },
    check: ({ place, value, keys }, { definition }, context) => {
      const of = (typeof value === 'string' ? undefined : value.of) ?? keys.of;
      if (definition?.ofRequest === true) checkRequest(of, place, context);
      else checkReference(of, context);
    },
    requires: triggerRequirements,
    exclusive: ({ definition }) => {
      const mutates = definition?.mutates;
      return mutates === 'subscriber' || mutates === 'client';
    },
    risks: ({ definition }) => (definition?.mutates === 'client' || definition?.mutates === 'keys' ? ['changes'] : []),
    describe: ({ action, definition, of, with: given, ifPossible, subscriber }, show) => ({
      act: `${definition?.description ?? action}${of === undefined ? '' : ` (of step ${of})`}${ifPossible ? ', if that is possible' : ''}`,
      details: [...describeName('the subscriber is', subscriber), ...describeMap('with ', given, show)],
    }),
  });

export const isTrigger = (act: AnyAct): act is AnyAct & Trigger => act.verb === 'trigger';
