import type { LimitProbe } from '../../model/limit.ts';
import type { Step } from '../../suite/suites.ts';
import { isUnreachable } from '../act/judge-step.ts';
import { perform } from '../act/verb.ts';
import { awaitDenied } from '../case/deliveries.ts';
import { denyPending } from '../drive/deny-pending.ts';
import { type CaseContext, Unmet } from '../context/case-context.ts';
import { closeInboxes } from '../context/inbox.ts';
import type { Measured } from './limit.ts';
import { bindProbe, constant } from './probe.ts';

/** Seconds that the requests live: all of them have to wait at the same time. */
const life = 300;

/** One more valid request, which is left alone. */
async function leaveOne(name: string, ctx: CaseContext): Promise<Omit<LimitProbe, 'at'>> {
  const { position } = ctx.case;
  const difference = bindProbe({ claims: [['expires_in', constant(life, position)]] }, 0, position);
  const act = ctx.world.interface.validRequest(difference);
  const step: Step = { name, position, act, control: false, expectations: [], record: [] };
  const response = await perform(step, ctx);
  if (response.kind !== 'response') throw new TypeError('a valid request has a response');
  if (isUnreachable(response)) throw new Unmet(response.summary);
  return { held: response.outcome === 'accepted', response: ctx.redactor.text(response.summary) };
}

async function denyAll(ctx: CaseContext): Promise<void> {
  await denyPending(ctx);
  await awaitDenied(ctx);
  closeInboxes(ctx);
}

/** How many requests a carrier lets wait for one subscriber: valid ones are left alone until one is refused, and denied then. */
export async function fillUp(most: number, ctx: CaseContext): Promise<Measured> {
  const probes: LimitProbe[] = [];
  try {
    while (probes.length < most && probes.every(({ held }) => held)) {
      const at = probes.length + 1;
      probes.push({ at, ...(await leaveOne(`waiting${at}`, ctx)) });
    }
  } finally {
    await denyAll(ctx);
  }
  const value = probes.filter(({ held }) => held).length;
  if (value === 0) return { state: 'nothing', value: 1, probes };
  return { state: value === most ? 'beyond' : 'limit', value, uncertainty: 0, probes };
}
