import { namedChecks } from '../../judge/checks/table.ts';
import { judgeMessage } from '../../judge/decode/judge-message.ts';
import { type Recognized, recognize } from '../../judge/decode/recognize.ts';
import { createRuleBook } from '../../judge/rule-book.ts';
import type { JsonObject } from '../../model/json.ts';
import type { Suites } from '../../model/suite.ts';
import { verifyWith } from './input.ts';
import type { Decoded } from './describe.ts';

export interface Judging {
  readonly suites: Suites;
  readonly keys: readonly JsonObject[] | undefined;
}

/** A message and those inside it, held to the rules. */
export function judgeDecoded(found: Recognized, judging: Judging): Decoded {
  const { suites, keys } = judging;
  const rules = createRuleBook(suites.rules);
  const { header, jws } = found;
  const signature =
    keys === undefined || jws === undefined || header === undefined ? {} : { signature: verifyWith(jws, header, keys) };
  return {
    found,
    findings: judgeMessage(found, { invariants: suites.invariants, checks: namedChecks, rules }),
    ...signature,
    inside: found.inside.map(({ member, found: inner }) => ({ member, decoded: judgeDecoded(inner, judging) })),
  };
}

/** Deeper JSON than this is no message; a recursive walk over it would exhaust the stack. */
const deepest = 128;

function isTooDeep(text: string): boolean {
  let depth = 0;
  for (const [character] of text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '').matchAll(/[[\]{}]/g)) {
    depth += character === '[' || character === '{' ? 1 : -1;
    if (depth > deepest) return true;
  }
  return false;
}

/** Of the message itself, and of the parts of a JWS. */
const holdsTooDeep = (text: string): boolean =>
  isTooDeep(text) ||
  (text.match(/[\w-]+/g) ?? []).some((part) => isTooDeep(Buffer.from(part, 'base64url').toString('utf8')));

/** What a text is, or why that is not known. */
export function recognizeSafely(text: string): Recognized | { readonly why: string } {
  if (holdsTooDeep(text)) return { why: `values are nested more than ${deepest} deep` };
  const why = 'it is neither JSON nor a compact JWS or JWE whose header and claims are JSON objects';
  return recognize(text) ?? { why };
}
