import type { ClientState, SubscriberState } from './accounts.ts';

/** Sign-in that an authorization code or a refresh token stands for. */
export interface SignIn {
  readonly client: ClientState;
  readonly subscriber: SubscriberState;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly nonce?: string;
  /** Milliseconds. */
  readonly expiresAt: number;
}

/** Entry of the audit log of usertrait queries (§4.7). */
export interface AuditEntry {
  /** Milliseconds. */
  readonly at: number;
  readonly client_id?: string;
  readonly sub?: string;
  readonly correlation_id?: string;
  /** Tenure of the response, or error code of the refusal. */
  readonly outcome: string;
}

/** An event that the SP never confirmed (§6). */
interface EventError {
  readonly client_id: string;
  readonly sub: string;
  readonly event: string;
  readonly jti: string;
  /** Milliseconds. */
  readonly at: number;
}

export interface EventLedger {
  /** Time of the last event that was not dropped, in milliseconds, by sub, SP and event (§6). */
  readonly generated: Map<string, number>;
  readonly errors: EventError[];
}

/** Memory of request objects, assertions and proofs, for the window of §2.3 jti or of the proof. */
export interface Replays {
  /** Returns false if the key was seen at most `window` seconds before `now` (milliseconds); else remembers it. */
  takeFirst(key: string, now: number, window: number): boolean;
}

export function rememberReplays(): Replays {
  const seen = new Map<string, number>();
  const forget = (before: number): void => {
    for (const [key, at] of seen) {
      if (at >= before) return;
      seen.delete(key);
    }
  };
  return {
    takeFirst(key, now, window) {
      forget(now - window * 1000);
      if (seen.has(key)) return false;
      seen.set(key, now);
      return true;
    },
  };
}
