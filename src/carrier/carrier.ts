import type { Accounts } from './accounts.ts';
import type { Clock } from './clock.ts';
import type { CarrierDefinition } from './definition.ts';
import type { Deliveries } from './deliveries.ts';
import type { SigningKey } from './jws.ts';
import type { Replays } from './replays.ts';
import type { AuthorizationRequest } from './requests.ts';

/** A running carrier: what it is made of and what it remembers. */
export interface Carrier {
  readonly definition: CarrierDefinition;
  readonly clock: Clock;
  readonly accounts: Accounts;
  readonly replays: Replays;
  readonly deliveries: Deliveries;
  readonly signingKey: SigningKey;
  readonly mccmnc: string;
  readonly discoveryUi: string | undefined;
  /** By auth_req_id, every request that got a 200. */
  readonly requests: Map<string, AuthorizationRequest>;
  readonly log: (line: string) => void;
  /** Known once the public door is open. */
  origin: string;
  issuer: string;
}
