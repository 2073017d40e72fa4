import { namedChecks } from '../../interfaces/server-initiated/checks/table.ts';
import { judgeMessage } from '../../interfaces/server-initiated/decode/judge-message.ts';
import type { Around } from '../../interfaces/server-initiated/decode/observe.ts';
import { type Recognized, recognize } from '../../interfaces/server-initiated/decode/recognize.ts';
import { createRuleBook } from '../../judge/rule-book.ts';
import type { JsonObject } from '../../lib/json.ts';
import { defined } from '../../lib/optional.ts';
import { replaceLiterals } from '../../lib/string-literals.ts';
import type { Suites } from '../../suite/suites.ts';
import type { Decoded } from './decoded.ts';
import { verifyWith } from './input.ts';

export interface Judging {
  readonly suites: Suites;
  readonly keys: readonly JsonObject[] | undefined;
}

/** A message and those inside it, held to the rules; `around`: the head of the HTTP message that carries it. */
export function judgeDecoded(found: Recognized, judging: Judging, around?: Around): Decoded {
  const { suites, keys } = judging;
  const rules = createRuleBook(suites.rules);
  const { header, jws } = found;
  const isSigned = keys !== undefined && jws !== undefined && header !== undefined;
  const signature = isSigned ? verifyWith(jws, header, keys) : undefined;
  const { invariants, cases } = suites;
  const judge = { invariants, cases, checks: namedChecks, rules, ...defined({ verified: signature }) };
  return {
    found,
    ...judgeMessage(found, judge, around),
    ...defined({ signature }),
    inside: found.inside.map(({ member, found: inner }) => ({ member, decoded: judgeDecoded(inner, judging) })),
  };
}

/** Deeper JSON than this is no message; a recursive walk over it would exhaust the stack. */
const deepest = 128;

function isTooDeep(text: string): boolean {
  let depth = 0;
  for (const [character] of replaceLiterals(text, () => '').matchAll(/[[\]{}]/g)) {
    depth += character === '[' || character === '{' ? 1 : -1;
    if (depth > deepest) return true;
  }
  return false;
}

/** Of the message itself, and of the parts of a JWS. */
const holdsTooDeep = (text: string): boolean =>
  isTooDeep(text) ||
  (text.match(/[\w-]+/g) ?? []).some((part) => isTooDeep(Buffer.from(part, 'base64url').toString('utf8')));

/** What else `decode` reads, before it comes to this. */
const others = 'HTTP messages with their heads (as curl -i writes them) or a HAR';

/** What a text is, or why that is not known. */
export function recognizeSafely(text: string): Recognized | { readonly why: string } {
  if (holdsTooDeep(text)) return { why: `values are nested more than ${deepest} deep` };
  const why = `it is neither JSON nor a compact JWS or JWE whose header and claims are JSON objects, nor ${others}`;
  return recognize(text) ?? { why };
}

export const breaksRequired = ({ findings, signature, inside }: Decoded): boolean =>
  findings.some(({ level }) => level === 'required') ||
  signature?.verified === false ||
  inside.some(({ decoded }) => breaksRequired(decoded));
