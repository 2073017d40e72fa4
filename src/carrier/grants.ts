import { authenticateClient } from './client-authentication.ts';
import type { Carrier } from './carrier.ts';
import type { JsonObject } from './json.ts';
import { refuse } from './refusal.ts';

/** A call of the token endpoint (§4.3). */
export interface TokenCall {
  readonly carrier: Carrier;
  readonly parameters: JsonObject;
  readonly authorization: string | undefined;
}

/** One grant type: the body of its 200, or a Refusal. */
export type Grant = (call: TokenCall) => JsonObject;

/** Codes come from a sign-in in a browser, which this carrier does not offer, so none is ever valid. */
const noneIssued: Grant = (call) => {
  authenticateClient(call);
  return refuse('invalid_grant', 'the grant is not valid');
};

/** §1.4: results are delivered only by callback, so the CIBA grant is not among them. */
export const strictGrants: Readonly<Record<string, Grant>> = {
  authorization_code: noneIssued,
  refresh_token: noneIssued,
};
