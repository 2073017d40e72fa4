import { namedChecks } from '../judge/checks/table.ts';
import { judgeMessage } from '../judge/decode/judge-message.ts';
import { type Recognized, recognize } from '../judge/decode/recognize.ts';
import { createRuleBook } from '../judge/rule-book.ts';
import type { JsonObject } from '../model/json.ts';
import { CarrierspecError } from '../model/problem.ts';
import type { Suites } from '../model/suite.ts';
import { forJson } from '../report/sanitize.ts';
import { readSuites } from '../rig/read.ts';
import { readInput } from './decode-input.ts';
import { readKeys, verifyWith } from './decode-keys.ts';
import { type Decoded, decodedJson, renderDecoded } from './decode-words.ts';
import { exitCodes } from './exit-codes.ts';
import { pageOf } from './page.ts';
import type { Invocation } from './terminal.ts';

export interface DecodeFlags {
  readonly jwks?: string;
  readonly suites: readonly string[];
  readonly json: boolean;
}

interface Judging {
  readonly suites: Suites;
  readonly keys: readonly JsonObject[] | undefined;
}

function decode(found: Recognized, judging: Judging): Decoded {
  const { suites, keys } = judging;
  const rules = createRuleBook(suites.rules);
  const { header, jws } = found;
  const signature =
    keys === undefined || jws === undefined || header === undefined ? {} : { signature: verifyWith(jws, header, keys) };
  return {
    found,
    findings: judgeMessage(found, { invariants: suites.invariants, checks: namedChecks, rules }),
    ...signature,
    inside: found.inside.map(({ member, found: inner }) => ({ member, decoded: decode(inner, judging) })),
  };
}

/** Deeper JSON than this is no message; it would only exhaust whoever walks it. */
const deepest = 128;

function requireShallow(text: string): void {
  let depth = 0;
  for (const [character] of text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '').matchAll(/[[\]{}]/g)) {
    depth += character === '[' || character === '{' ? 1 : -1;
    if (depth > deepest) throw refused(`values are nested more than ${deepest} deep`);
  }
}

const refused = (why: string): CarrierspecError =>
  new CarrierspecError(`this cannot be decoded: ${why}`, { kind: 'usage', code: 'nothing-to-decode' });

/** Of the message itself, and of the parts of a JWS. */
function requireReadable(text: string): Recognized {
  requireShallow(text);
  for (const part of text.trim().split('.')) {
    if (/^[\w-]+$/.test(part)) requireShallow(Buffer.from(part, 'base64url').toString('utf8'));
  }
  const found = recognize(text);
  if (found !== undefined) return found;
  throw refused('it is neither JSON nor a compact JWS or JWE whose header and claims are JSON objects');
}

const breaksRequired = ({ findings, signature, inside }: Decoded): boolean =>
  findings.some(({ level }) => level === 'required') ||
  signature?.verified === false ||
  inside.some(({ decoded }) => breaksRequired(decoded));

/** `carrierspec decode`: what a message is, what stands in it, and the rules it breaks. Gives 1 where it breaks a required one. */
export async function decodeCommand(
  message: string | undefined,
  flags: DecodeFlags,
  invocation: Invocation,
): Promise<number> {
  const { stdin, stdout } = invocation;
  const found = requireReadable(await readInput(message, stdin));
  const [suites, keys] = await Promise.all([
    readSuites(flags.suites),
    flags.jwks === undefined ? undefined : readKeys(flags.jwks),
  ]);
  const decoded = decode(found, { suites, keys });
  const text = flags.json
    ? forJson(decodedJson(decoded))
    : renderDecoded(pageOf(invocation), decoded, Math.floor(Date.now() / 1000)).join('\n');
  stdout.write(`${text}\n`);
  return breaksRequired(decoded) ? exitCodes['not conformant'] : exitCodes.conformant;
}
