import { defined } from '../../lib/optional.ts';
import type { ReceiverResponse } from '../../model/suite.ts';
import { defaultResponse } from '../../model/target.ts';
import type { Inbound } from '../../wire/receive/receive.ts';
import { createRedactor } from '../../wire/record/redact.ts';
import { inTimeline } from '../clock/timeline.ts';
import type { CaseContext, RunState, World } from '../context/case-context.ts';
import { nextMessageId } from '../context/open-context.ts';
import { parseDelivery, record } from './delivery.ts';
import { type Came, type Recipient, recipientOf } from './recipients.ts';

/** Unsolicited deliveries that are kept: of the carrier's, and of those that nothing shows to be the carrier's. */
const mostUnsolicited = 100;

/** Strangers in a second of wall time that are answered; the connections of others are closed. */
const mostInSecond = 1000;

/** Who waits for no answer would leave the run no time. */
function isOneTooMany({ second }: RunState['around']): boolean {
  const now = performance.now();
  if (now - second.begun >= 1000) Object.assign(second, { begun: now, count: 0 });
  second.count += 1;
  return second.count > mostInSecond;
}

function keepUnsolicited({ parsed, through, world }: Came, begun: number): ReceiverResponse {
  const { unsolicited, around } = world.state;
  if (!through) around.count += 1;
  if (!through && isOneTooMany(around)) return { ...defaultResponse, reset: true };
  const kept = unsolicited.filter(({ stranger = false }) => stranger !== through);
  if (kept.length < mostUnsolicited) {
    const id = `unsolicited#${unsolicited.length + 1}`;
    const redactor = createRedactor(world.interface.secretMembers, world.secrets);
    const entry = { id, response: defaultResponse, messages: world.interface.messages };
    const recorded = {
      ...record(entry, parsed, { recorder: world.recorder, redactor }),
      ...(through ? {} : { stranger: true as const }),
    };
    unsolicited.push(recorded);
    world.progress({ kind: 'message', message: recorded, took: performance.now() - begun });
  }
  return defaultResponse;
}

/** The response, after the time it is to take. */
async function delayed(response: ReceiverResponse, ctx: CaseContext): Promise<ReceiverResponse> {
  if (response.delay === undefined) return response;
  const { state } = ctx.world;
  state.held += 1;
  try {
    await ctx.wait({ due: ctx.now() + response.delay * 1000, for: 'our own delayed response' });
  } finally {
    state.held -= 1;
  }
  return response;
}

/** Records a delivery that is for a case, and has it judged. */
function take(
  { ctx, step, accept, respond }: Recipient,
  { parsed, world }: Came,
  begun: number,
): Promise<ReceiverResponse> {
  const response = respond();
  const id = nextMessageId(ctx, 'delivery');
  const entry = { id, response, step, messages: world.interface.messages };
  const attempt = defined({ attempt: ctx.attempt?.name });
  const recorded = { ...record(entry, parsed, { recorder: world.recorder, redactor: ctx.redactor }), ...attempt };
  ctx.state.messages.push(recorded);
  world.progress({ kind: 'message', id: ctx.case.id, message: recorded, took: performance.now() - begun });
  inTimeline(world.timeline, async () => accept(id)).catch(world.onInternalError);
  return delayed(response, ctx);
}

/** Whose a delivery is, and what it is for; nothing where it is for no case. */
async function understand(inbound: Inbound, world: World): Promise<readonly [Came, Recipient | undefined]> {
  const through = world.lock.isThrough(inbound);
  const { bodies } = world;
  const parsed = parseDelivery(inbound, { whose: through ? 'carriers' : 'anybodys', bodies });
  const came = { parsed, through, world };
  const recipient = await recipientOf(came);
  if (recipient === undefined || came.parsed.isSkimmed !== true) return [came, recipient];
  const whole = { ...came, parsed: parseDelivery(inbound, { whose: 'carriers', bodies }) };
  return [whole, await recipientOf(whole)];
}

/**
 * What the receiver does with a delivery: finds its case, records and judges it, and responds as the case says. Only what is for
 * a case counts as something that happens: strangers do not hold up the clock.
 */
export async function onDelivery(inbound: Inbound, world: World): Promise<ReceiverResponse> {
  world.state.deliveries += 1;
  const begun = performance.now();
  const [came, recipient] = await understand(inbound, world);
  if (recipient === undefined) return keepUnsolicited(came, begun);
  return inTimeline(world.timeline, () => take(recipient, came, begun));
}
