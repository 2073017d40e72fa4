import { judgeDecoded, recognizeSafely, type DecodedInput } from '../cli/decode/judge-decoded.ts';
import { copyJson, isJsonObject, type Json, type JsonObject, omitUndefined } from '../lib/json.ts';
import { maxFileBytes } from '../files/read.ts';
import { CarrierspecError } from '../model/problem.ts';
import type { Level } from '../model/rule.ts';
import { renderFinding } from '../report/shared/prose.ts';
import { readSuites } from '../setup/read-files.ts';
import { throwAtCaller } from './throw-at-caller.ts';

/** A rule broken by a message. */
export interface Broken {
  readonly rule: string;
  readonly aspect?: string;
  readonly level: Level;
  /** Path in the message, such as `body.expires_in`; absent for the whole message. */
  readonly path?: string;
  /** Plain text. It may quote hostile carrier data: escape it for the place where you show it. */
  readonly expected: string;
  readonly actual: string;
}

/** A recognised message and the rules that it breaks by itself. */
export interface Judged {
  /** `event-token`, `callback`, `response` and so on; `json` or `jwt` if the interface does not define it. */
  readonly type: string;
  readonly header?: JsonObject;
  readonly claims?: JsonObject;
  readonly body?: Json;
  readonly broken: readonly Broken[];
  /** Present for a signed message if keys were given. */
  readonly signature?: { readonly verified: boolean; readonly description: string };
  /** Nested messages, by the member that holds each. */
  readonly inside: readonly { readonly member: string; readonly message: Judged }[];
}

export interface JudgeOptions {
  /** Additional suite folders. */
  readonly suites?: readonly string[];
  /** JWK set to verify signatures with. */
  readonly keys?: { readonly keys: readonly unknown[] };
}

function toJudged({ found, findings, signature, inside }: DecodedInput): Judged {
  const { type, header, claims, body } = found;
  return {
    type,
    broken: findings.map((finding) => {
      const { rule, aspect, level, path } = finding;
      const { expected, actual } = renderFinding(finding);
      return { rule, level, expected, actual, ...omitUndefined({ aspect, path }) };
    }),
    inside: inside.map(({ member, decoded }) => ({ member, message: toJudged(decoded) })),
    ...omitUndefined({ header, claims, body, signature }),
  };
}

const cannotJudge = (why: string): CarrierspecError =>
  new CarrierspecError(`this cannot be judged: ${why}`, { code: 'nothing-to-decode' });

/**
 * Recognises one message (a compact JWS or JSON) and judges every rule that it can break by itself, not rules that need a run. Throws
 * CarrierspecError with the code `nothing-to-decode` if the text is not a message.
 */
export async function judge(message: string, options: JudgeOptions = {}): Promise<Judged> {
  const judged = await throwAtCaller(judge, () => judgeMessage(message, options));
  return judged;
}

async function judgeMessage(message: string, { suites = [], keys }: JudgeOptions): Promise<Judged> {
  if (typeof message !== 'string') throw cannotJudge('it is no text');
  if (keys !== undefined && !Array.isArray(keys.keys)) throw cannotJudge('`keys` is no JWK set');
  if (message.length > maxFileBytes.message) throw cannotJudge(`it is longer than ${maxFileBytes.message} characters`);
  const found = recognizeSafely(message);
  if ('why' in found) throw cannotJudge(found.why);
  const known = keys?.keys.flatMap((key) => {
    const copy = copyJson(key);
    return isJsonObject(copy) ? [copy] : [];
  });
  return toJudged(judgeDecoded(found, { suites: await readSuites(suites), keys: known }));
}
