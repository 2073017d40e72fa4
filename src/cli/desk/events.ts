import type { Json } from '../../lib/json.ts';
import type { Expectation } from '../../suite/expectations/expectation.ts';
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

/** The first two steps of the first case that raises an event so and awaits it at once. */
function findRaising(action: string, { cases }: Suites): readonly [trigger: Step, awaits: Step] {
  for (const { area, receiver, eventReceiver = [], steps } of cases) {
    const [first, second] = steps;
    if (area !== 'events' || receiver.length + eventReceiver.length > 0) continue;
    if (first === undefined || second === undefined) continue;
    if (raises(first, action) && awaitsDelivery(second)) return [first, second];
  }
  throw usageError(`--trigger: no case of the suites awaits an event after ${action}`);
}

/**
 * What the suites expect of an event that came. That one comes is not judged: a carrier drops one that is like another of the last
 * 60 minutes (§6), and this command does not know of those.
 */
const expectationsOf = ({ expectations }: Step): readonly Expectation[] =>
  expectations.flatMap(({ outcome: _, count, ...rest }) => (count === undefined && hasContent(rest) ? [rest] : []));

const isOfAnybody = ({ equals }: Expectation): boolean => equals?.some(([path]) => path === 'set.sub') !== true;

const hasContent = ({ equals, checks }: Omit<Expectation, 'outcome' | 'count'>): boolean =>
  equals !== undefined || checks !== undefined;

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
  const own = asked([keys]);
  if (action === undefined) {
    const whom = `about subscriber ${who?.name ?? subscriber}, for client ${client}`;
    const awaiting = `event ${whom}, at ${eventUri ?? 'no event_uri'} of the receiver, for ${within ?? usualWithin}`;
    const until = `now + ${within ?? usualWithin}`;
    const { steps } = asked([{ as: 'event', await: 'events', ...given({ event: kind }), until, expect: 'delivered' }]);
    const isChange = kind === undefined || kind === 'device_change';
    // Whose event it is is not known: it may be about anybody.
    const expectations = isChange ? expectationsOf(findRaising('move-sim', suites)[1]).filter(isOfAnybody) : [];
    const awaits = steps.map((step) => ({
      ...step,
      control: expectations.length === 0,
      ...(expectations.length === 0 ? {} : { expectations }),
    }));
    return { case: { ...own, steps: [...awaits, ...own.steps] }, awaiting, ...common };
  }
  if (kind !== undefined) throw usageError('--kind: with --trigger the kind is that of the trigger');
  if (within !== undefined) throw usageError('--within: with --trigger it waits as long as target.latency.event says');
  const [trigger, awaits] = findRaising(action, suites);
  const event = { ...awaits, expectations: expectationsOf(awaits) };
  return { case: { ...own, steps: [trigger, event, ...own.steps] }, ...common };
}

/** `carrierspec events`: one event (§6), raised by the driver or by somebody else, judged. Gives the exit code. */
export const eventsCommand = (flags: Flags, invocation: Invocation): Promise<number> =>
  deskCommand(flags, invocation, chooseEvent);
