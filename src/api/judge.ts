import { judgeDecoded, recognizeSafely, type Decoded } from '../cli/decode/judge-decoded.ts';
import { copyJson, isJsonObject, type Json, type JsonObject, defined } from '../lib/json.ts';
import { fileBounds } from '../lib/read-file.ts';
import { CarrierspecError } from '../model/problem.ts';
import type { Level } from '../model/rule.ts';
import { renderFinding } from '../report/shared/prose.ts';
import { readSuites } from '../setup/read.ts';

/** A rule that a message breaks. */
export interface Broken {
  readonly rule: string;
  readonly aspect?: string;
  readonly level: Level;
  /** Where in the message: `body.expires_in`; absent where it is all of it. */
  readonly path?: string;
  /** In words, as text: what a carrier sent is hostile until it is escaped for where it is shown. */
  readonly expected: string;
  readonly actual: string;
}

/** What a message is, and what it breaks that it shows alone. */
export interface Judged {
  /** `event-token`, `callback`, `response` and so on; `json` and `jwt` of what the interface does not know. */
  readonly type: string;
  readonly header?: JsonObject;
  readonly claims?: JsonObject;
  readonly body?: Json;
  readonly broken: readonly Broken[];
  /** Of a signed message, where keys were given. */
  readonly signature?: { readonly verified: boolean; readonly description: string };
  /** Messages inside it, by the members that hold them. */
  readonly inside: readonly { readonly member: string; readonly message: Judged }[];
}

export interface JudgeOptions {
  /** Further folders of suites. */
  readonly suites?: readonly string[];
  /** A JWK set to verify signatures with. */
  readonly keys?: { readonly keys: readonly unknown[] };
}

function judgedOf({ found, findings, signature, inside }: Decoded): Judged {
  const { type, header, claims, body } = found;
  return {
    type,
    broken: findings.map((finding) => {
      const { rule, aspect, level, path } = finding;
      const { expected, actual } = renderFinding(finding);
      return { rule, level, expected, actual, ...defined({ aspect, path }) };
    }),
    inside: inside.map(({ member, decoded }) => ({ member, message: judgedOf(decoded) })),
    ...defined({ header, claims, body, signature }),
  };
}

const unreadable = (why: string): CarrierspecError =>
  new CarrierspecError(`this cannot be judged: ${why}`, { code: 'nothing-to-decode' });

/**
 * What one message of the interface is, by its text: a compact JWS, or JSON; and every rule that it breaks by itself. What only a
 * run can see is not judged. Throws CarrierspecError with the code `nothing-to-decode` where it is no message.
 */
export async function judge(message: string, { suites = [], keys }: JudgeOptions = {}): Promise<Judged> {
  if (typeof message !== 'string') throw unreadable('it is no text');
  if (keys !== undefined && !Array.isArray(keys.keys)) throw unreadable('`keys` is no JWK set');
  if (message.length > fileBounds.message) throw unreadable(`it is longer than ${fileBounds.message} characters`);
  const found = recognizeSafely(message);
  if ('why' in found) throw unreadable(found.why);
  const known = keys?.keys.flatMap((key) => {
    const copy = copyJson(key);
    return isJsonObject(copy) ? [copy] : [];
  });
  return judgedOf(judgeDecoded(found, { suites: await readSuites(suites), keys: known }));
}
