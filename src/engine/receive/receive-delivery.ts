import type { ReceiverResponse } from '../../model/suite.ts';
import { defaultResponse } from '../../model/target.ts';
import type { Inbound } from '../../wire/receive.ts';
import { createRedactor } from '../../wire/redact.ts';
import { inTimeline } from '../clock/timeline.ts';
import type { CaseContext, World } from '../context/case-context.ts';
import { nextMessageId } from '../context/open-context.ts';
import { type Parsed, parseDelivery } from './observe-delivery.ts';
import { recipientOf } from './recipient.ts';
import { record } from './record-delivery.ts';

/** Unsolicited deliveries that are kept in full. */
const mostUnsolicited = 100;

function keepUnsolicited(parsed: Parsed, { state: { unsolicited } }: World): ReceiverResponse {
  if (unsolicited.length < mostUnsolicited) {
    const id = `stray#${unsolicited.length + 1}`;
    unsolicited.push(record({ id, response: defaultResponse }, parsed, createRedactor()));
  }
  return defaultResponse;
}

/** The response, after the time it is to take. */
async function delayed(response: ReceiverResponse, ctx: CaseContext): Promise<ReceiverResponse> {
  if (response.delay === undefined) return response;
  const { state } = ctx.world;
  state.held += 1;
  try {
    await ctx.wait({ due: ctx.now() + response.delay * 1000, for: 'our own delayed answer' });
  } finally {
    state.held -= 1;
  }
  return response;
}

/** What the receiver does with a delivery: finds its case, records and judges it, and responds as the case says. */
export const onDelivery = (inbound: Inbound, world: World): Promise<ReceiverResponse> =>
  inTimeline(world.timeline, async () => {
    world.state.deliveries += 1;
    const parsed = parseDelivery(inbound);
    const recipient = recipientOf(parsed, world);
    if (recipient === undefined) return keepUnsolicited(parsed, world);
    const { ctx, step, accept } = recipient;
    const response = recipient.respond();
    const id = nextMessageId(ctx, 'delivery');
    ctx.state.messages.push(record({ id, response, step }, parsed, ctx.redactor));
    inTimeline(world.timeline, async () => accept(id)).catch(world.onInternalError);
    return delayed(response, ctx);
  });
