import { type AssertionPipeline, strictAssertionPipeline } from './assertion-pipeline.ts';
import { type CancelPipeline, strictCancelPipeline } from './cancel-pipeline.ts';
import { type DiscoveryMakers, strictDiscovery } from './discovery-makers.ts';
import { type EventMakers, strictEvents } from './event-makers.ts';
import { type CodeCheck, type Grant, strictCodeChecks, strictGrants } from './grants.ts';
import { type HintTokenMaker, strictHintToken } from './hint-token.ts';
import { type Makers, strictMakers } from './makers.ts';
import { type Pipeline, strictPipeline } from './pipeline.ts';
import { type Policy, strictPolicy } from './policy.ts';
import { type Routes, strictRoutes } from './routes.ts';
import { strictTraits, type TraitMakers } from './trait-makers.ts';
import { strictTraitPipeline, type TraitPipeline } from './trait-pipeline.ts';
import { strictUserinfo, type UserinfoMakers } from './userinfo-makers.ts';
import { strictUserinfoPipeline, type UserinfoPipeline } from './userinfo-pipeline.ts';

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
