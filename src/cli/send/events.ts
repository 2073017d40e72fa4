import type { Json } from '../../lib/json.ts';
import type { Target } from '../../model/target.ts';
import type { Expectation } from '../../suite/expectations/expectations.ts';
import type { Step, Suites } from '../../suite/suites.ts';
import { isAwait } from '../../suite/verbs/await.ts';
import { isTrigger } from '../../suite/verbs/trigger.ts';
import { usageError } from '../shared/inputs.ts';
import { type InquiryContext, compileInquiry, dropEmpty, type Inquiry, type SendFlags } from './inquiry.ts';

const isTriggerOf = ({ act }: Step, action: string): boolean =>
  isTrigger(act) && act.action === action && act.with.length === 0 && act.subscriber === undefined;

const awaitsDelivery = ({ act, expectations }: Step): boolean =>
  isAwait(act) && act.what === 'events' && expectations.some(({ outcome }) => outcome === 'delivered');

/** First two steps of the first case that triggers this action and awaits its event at once. */
function findRaising(action: string, { cases }: Suites): readonly [trigger: Step, awaits: Step] {
  for (const { area, receiver, eventReceiver = [], steps } of cases) {
    const [first, second] = steps;
    if (area !== 'events' || receiver.length + eventReceiver.length > 0) continue;
    if (first === undefined || second === undefined) continue;
    if (isTriggerOf(first, action) && awaitsDelivery(second)) return [first, second];
  }
  throw usageError(`--trigger: no case of the suites awaits an event after ${action}`);
}

/** Expectations on a received event; its arrival is not judged, because a carrier drops repetitions (§6). */
const eventExpectations = ({ expectations }: Step): readonly Expectation[] =>
  expectations
    .filter(({ equals, checks, count }) => count === undefined && (equals !== undefined || checks !== undefined))
    .map((expectation) => {
      const { outcome: _, ...rest } = expectation;
      return rest;
    });

const fitsAnySubscriber = ({ equals }: Expectation): boolean => equals?.some(([path]) => path === 'set.sub') !== true;

/** Path and query of a URL or of a path below the receiver. */
const uriTarget = (uri: string): string => {
  const { pathname, search } = new URL(uri, 'http://receiver.test');
  return pathname + search;
};

/** Default wait for an event that nothing triggers. */
const defaultEventWait = '10m';

/** Keys are fetched once the event is there, to judge its signature. */
const keyStep = { as: 'keys', http: { to: 'event_jwks' }, expect: 'accepted', control: true };

const buildEventInquiry = (flags: SendFlags, steps: readonly Json[]): Inquiry =>
  compileInquiry(flags, {
    id: 'events',
    title: 'An event',
    steps,
    step: 'event',
    awaits: 'event',
    mayBeRefused: false,
  });

function chooseAwaited(flags: SendFlags, { suites, target }: InquiryContext): Inquiry {
  const { client, subscriber, event: kind, wait = true } = flags;
  const within = wait === true ? defaultEventWait : wait;
  const who = target.subscribers.find(({ tags }) => tags.includes(subscriber))?.name ?? subscriber;
  const where = findEventUri(target, client) ?? 'no event_uri';
  const awaits = {
    as: 'event',
    await: 'events',
    ...dropEmpty({ event: kind }),
    until: `now + ${within}`,
    expect: 'delivered',
  };
  const inquiry = buildEventInquiry(flags, [awaits, keyStep]);
  const { steps } = inquiry.case;
  const isChange = kind === undefined || kind === 'device_change';
  const expectations = isChange ? eventExpectations(findRaising('move-sim', suites)[1]).filter(fitsAnySubscriber) : [];
  const judged = expectations.length === 0 ? { control: true } : { expectations };
  return {
    ...inquiry,
    case: { ...inquiry.case, steps: steps.map((step, at) => (at === 0 ? { ...step, ...judged } : step)) },
    awaiting: `event about subscriber ${who}, for client ${client}, at ${where} of the receiver, for ${within}`,
  };
}

function chooseRaised(action: string, flags: SendFlags, { suites }: InquiryContext): Inquiry {
  if (flags.event !== undefined)
    throw usageError('--message has an event: with --trigger the trigger sets the event, so leave it out');
  if (flags.wait !== undefined) {
    throw usageError('--wait does not go with --trigger, which waits for target.latency.event');
  }
  const [trigger, awaits] = findRaising(action, suites);
  const inquiry = buildEventInquiry(flags, [keyStep]);
  const event = { ...awaits, expectations: eventExpectations(awaits) };
  return { ...inquiry, case: { ...inquiry.case, steps: [trigger, event, ...inquiry.case.steps] } };
}

const findEventUri = ({ clients }: Target, client: string): string | undefined =>
  clients.find(({ name }) => name === client)?.eventUri;

/** Inquiry for one event (§6), triggered by the driver or from outside. */
export function chooseEvent(flags: SendFlags, atHand: InquiryContext): Inquiry {
  const { target, embedded } = atHand;
  const action = flags.trigger ?? (embedded ? 'move-sim' : undefined);
  const chosen = action === undefined ? chooseAwaited(flags, atHand) : chooseRaised(action, flags, atHand);
  const uri = findEventUri(target, flags.client);
  return uri === undefined ? chosen : { ...chosen, at: uriTarget(uri) };
}
