import type { FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import type { AuthorizationBuilders } from './builders/authorization.ts';
import type { ContentBuilders } from './builders/content.ts';
import type { DiscoveryBuilders } from './builders/discovery.ts';
import type { EventBuilders } from './builders/events.ts';
import type { HintTokenBuilder } from './builders/hint-token.ts';
import type { UserinfoBuilders } from './builders/userinfo.ts';
import type { TraitBuilders } from './builders/usertrait.ts';
import type { CarrierSigningKey } from './jose/jws.ts';
import type { JsonObject } from './json.ts';
import type { AssertionPipeline } from './pipeline/assertion.ts';
import type { CancelPipeline, CodePipeline } from './pipeline/grants.ts';
import type { Pipeline } from './pipeline/server-initiated.ts';
import type { UserinfoPipeline } from './pipeline/userinfo.ts';
import type { TraitPipeline } from './pipeline/usertrait.ts';
import type { Policy } from './policy.ts';
import type { Accounts } from './state/accounts.ts';
import type { CarrierClock } from './state/clock.ts';
import type { Deliveries } from './http/deliveries.ts';
import type { AuditEntry, EventLedger, Replays, SignIn } from './state/records.ts';
import type { OtherCarrier } from './state/registrations.ts';
import type { AuthorizationRequest } from './state/requests.ts';

/** Definition and state of a running carrier. */
export interface Carrier {
  /** Replaced when the admin API changes the policy. */
  definition: CarrierDefinition;
  readonly clock: CarrierClock;
  readonly accounts: Accounts;
  readonly replays: Replays;
  readonly deliveries: Deliveries;
  signingKey: CarrierSigningKey;
  /** Keys retired by a rotation, newest first; their signatures stay valid. */
  readonly retiredKeys: CarrierSigningKey[];
  /** Signs events; undefined: signingKey does. */
  readonly eventKey: CarrierSigningKey | undefined;
  /** JWTs by the opaque access token that stands for each. */
  readonly handles: Map<string, string>;
  /** Encryption key of login_hint_tokens (§2.7). */
  readonly hintKey: Buffer;
  /** Sign-ins by authorization code and by refresh token. */
  readonly codes: Map<string, SignIn>;
  readonly refreshTokens: Map<string, SignIn>;
  /** Access tokens by authorization code. */
  readonly redeemed: Map<string, string>;
  /** Revoked access tokens. */
  readonly revoked: Set<string>;
  readonly events: EventLedger;
  /** Audit log of usertrait queries (§4.7). */
  readonly audited: AuditEntry[];
  readonly mccmnc: string;
  readonly ownCodes: readonly string[];
  readonly otherCarriers: readonly OtherCarrier[];
  readonly discoveryUi: string | undefined;
  /** Accepted requests by auth_req_id. */
  readonly requests: Map<string, AuthorizationRequest>;
  readonly log: (line: string) => void;
  /** Known once the public server listens. */
  origin: string;
  issuer: string;
}

/** Behaviour of a carrier, as data; a fault returns a changed copy. */
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
  /** Redemption of an authorization code at the token endpoint. */
  readonly codeCall: CodePipeline;
  readonly grants: Grants;
  /** Like readAgain of ServerOptions. */
  readonly readAgain?: (carrier: Carrier, packet: Buffer) => Promise<string>;
}

/** One endpoint of the public server. */
export interface Route {
  readonly path: string;
  readonly methods: readonly HTTPMethods[];
  /** Default Cache-Control of the responses. */
  readonly cacheControl: string;
  readonly respond: (carrier: Carrier, request: FastifyRequest, reply: FastifyReply) => FastifyReply | Promise<void>;
}

/** Endpoints of §4 by name. */
export type Routes = Readonly<Record<string, Route>>;

/** A call of the token endpoint (§4.3). */
interface TokenCall {
  readonly carrier: Carrier;
  readonly parameters: JsonObject;
  readonly authorization: string | undefined;
}

/** Handles one grant type: returns the body of the 200, or throws a Refusal. */
export type Grant = (call: TokenCall) => JsonObject | Promise<JsonObject>;

export type Grants = Readonly<Record<string, Grant>>;
