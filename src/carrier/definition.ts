import { type AssertionPipeline, strictAssertionPipeline } from './pipeline/assertion.ts';
import { type CancelPipeline, strictCancelPipeline } from './pipeline/cancel.ts';
import { type DiscoveryMakers, strictDiscovery } from './builders/discovery.ts';
import { type EventMakers, strictEvents } from './builders/events.ts';
import { type CodeCheck, type Grant, strictCodeChecks, strictGrants } from './flow/grants.ts';
import { type HintTokenMaker, strictHintToken } from './flow/hint-token.ts';
import { type Makers, strictMakers } from './builders/authorization.ts';
import { type Pipeline, strictPipeline } from './pipeline/server-initiated.ts';
import { type Policy, strictPolicy } from './policy.ts';
import { type Routes, strictRoutes } from './endpoints/routes.ts';
import { strictTraits, type TraitMakers } from './builders/usertrait.ts';
import { strictTraitPipeline, type TraitPipeline } from './pipeline/usertrait.ts';
import { strictUserinfo, type UserinfoMakers } from './builders/userinfo.ts';
import { strictUserinfoPipeline, type UserinfoPipeline } from './pipeline/userinfo.ts';

/** All a carrier is, as data: a fault gives back another one. */
export interface CarrierDefinition {
  readonly routes: Routes;
  readonly policy: Policy;
  readonly pipeline: Pipeline;
  readonly makers: Makers;
  readonly assertion: AssertionPipeline;
  readonly cancel: CancelPipeline;
  readonly hintToken: HintTokenMaker;
  readonly usertraits: TraitPipeline;
  readonly traits: TraitMakers;
  readonly userinfoCall: UserinfoPipeline;
  readonly userinfo: UserinfoMakers;
  readonly discovery: DiscoveryMakers;
  readonly events: EventMakers;
  /** What an authorization code must be at the token endpoint. */
  readonly codeChecks: readonly CodeCheck[];
  /** Grant types of the token endpoint. */
  readonly grants: Readonly<Record<string, Grant>>;
}

export const strictCarrier: CarrierDefinition = {
  routes: strictRoutes,
  policy: strictPolicy,
  pipeline: strictPipeline,
  makers: strictMakers,
  assertion: strictAssertionPipeline,
  cancel: strictCancelPipeline,
  hintToken: strictHintToken,
  usertraits: strictTraitPipeline,
  traits: strictTraits,
  userinfoCall: strictUserinfoPipeline,
  userinfo: strictUserinfo,
  discovery: strictDiscovery,
  events: strictEvents,
  codeChecks: strictCodeChecks,
  grants: strictGrants,
};
