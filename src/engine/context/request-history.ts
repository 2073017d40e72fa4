import type { RequestHistory, ResponseObservation } from '../../judge/observation.ts';
import { textMemberOf } from '../../lib/json.ts';
import { latencyOf } from '../../model/declared.ts';
import type { Driver, Subscriber } from '../../model/target.ts';
import type { CaseContext, RequestInbox, World } from './case-context.ts';
import { resolveUri } from './scope.ts';

/** The name of a request in the log of driver calls: the id that the carrier gave it, else that of its exchange. */
export const requestNameOf = ({ body, message }: ResponseObservation, { interface: { requestId } }: World): string =>
  textMemberOf(body, requestId) ?? message;

/** The subscriber of the target that a request names; undefined where it names none. */
export function subscriberNamedBy({ claims }: ResponseObservation, world: World): Subscriber | undefined {
  const { subscriber: hint } = world.interface.messages.partiesOf(claims ?? {});
  if (hint === undefined) return undefined;
  return world.target.subscribers.find(({ subs, phone }) => phone === hint || Object.values(subs).includes(hint));
}

const isByHand = (driver: Driver | undefined): boolean => driver === undefined || driver.kind === 'ask';

/** A program decides, and no person: a user who asks one thing at the shell may act on the phone beside it. */
const isDriven = ({ case: given, world: { target } }: CaseContext): boolean =>
  given.alone !== true && !isByHand(target.drivers['approve']) && !isByHand(target.drivers['deny']);

/** Resolves when it is known what became of the decisions that are under way: a callback may come before its driver is done. */
export async function decisionsMade(ctx: CaseContext, sent: ResponseObservation): Promise<void> {
  if (isDriven(ctx)) await ctx.world.state.calls.settled(requestNameOf(sent, ctx.world));
}

/** Path and query of a URI as registered; none of one that is no URL. */
function placeOf(uri: string, { receiver }: World): readonly string[] {
  const url = resolveUri(uri, receiver);
  if (!URL.canParse(url)) return [];
  const { pathname, search } = new URL(url);
  return [`${pathname}${search}`];
}

/** The run's driver calls about a request so far. */
export function historyOf({ ctx, deliveries }: RequestInbox, sent: ResponseObservation): RequestHistory {
  const { world } = ctx;
  const { target, state } = world;
  const { sp } = world.interface.messages.partiesOf(sent.claims ?? {});
  const request = requestNameOf(sent, world);
  const subscriber = subscriberNamedBy(sent, world);
  const client = target.clients.find(({ name, clientId }) => name === sent.client && clientId === sp);
  return {
    request,
    calls: state.calls.ofRequest(request),
    ofSubscriber: subscriber === undefined ? [] : state.calls.ofSubscriber(subscriber.name),
    ofClient: client === undefined ? [] : state.calls.ofClient(client.name),
    tags: subscriber?.tags ?? [],
    flags: client?.flags ?? {},
    registered: client?.notificationUris.flatMap((uri) => placeOf(uri, world)) ?? [],
    settles: latencyOf(target).consent,
    earlier: deliveries.length,
    isDriven: client !== undefined && isDriven(ctx),
  };
}
