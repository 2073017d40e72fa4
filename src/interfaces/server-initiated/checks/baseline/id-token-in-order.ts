import type { Json, JsonObject } from '../../../../model/json.ts';
import { type CheckMismatch, defineCheck } from '../../../../judge/check.ts';
import type { CallbackObservation } from '../../../../judge/observation.ts';
import { deliveriesOf } from '../deliveries-of.ts';
import { claimText } from '../words.ts';

/** Seconds that the clocks may differ. */
const skew = 300;

interface Place {
  readonly idToken: JsonObject;
  readonly clientId: string | undefined;
  readonly nonce: Json | undefined;
  readonly receivedAt: number;
}

const audiences = (aud: Json | undefined): readonly string[] => {
  const list: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  return list.filter((entry) => typeof entry === 'string');
};
const isNumber = (value: Json | undefined): value is number => typeof value === 'number' && Number.isFinite(value);
const near = (value: Json | undefined, moment: number): boolean => isNumber(value) && Math.abs(value - moment) <= skew;

type Judge = (place: Place) => false | string;

/** OIDC Core §3.1.3.7, by claim: what is expected where it does not hold. */
const judges: Readonly<Record<string, Judge>> = {
  aud: ({ idToken, clientId }) =>
    clientId !== undefined && !audiences(idToken['aud']).includes(clientId) && `an aud with the client_id ${clientId}`,
  azp: ({ idToken, clientId }) => {
    const needed = audiences(idToken['aud']).length > 1;
    return (needed || idToken['azp'] !== undefined) && idToken['azp'] !== clientId && `azp ${clientId}`;
  },
  iat: ({ idToken, receivedAt }) => !near(idToken['iat'], receivedAt) && 'an iat within 5 minutes of the delivery',
  exp: ({ idToken, receivedAt }) =>
    !(isNumber(idToken['exp']) && idToken['exp'] > receivedAt - skew) && 'an exp that has not passed, as a number',
  nonce: ({ idToken, nonce }) => nonce !== undefined && idToken['nonce'] !== nonce && `nonce ${JSON.stringify(nonce)}`,
  auth_time: ({ idToken, receivedAt }) => {
    const time = idToken['auth_time'];
    return time !== undefined && !(isNumber(time) && time <= receivedAt + skew) && 'an auth_time that is not ahead';
  },
  acr: ({ idToken }) => idToken['acr'] !== undefined && typeof idToken['acr'] !== 'string' && 'an acr that is a string',
};

function judge({ idToken, sent, receivedAt }: CallbackObservation): CheckMismatch[] {
  if (idToken === undefined) return [];
  const nonce = sent.claims?.['nonce'];
  const place = { idToken, clientId: claimText(sent.claims, 'client_id'), nonce, receivedAt };
  return Object.entries(judges).flatMap(([name, wrong]) => {
    const expected = wrong(place);
    return expected === false ? [] : [{ path: `idToken.${name}`, expected, actual: idToken[name] ?? null }];
  });
}

/** SEC-31: the claims of an id token are in order for the SP that gets it. */
export const idTokenInOrder = defineCheck((observation) => deliveriesOf(observation).flatMap(judge));
