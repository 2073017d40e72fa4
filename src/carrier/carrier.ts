import type { FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import type { AuthorizationBuilders } from './builders/authorization.ts';
import type { ContentBuilders } from './builders/content.ts';
import type { DiscoveryBuilders } from './builders/discovery.ts';
import type { EventBuilders } from './builders/events.ts';
import type { HintTokenBuilder } from './builders/hint-token.ts';
import type { UserinfoBuilders } from './builders/userinfo.ts';
import type { TraitBuilders } from './builders/usertrait.ts';
import type { SigningKey } from './jose/jws.ts';
import type { JsonObject } from './json.ts';
import type { AssertionPipeline } from './pipeline/assertion.ts';
import type { CancelPipeline, CodePipeline } from './pipeline/grants.ts';
import type { Pipeline } from './pipeline/server-initiated.ts';
import type { UserinfoPipeline } from './pipeline/userinfo.ts';
import type { TraitPipeline } from './pipeline/usertrait.ts';
import type { Policy } from './policy.ts';
import type { Accounts } from './state/accounts.ts';
import type { Clock } from './state/clock.ts';
import type { Deliveries } from './state/deliveries.ts';
import type { AuditEntry, EventLedger, Replays, SignIn } from './state/records.ts';
import type { OtherCarrier } from './state/registrations.ts';
import type { AuthorizationRequest } from './state/requests.ts';

/** A running carrier: what it is made of and what it remembers. */
export interface Carrier {
  /** Its policy can be changed while it runs. */
  definition: CarrierDefinition;
  readonly clock: Clock;
  readonly accounts: Accounts;
  readonly replays: Replays;
  readonly deliveries: Deliveries;
  signingKey: SigningKey;
  /** Keys before the last rotation; what they signed stays valid. */
  readonly retiredKeys: SigningKey[];
  /** Signs events, where it is not the same. */
  readonly eventKey: SigningKey | undefined;
  /** Access tokens that are no JWT, with what each stands for. */
  readonly handles: Map<string, string>;
  /** Reads login_hint_tokens (§2.7). */
  readonly hintKey: Buffer;
  /** Sign-ins by authorization code and by refresh token. */
  readonly codes: Map<string, SignIn>;
  readonly refreshTokens: Map<string, SignIn>;
  /** Access tokens by the authorization code that they were issued for. */
  readonly redeemed: Map<string, string>;
  /** Access tokens that are good no longer. */
  readonly revoked: Set<string>;
  readonly events: EventLedger;
  /** §4.7: every usertrait query. */
  readonly audited: AuditEntry[];
  readonly mccmnc: string;
  readonly ownCodes: readonly string[];
  readonly otherCarriers: readonly OtherCarrier[];
  readonly discoveryUi: string | undefined;
  /** By auth_req_id, every request that got a 200. */
  readonly requests: Map<string, AuthorizationRequest>;
  readonly log: (line: string) => void;
  /** Known once the public server listens. */
  origin: string;
  issuer: string;
}

/** All a carrier is, as data: a fault gives back another one. */
export interface CarrierDefinition {
  readonly routes: Routes;
  readonly policy: Policy;
  readonly pipeline: Pipeline;
  readonly builders: AuthorizationBuilders;
  readonly content: ContentBuilders;
  readonly assertion: AssertionPipeline;
  readonly cancel: CancelPipeline;
  readonly hintToken: HintTokenBuilder;
  readonly usertraits: TraitPipeline;
  readonly traits: TraitBuilders;
  readonly userinfoCall: UserinfoPipeline;
  readonly userinfo: UserinfoBuilders;
  readonly discovery: DiscoveryBuilders;
  readonly events: EventBuilders;
  /** What becomes of an authorization code at the token endpoint. */
  readonly codeCall: CodePipeline;
  readonly grants: Grants;
}

/** One address of the public server. */
export interface Route {
  readonly path: string;
  readonly methods: readonly HTTPMethods[];
  /** Cache-Control of its responses, where the response itself sets no other. */
  readonly cacheControl: string;
  readonly respond: (carrier: Carrier, request: FastifyRequest, reply: FastifyReply) => FastifyReply | Promise<void>;
}

/** The addresses of §4, each by a name. */
export type Routes = Readonly<Record<string, Route>>;

/** A call of the token endpoint (§4.3). */
interface TokenCall {
  readonly carrier: Carrier;
  readonly parameters: JsonObject;
  readonly authorization: string | undefined;
}

/** One grant type: the body of its 200, or a Refusal. */
export type Grant = (call: TokenCall) => JsonObject | Promise<JsonObject>;

export type Grants = Readonly<Record<string, Grant>>;
