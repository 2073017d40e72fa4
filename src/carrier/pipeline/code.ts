import type { JsonObject } from '../json.ts';
import { refuse } from '../refusal.ts';
import type { Client } from '../state/accounts.ts';
import type { SignIn } from '../state/records.ts';
import { check, type Check } from './step.ts';

/** An authorization code, and the client that brings it. */
export interface CodeContext {
  readonly client: Client;
  readonly signIn: SignIn;
  readonly parameters: JsonObject;
  /** Milliseconds. */
  readonly now: number;
}

export type CodeCheck = Check<CodeContext>;

export function refuseGrant(): never {
  return refuse('invalid_grant', 'the grant is not valid');
}

/** RFC 6749 §4.1.3: a code is for one client, one redirect_uri and a short time. */
export const strictCodeChecks: readonly CodeCheck[] = [
  check('code-is-for-the-client', ({ client, signIn }) => {
    if (signIn.client !== client) refuseGrant();
  }),
  check('code-has-not-expired', ({ signIn, now }) => {
    if (signIn.expiresAt <= now) refuseGrant();
  }),
  check('code-is-for-the-redirect-uri', ({ signIn, parameters }) => {
    if (parameters['redirect_uri'] !== signIn.redirectUri) refuseGrant();
  }),
];
