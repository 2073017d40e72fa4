import { randomUUID } from 'node:crypto';
import type { Client, Subscriber } from '../state/accounts.ts';
import type { Carrier } from '../carrier.ts';
import { encryptJwe } from '../jose/jwe.ts';
import type { JsonObject } from '../json.ts';
import { signJwt } from '../jose/jws.ts';

/** Whose device it is, for which SP, and for how many seconds. */
export interface HintWanted {
  readonly subscriber: Subscriber;
  readonly client: Client;
  readonly life: number;
}

/** §4.6: what discovery_ui hands to an SP. */
export function issueHintToken(carrier: Carrier, wanted: HintWanted): string {
  const { hintKey, definition } = carrier;
  return definition.hintToken(hintKey, hintClaims(carrier, wanted));
}

/** The encryption of §2.3; a fault replaces it. */
export type HintTokenMaker = (key: Buffer, claims: JsonObject) => string;
export const strictHintToken: HintTokenMaker = (key, claims) => encryptJwe(key, claims);

/** §2.7. */
function hintClaims(carrier: Carrier, { subscriber, client, life }: HintWanted): JsonObject {
  const iat = Math.floor(carrier.clock.now() / 1000);
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
    dpop: signJwt(carrier.signingKey, 'dpop+jwt', { iss: carrier.issuer, ...times, jti: randomUUID() }),
  };
}
