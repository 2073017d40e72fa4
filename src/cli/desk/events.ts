import type { Json } from '../../lib/json.ts';
import type { Case, Step, Suites } from '../../suite/suites.ts';
import { isAwait } from '../../suite/verbs/await.ts';
import { isTrigger } from '../../suite/verbs/trigger.ts';
import type { eventsDefinition } from '../definitions/desk.ts';
import type { Given } from '../shared/command.ts';
import { usageError } from '../shared/inputs.ts';
import type { Invocation } from '../shared/invocation.ts';
import { deskCommand } from './desk.ts';
import { type AtHand, compileAsked, given, type Inquiry, requireParties } from './inquiry.ts';

type Flags = Given<typeof eventsDefinition>;

const raises = ({ act }: Step, action: string): boolean =>
  isTrigger(act) && act.action === action && act.with.length === 0 && act.subscriber === undefined;

const awaitsDelivery = ({ act, expectations }: Step): boolean =>
  isAwait(act) && act.what === 'events' && expectations.some(({ outcome }) => outcome === 'delivered');

/** The steps of the first case that raises an event so and awaits it at once, with all it expects of it. */
function findRaising(action: string, { cases }: Suites): Case {
  const found = cases.find(
    ({ area, receiver, eventReceiver = [], steps: [first, second] }) =>
      area === 'events' &&
      receiver.length + eventReceiver.length === 0 &&
      first !== undefined &&
      raises(first, action) &&
      second !== undefined &&
      awaitsDelivery(second),
  );
  if (found !== undefined) return found;
  throw usageError(`--trigger: no case of the suites awaits an event after ${action}`);
}

/** Of a URL, or of a path below the receiver. */
const requestTargetOf = (uri: string): string => {
  const { pathname, search } = new URL(uri, 'http://receiver.test');
  return pathname + search;
};

/** Where nobody is told when it comes. */
const usualWithin = '10m';

function chooseEvent(flags: Flags, { suites, target, embedded }: AtHand): Inquiry {
  const { client, subscriber, kind, within } = flags;
  requireParties(flags, target);
  const action = flags.trigger ?? (embedded ? 'move-sim' : undefined);
  const keys = { as: 'keys', http: { to: 'event_jwks' }, expect: 'accepted', control: true };
  const asked = (steps: readonly Json[]): Case =>
    compileAsked({ id: 'events', title: 'An event', client, subscriber, steps });
  const { eventUri } = target.clients.find(({ name }) => name === client) ?? {};
  const at = eventUri === undefined ? undefined : requestTargetOf(eventUri);
  const who = target.subscribers.find(({ tags }) => tags.includes(subscriber));
  const common = { step: 'event', awaits: 'event', at, mayBeRefused: false } as const;
  if (action === undefined) {
    const whom = `about subscriber ${who?.name ?? subscriber}, for client ${client}`;
    const awaiting = `event ${whom}, at ${eventUri ?? 'no event_uri'} of the receiver, for ${within ?? usualWithin}`;
    const until = `now + ${within ?? usualWithin}`;
    const steps = [
      { as: 'event', await: 'events', ...given({ event: kind }), until, expect: 'delivered', control: true },
      keys,
    ];
    return { case: asked(steps), awaiting, ...common };
  }
  if (kind !== undefined) throw usageError('--kind: with --trigger the kind is that of the trigger');
  if (within !== undefined) throw usageError('--within: with --trigger it waits as long as target.latency.event says');
  const { steps, ...raising } = findRaising(action, suites);
  const own = { ...raising, id: 'events', client, subscriber, watched: false, alone: true } as const;
  return { case: { ...own, steps: [...steps.slice(0, 2), ...asked([keys]).steps] }, ...common };
}

/** `carrierspec events`: one event (§6), raised by the driver or by somebody else, judged. Gives the exit code. */
export const eventsCommand = (flags: Flags, invocation: Invocation): Promise<number> =>
  deskCommand(flags, invocation, chooseEvent);
