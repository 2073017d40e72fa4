import { defineStepVerb } from '../../../engine/act/verb.ts';
import type { CaseContext } from '../../../engine/context/case-context.ts';
import type { Walk } from '../../../engine/context/walk.ts';
import type { Observation } from '../../../judge/observation.ts';
import type { BaseRequest, Difference } from '../../../model/suite.ts';
import { members, word } from '../../../suite/grammar/grammar.ts';
import type { Step } from '../../../suite/suites.ts';
import { type VerbAct, defineVerb, repeatKeys } from '../../../suite/verbs/verb.ts';
import { requestedLife } from './authorize.ts';
import { describeDifference, differenceRequirements, signedKeys } from './difference.ts';
import { requireBase, signObject as signWith } from './signed-object.ts';
import { toSeconds } from '../../../lib/time.ts';

const signBases = ['none', 'client-assertion', 'request-object'] as const;

type SignBase = (typeof signBases)[number];

const signActs: Readonly<Record<SignBase, string>> = {
  none: 'a JWT is signed, and not sent',
  'client-assertion': 'a client assertion is signed, and not sent',
  'request-object': 'a request object is signed, and not sent',
};

const signDefinition = defineVerb({
  verb: 'sign',
  description: 'Make a JWT and send nothing.',
  value: members(
    { base: word(signBases, { description: 'The claims that it begins with.' }), ...signedKeys },
    { title: 'sign' },
  ),
  keys: { times: repeatKeys.times },
  sends: false,
  outcomes: [],
  expectations: [],
  members: ['jws', 'claims', 'header', 'summary', 'sentAt'],
  makes: ['object'],
  compile: ({
    value: { base = 'none', ...difference },
  }): { readonly base: SignBase; readonly difference: Difference } => ({ base, difference }),
  requires: ({ difference }) => differenceRequirements(difference),
  describe: ({ base, difference }, show) => ({ act: signActs[base], details: describeDifference(difference, show) }),
});

type SignAct = VerbAct<typeof signDefinition>;

const signingBase = (base: SignBase, { services }: CaseContext): BaseRequest =>
  base === 'none'
    ? { header: requireBase('request-object', services).header, claims: [] }
    : requireBase(base, services);

async function runSign({ base, difference }: SignAct, step: Step, ctx: CaseContext): Promise<Observation> {
  const sentAt = toSeconds(ctx.now());
  const { jws, claims, header } = await signWith(signingBase(base, ctx), difference, ctx.as(difference.client));
  ctx.redactor.learn('signed JWT', jws);
  return { kind: 'sign', step: step.name, sentAt, jws, claims, header, summary: 'a signed JWT' };
}

/** Keeps the life that the object asks for, because it may be sent later. */
function planSign({ base, difference }: SignAct, { name }: Step, walk: Walk): void {
  const begins = base === 'request-object' ? walk.suites.bases[base] : undefined;
  const asked = requestedLife(begins, { difference, scope: walk.scope }, walk.interface);
  walk.traces.set(name, { sentAt: walk.now, claims: { expires_in: asked } });
}

/** Makes a JWT for a later step, and sends nothing. */
export const sign = defineStepVerb(signDefinition, { run: runSign, plan: planSign });
