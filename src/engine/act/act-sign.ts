import type { Observation } from '../../judge/observation.ts';
import type { BaseRequest } from '../../model/suite.ts';
import { contextAs, sign } from './act-authorize.ts';
import { type CaseContext, Unmet } from '../world/case-room.ts';
import { createScope } from '../world/scope.ts';
import type { World } from '../world/world.ts';
import type { Act } from '../../suite/verbs/table.ts';
import type { SignBase } from '../../suite/verbs/sign.ts';
import type { Step } from '../../suite/suites.ts';

function baseOf(base: SignBase, { base: request, assertion }: World): BaseRequest {
  if (base === 'request-object') return request;
  if (base === 'none') return { header: request.header, claims: [] };
  if (assertion === undefined) throw new Unmet('the suites have no base-client-assertion.yaml');
  return assertion;
}

/** `sign`: makes a JWT for a later step. */
export async function signJwt(
  act: Act & { verb: 'sign' },
  step: Step,
  ctx: CaseContext,
  world: World,
): Promise<Observation> {
  const as = contextAs(ctx, act.difference.client, world);
  const sentAt = world.timeline.now() / 1000;
  const made = await sign(
    { base: baseOf(act.base, world), difference: act.difference, scope: createScope(as, world) },
    as,
    world,
  );
  ctx.redactor.learn('signed JWT', made.jws);
  const { jws, claims, header } = made;
  return { kind: 'sign', step: step.name, sentAt, jws, claims, header, summary: 'a signed JWT' };
}
