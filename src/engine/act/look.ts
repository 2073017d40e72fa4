import type { LookObservation } from '../../judge/observation.ts';
import { isJsonObject, type Json } from '../../lib/json.ts';
import type { Act } from '../../suite/verbs/table.ts';
import type { Step } from '../../suite/suites.ts';
import { defined } from '../../lib/optional.ts';
import { type CaseContext, Unmet } from '../context/case-context.ts';
import { drive, kindOf, lookInPerson, requireDriver, subjectOf } from '../drive/drive.ts';
import type { Drive } from '../drive/driver.ts';

type Seen = Pick<LookObservation, 'card' | 'said' | 'message' | 'summary'>;

const cardOf = (body: Json): Json => (isJsonObject(body) && 'card' in body ? (body['card'] ?? null) : body);

/** What a driver tells of the phone. */
async function lookByDriver(order: Drive, ctx: CaseContext): Promise<Seen> {
  const { missingBody } = kindOf(requireDriver(order.action, ctx));
  const { done, body, message, summary } = await drive(order, ctx);
  if (done && body === undefined && missingBody !== undefined) {
    throw new Unmet(`the driver for look ${missingBody}: ${summary}`);
  }
  const card = done && body !== undefined ? cardOf(body) : { shown: false };
  return { card, summary: 'what the phone shows', ...defined({ message }) };
}

/** `look`: what the phone shows of a request. */
export async function look(
  { of }: Act & { readonly verb: 'look' },
  step: Step,
  ctx: CaseContext,
): Promise<LookObservation> {
  const sentAt = ctx.now() / 1000;
  const order: Drive = { action: 'look', of, step: step.name };
  const sent = subjectOf(of, ctx);
  const inPerson = await lookInPerson(order, step, ctx);
  const seen: Seen =
    inPerson === undefined
      ? await lookByDriver(order, ctx)
      : { card: inPerson.card, ...defined({ said: inPerson.said }), summary: 'what the operator saw' };
  return { kind: 'look', step: step.name, sentAt, ...seen, ...defined({ sent }) };
}
