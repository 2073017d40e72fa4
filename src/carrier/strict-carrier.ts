import { strictBuilders } from './builders/authorization.ts';
import { strictContent } from './builders/content.ts';
import { strictDiscovery } from './builders/discovery.ts';
import { strictEvents } from './builders/events.ts';
import { strictHintToken } from './builders/hint-token.ts';
import { strictTraits } from './builders/usertrait.ts';
import { strictUserinfo } from './builders/userinfo.ts';
import type { CarrierDefinition } from './carrier.ts';
import { strictRoutes } from './endpoints/routes.ts';
import { strictGrants } from './endpoints/oauth.ts';
import { strictAssertionPipeline } from './pipeline/assertion.ts';
import { strictCancelPipeline, strictCodePipeline } from './pipeline/grants.ts';
import { strictPipeline } from './pipeline/server-initiated.ts';
import { strictUserinfoPipeline } from './pipeline/userinfo.ts';
import { strictTraitPipeline } from './pipeline/usertrait.ts';
import { strictPolicy } from './policy.ts';

/** The conforming carrier, at the strictest interpretation of each rule. */
export const strictCarrier: CarrierDefinition = {
  routes: strictRoutes,
  policy: strictPolicy,
  pipeline: strictPipeline,
  builders: strictBuilders,
  content: strictContent,
  assertion: strictAssertionPipeline,
  cancel: strictCancelPipeline,
  hintToken: strictHintToken,
  usertraits: strictTraitPipeline,
  traits: strictTraits,
  userinfoCall: strictUserinfoPipeline,
  userinfo: strictUserinfo,
  discovery: strictDiscovery,
  events: strictEvents,
  codeCall: strictCodePipeline,
  grants: strictGrants,
};
