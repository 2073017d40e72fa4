import { defined } from '../../lib/optional.ts';
import { suggestion } from '../../lib/suggest.ts';
import { actionNames, findAction } from '../../model/action.ts';
import type { TemplateMap } from '../../model/suite.ts';
import { reportAt } from '../compile/context.ts';
import { anyText, checked, described, either, flag, members, type ReadContext } from '../grammar/grammar.ts';
import { name, values } from '../grammar/shared.ts';
import { type Cursor, text } from '../yaml/cursor.ts';
import { defineVerb, describeMap, describeName } from './define.ts';
import { checkReference, checkRequest, ofKey } from './references.ts';

const actionName = checked(anyText(), checkAction);

const mappingShape = members(
  {
    action: described(actionName, 'The name of the action.'),
    of: ofKey,
    with: values('Values for the action.'),
    ifPossible: flag({ description: 'The action may be impossible (the push is gone), which is fine.' }),
    subscriber: name('Another subscriber, by tag.', 'second'),
  },
  { title: 'trigger', required: ['action'] },
);

export interface Trigger {
  readonly action: string;
  readonly of?: string;
  readonly with: TemplateMap;
  readonly ifPossible: boolean;
  /** Another subscriber, by tag. */
  readonly subscriber?: string;
}

/** Actions that are about a pending request: the one `of` names, else that of the last authorize step. */
const aboutRequest = new Set(['approve', 'deny', 'ignore']);

function checkAction(action: string, cursor: Cursor, { report }: ReadContext): void {
  if (actionNames.has(action)) return;
  const hint = suggestion(action, actionNames);
  reportAt(cursor, { report }, { code: 'unknown-name', message: `there is no action "${action}"`, hint });
}

/** Makes something happen at the carrier or on the phone. */
export const trigger = defineVerb({
  verb: 'trigger',
  description: 'Make something happen.',
  value: either(actionName, mappingShape, { title: 'an action or a mapping' }),
  keys: { of: ofKey },
  outcomes: [],
  expectations: [],
  members: ['status', 'body', 'done', 'summary', 'sentAt'],
  compile: ({ value, keys }): Trigger => {
    const {
      action = '',
      of = keys.of,
      with: given = [],
      ifPossible = false,
      subscriber,
    } = typeof value === 'string' ? { action: value } : value;
    return {
      action,
      with: given,
      ifPossible,
      ...defined({ of: of === undefined ? undefined : text(of), subscriber }),
    };
  },
  check: ({ place, value, keys }, { action }, context) => {
    const of = (typeof value === 'string' ? undefined : value.of) ?? keys.of;
    if (aboutRequest.has(action)) checkRequest(of, place, context);
    else checkReference(of, context);
  },
  requires: ({ action, subscriber }) => {
    // A change that the case cannot undo would be in the way of every case after it.
    const undo = findAction(action)?.undo;
    return [
      `action:${action}`,
      ...(undo === undefined ? [] : [`action:${undo}`]),
      ...(subscriber === undefined ? [] : [`subscriber:${subscriber}`]),
    ];
  },
  exclusive: ({ action }) => {
    const mutates = findAction(action)?.mutates;
    return mutates === 'subscriber' || mutates === 'client';
  },
  describe: ({ action, of, with: given, ifPossible, subscriber }, show) => ({
    act: `${findAction(action)?.description ?? action}${of === undefined ? '' : ` (of step ${of})`}${ifPossible ? ', if that is possible' : ''}`,
    details: [...describeName('the subscriber is', subscriber), ...describeMap('with ', given, show)],
  }),
});
