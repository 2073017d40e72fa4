import { defined } from '../../lib/optional.ts';
import { namedChecks } from '../../interfaces/server-initiated/checks/table.ts';
import { judgeMessage } from '../../interfaces/server-initiated/decode/judge-message.ts';
import { recognize, type Recognized } from '../../interfaces/server-initiated/decode/recognize.ts';
import { createRuleBook } from '../../judge/rule-book.ts';
import type { JsonObject } from '../../lib/json.ts';
import { replaceLiterals } from '../../lib/string-literals.ts';
import { CarrierspecError } from '../../model/problem.ts';
import type { Suites } from '../../suite/suites.ts';
import { forJson } from '../../report/shared/sanitize.ts';
import { readSuites } from '../../setup/read.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Given } from '../shared/command.ts';
import { type Invocation, pageOf } from '../shared/invocation.ts';
import type { decodeDefinition } from '../definitions.ts';
import { type Decoded, decodedJson, renderDecoded } from './describe.ts';
import { readInput, readKeys, verifyWith } from './input.ts';

export interface Judging {
  readonly suites: Suites;
  readonly keys: readonly JsonObject[] | undefined;
}

/** A message and those inside it, held to the rules. */
export function judgeDecoded(found: Recognized, judging: Judging): Decoded {
  const { suites, keys } = judging;
  const rules = createRuleBook(suites.rules);
  const { header, jws } = found;
  const isSigned = keys !== undefined && jws !== undefined && header !== undefined;
  return defined({
    found,
    findings: judgeMessage(found, { invariants: suites.invariants, checks: namedChecks, rules }),
    signature: isSigned ? verifyWith(jws, header, keys) : undefined,
    inside: found.inside.map(({ member, found: inner }) => ({ member, decoded: judgeDecoded(inner, judging) })),
  });
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

/** What a text is, or why that is not known. */
export function recognizeSafely(text: string): Recognized | { readonly why: string } {
  if (holdsTooDeep(text)) return { why: `values are nested more than ${deepest} deep` };
  const why = 'it is neither JSON nor a compact JWS or JWE whose header and claims are JSON objects';
  return recognize(text) ?? { why };
}

function requireReadable(text: string): Recognized {
  const found = recognizeSafely(text);
  if (!('why' in found)) return found;
  const message = `this cannot be decoded: ${found.why}`;
  throw new CarrierspecError(message, { code: 'nothing-to-decode' });
}

const breaksRequired = ({ findings, signature, inside }: Decoded): boolean =>
  findings.some(({ level }) => level === 'required') ||
  signature?.verified === false ||
  inside.some(({ decoded }) => breaksRequired(decoded));

/** `carrierspec decode`: what a message is, what stands in it, and the rules it breaks. Gives 1 where it breaks a required one. */
export async function decodeCommand(flags: Given<typeof decodeDefinition>, invocation: Invocation): Promise<number> {
  const { stdout } = invocation;
  const found = requireReadable(await readInput(flags.message, invocation.stdin));
  const [suites, keys] = await Promise.all([
    readSuites(flags.suites),
    flags.jwks === undefined ? undefined : readKeys(flags.jwks),
  ]);
  const decoded = judgeDecoded(found, { suites, keys });
  const text = flags.json
    ? forJson(decodedJson(decoded))
    : renderDecoded(pageOf(invocation), decoded, Math.floor(Date.now() / 1000)).join('\n');
  stdout.write(`${text}\n`);
  return breaksRequired(decoded) ? exitCodes['not conformant'] : exitCodes.conformant;
}
