import type { Json } from '../../lib/json.ts';
import type { Inbound } from '../../wire/receive/receiver.ts';

/** Protection of a registered URI: an unguessable part, the sender's address, or its certificate. */
export type LockKind = 'segment' | 'sources' | 'certificate';

export interface ReceiverLock {
  /** Returns what authenticates deliveries to a URI; undefined if only their content can. */
  readonly kindOf: (uri: string) => LockKind | undefined;
  /** Whether a delivery is authenticated: its sender knows a registered URI, or is the carrier. */
  readonly isThrough: (inbound: Pick<Inbound, 'target' | 'from' | 'isCertified'>) => boolean;
}

/** Published keys of the carrier, read when a signature has to be verified. */
export interface CarrierKeys {
  readonly signed: (jws: Json | undefined) => Promise<boolean>;
}
