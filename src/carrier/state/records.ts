import type { Client, Subscriber } from './accounts.ts';

/** A sign-in, as an authorization code or a refresh token stands for it. */
export interface SignIn {
  readonly client: Client;
  readonly subscriber: Subscriber;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly nonce?: string;
  /** Milliseconds. */
  readonly expiresAt: number;
}

/** One usertrait query, as the audit log of §4.7 keeps it. */
export interface AuditEntry {
  /** Milliseconds. */
  readonly at: number;
  readonly client_id?: string;
  readonly sub?: string;
  readonly correlation_id?: string;
  /** The tenure of the response, or the code of the refusal. */
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
  /** Milliseconds at which the last one that was not dropped was generated, by sub, SP and event (§6). */
  readonly generated: Map<string, number>;
  readonly errors: EventError[];
}

/** Remembers request objects for the window of §2.3 jti. */
export interface Replays {
  /** False where the key was seen at most `window` seconds before `now` (milliseconds); else it is kept from now on. */
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
