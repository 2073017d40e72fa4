import type { Accounts } from './state/accounts.ts';
import type { Clock } from './state/clock.ts';
import type { CarrierDefinition } from './definition.ts';
import type { Deliveries } from './state/deliveries.ts';
import type { AuditEntry } from './endpoints/usertrait.ts';
import type { EventLedger } from './flow/events.ts';
import type { SignIn } from './flow/grants.ts';
import type { SigningKey } from './jose/jws.ts';
import type { OtherCarrier } from './state/registrations.ts';
import type { Replays } from './state/replays.ts';
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
  /** Reads login_hint_tokens (§2.7). */
  readonly hintKey: Buffer;
  /** Sign-ins by authorization code and by refresh token. */
  readonly codes: Map<string, SignIn>;
  readonly refreshTokens: Map<string, SignIn>;
  readonly events: EventLedger;
  /** §4.7: every usertrait query. */
  readonly audited: AuditEntry[];
  readonly mccmnc: string;
  readonly otherCarriers: readonly OtherCarrier[];
  readonly discoveryUi: string | undefined;
  /** By auth_req_id, every request that got a 200. */
  readonly requests: Map<string, AuthorizationRequest>;
  readonly log: (line: string) => void;
  /** Known once the public door is open. */
  origin: string;
  issuer: string;
}
