import { cursorText } from '../../../suite/yaml/document.ts';
import { defineStepVerb } from '../../../engine/act/verb.ts';
import { type CaseContext, Unmet } from '../../../engine/context/case-context.ts';
import {
  driveAction,
  driverKind,
  askPhoneContent,
  requireDriver,
  referredResponse,
} from '../../../engine/drive/drive.ts';
import type { DriveOrder } from '../../../engine/drive/driver.ts';
import { planAsk } from '../../../engine/plan/planned-time.ts';
import type { LookObservation } from '../../../judge/observation.ts';
import { isJsonObject, type Json, omitUndefined } from '../../../lib/json.ts';
import { word } from '../../../suite/grammar/grammar.ts';
import type { Step } from '../../../suite/suites.ts';
import { defineVerb, checkRequest, ofShape } from '../../../suite/verbs/verb.ts';
import { toSeconds } from '../../../lib/time.ts';

interface LookAct {
  readonly what: 'card';
  readonly of?: string;
}

const lookDefinition = defineVerb({
  verb: 'look',
  description: 'Look at what the phone shows.',
  value: word(['card']),
  keys: { of: ofShape },
  sends: false,
  outcomes: [],
  expectations: ['card'],
  members: ['card', 'summary', 'sentAt'],
  compile: ({ value, keys: { of } }): LookAct => {
    const step = of === undefined ? undefined : cursorText(of);
    return { what: value, ...(step === undefined ? {} : { of: step }) };
  },
  check: ({ place, keys: { of } }, _act, context) => checkRequest(of, place, context),
  requires: () => ['action:look'],
  describe: ({ what, of }) => ({
    act: `the tester looks at the ${what} on the phone${of === undefined ? '' : ` (of step ${of})`}`,
    details: [],
  }),
});

type SeenCard = Pick<LookObservation, 'card' | 'said' | 'message' | 'summary'>;

const extractCard = (body: Json): Json => (isJsonObject(body) && 'card' in body ? (body['card'] ?? null) : body);

async function lookByDriver(order: DriveOrder, ctx: CaseContext): Promise<SeenCard> {
  const { missingBody } = driverKind(requireDriver(order.action, ctx));
  const { done, body, message, summary } = await driveAction(order, ctx);
  if (done && body === undefined && missingBody !== undefined) {
    throw new Unmet(`the driver for look ${missingBody}: ${summary}`);
  }
  const card = done && body !== undefined ? extractCard(body) : { shown: false };
  return { card, summary: 'what the phone shows', ...omitUndefined({ message }) };
}

async function runLook({ of }: LookAct, step: Step, ctx: CaseContext): Promise<LookObservation> {
  const sentAt = toSeconds(ctx.now());
  const order: DriveOrder = { action: 'look', of, step: step.name };
  const sent = referredResponse(of, ctx);
  const inPerson = await askPhoneContent(order, step, ctx);
  const seen: SeenCard =
    inPerson === undefined
      ? await lookByDriver(order, ctx)
      : { card: inPerson.card, ...omitUndefined({ said: inPerson.said }), summary: 'what the operator saw' };
  return { kind: 'look', step: step.name, sentAt, ...seen, ...omitUndefined({ sent }) };
}

export const look = defineStepVerb(lookDefinition, {
  run: runLook,
  plan: (_act, step, walk) => planAsk({ action: 'look' }, step, walk),
});
