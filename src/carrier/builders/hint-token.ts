import { randomUUID } from 'node:crypto';
import { encryptJwe } from '../jose/jwe.ts';
import { type CarrierSigningKey, signJwt } from '../jose/jws.ts';
import type { JsonObject } from '../json.ts';
import type { ClientState, SubscriberState } from '../state/accounts.ts';

interface HintTokenInput {
  readonly subscriber: SubscriberState;
  readonly client: ClientState;
  /** Seconds. */
  readonly life: number;
  readonly issuer: string;
  /** Milliseconds. */
  readonly now: number;
  readonly key: CarrierSigningKey;
}

/** §4.6: encrypts the login_hint_token that discovery_ui hands to an SP (§2.3); a fault replaces it. */
export type HintTokenBuilder = (key: Buffer, claims: JsonObject) => string;
export const strictHintToken: HintTokenBuilder = (key, claims) => encryptJwe(key, claims);

/** §2.7. */
export function hintClaims({ subscriber, client, life, issuer, now, key }: HintTokenInput): JsonObject {
  const iat = Math.floor(now / 1000);
  const times = { iat, exp: iat + life, jti: randomUUID() };
  return {
    sub: subscriber.name,
    client_id: client.clientId,
    bid: randomUUID(),
    friendly_name: `Phone of ${subscriber.name}`,
    device_logo: 'https://pictures.subscriber.example/phone.png',
    flow: 'discovery',
    location: 'Springfield',
    browser: 'Browser',
    device: 'TV',
    ...times,
    dpop: signJwt(key, 'dpop+jwt', { iss: issuer, ...times, jti: randomUUID() }),
  };
}
