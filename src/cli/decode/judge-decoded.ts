import { namedChecks } from '../../interfaces/server-initiated/checks/table.ts';
import type { UnjudgedRules } from '../../interfaces/server-initiated/decode/finding.ts';
import { judgeMessage } from '../../interfaces/server-initiated/decode/judge-message.ts';
import type { SignatureResult } from '../../interfaces/server-initiated/decode/judge-signature.ts';
import type { HttpSurroundings } from '../../interfaces/server-initiated/decode/observe.ts';
import { recognizeMessage, type RecognizedMessage } from '../../interfaces/server-initiated/decode/recognize.ts';
import { serverInitiated } from '../../interfaces/server-initiated/interface.ts';
import { verifyWithKey } from '../../judge/compact-jws.ts';
import { createRuleBook } from '../../judge/rule-book.ts';
import {
  isJsonObject,
  isList,
  type Json,
  type JsonObject,
  maxJsonDepth,
  nestsTooDeep,
  renderPlain,
  setOwn,
  omitUndefined,
} from '../../lib/json.ts';
import type { Finding } from '../../model/finding.ts';
import type { Suites } from '../../suite/suites.ts';
import { createRedactor, type Redactor } from '../../wire/record/redactor.ts';

/** A judged message with its nested messages. */
export interface DecodedInput {
  readonly found: RecognizedMessage;
  /** Judged rules, as far as the message alone allows. */
  readonly judged: readonly string[];
  readonly findings: readonly Finding[];
  readonly notJudged: readonly UnjudgedRules[];
  readonly signature?: SignatureResult;
  readonly inside: readonly { readonly member: string; readonly decoded: DecodedInput }[];
}

function tryKey(jws: string, key: JsonObject, alg: Json | undefined): boolean {
  try {
    return verifyWithKey(jws, key, alg);
  } catch {
    return false;
  }
}

/** Most keys tried per signature; a hostile set may have thousands. */
const maxTriedKeys = 64;

/** Tries the key that kid names, else every key (RFC 7515 §6). */
function verifyWithKeys(jws: string, header: JsonObject, keys: readonly JsonObject[]): SignatureResult {
  const { kid, alg } = header;
  const named = kid === undefined ? [] : keys.filter((key) => key['kid'] === kid);
  const tried = (named.length > 0 ? named : keys).slice(0, maxTriedKeys);
  const found = tried.find((key) => tryKey(jws, key, alg));
  if (found !== undefined) {
    const name = found['kid'] === undefined ? 'without a kid' : JSON.stringify(found['kid']);
    const other = kid !== undefined && named.length === 0 ? `, though the header names ${JSON.stringify(kid)}` : '';
    return { verified: true, description: `verified with key ${name}${other}` };
  }
  const key = named.length > 0 ? `the key ${JSON.stringify(kid)}` : `any of ${keys.length} keys`;
  return { verified: false, description: `does not verify with ${key} (alg ${JSON.stringify(alg ?? null)})` };
}

export interface DecodeJudges {
  readonly suites: Suites;
  readonly keys: readonly JsonObject[] | undefined;
}

/** Judges a message and its nested messages; `around` is the head of the HTTP message that carries it. */
export function judgeDecoded(found: RecognizedMessage, judging: DecodeJudges, around?: HttpSurroundings): DecodedInput {
  const { suites, keys } = judging;
  const rules = createRuleBook(suites.rules);
  const { header, jws } = found;
  const isSigned = keys !== undefined && jws !== undefined && header !== undefined;
  const signature = isSigned ? verifyWithKeys(jws, header, keys) : undefined;
  const { invariants, cases } = suites;
  const judge = { invariants, cases, checks: namedChecks, rules, ...omitUndefined({ verified: signature }) };
  const message = judgeMessage(found, judge, around);
  return {
    found,
    ...message,
    ...omitUndefined({ signature }),
    inside: found.inside.map(({ member, found: inner }) => ({
      member,
      decoded: withoutTold(judgeDecoded(inner, judging), { member, told: message.findings }),
    })),
  };
}

/** Leaves out the findings of a nested message that the body around it has already. */
function withoutTold(
  decoded: DecodedInput,
  { member, told }: { readonly member: string; readonly told: readonly Finding[] },
): DecodedInput {
  const isTold = ({ rule }: Finding): boolean =>
    told.some((finding) => finding.rule === rule && finding.path === `body.${member}`);
  return { ...decoded, findings: decoded.findings.filter((finding) => !isTold(finding)) };
}

/** Checks the text itself and the decoded parts of a JWS. */
const holdsTooDeep = (text: string): boolean =>
  nestsTooDeep(text) ||
  (text.match(/[\w-]+/g) ?? []).some((part) => nestsTooDeep(Buffer.from(part, 'base64url').toString('utf8')));

/** Other inputs of `decode`, for the error message. */
const otherInputs = 'HTTP messages with their heads (as curl -i writes them) or a HAR';

export function recognizeSafely(text: string): RecognizedMessage | { readonly why: string } {
  if (holdsTooDeep(text)) return { why: `values are nested more than ${maxJsonDepth} deep` };
  const why = `it is neither JSON nor a compact JWS or JWE whose header and claims are JSON objects, nor ${otherInputs}`;
  return recognizeMessage(text) ?? { why };
}

export const breaksRequired = ({ findings, signature, inside }: DecodedInput): boolean =>
  findings.some(({ level }) => level === 'required') ||
  signature?.verified === false ||
  inside.some(({ decoded }) => breaksRequired(decoded));

/** Private members of a JWK (RFC 7518 §6.2.2, §6.3.2, §6.4.1). */
export const privateKeyMembers: readonly string[] = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

const isSecretMember = (name: string, isKey: boolean): boolean =>
  serverInitiated.secretMembers.has(name) || (isKey && privateKeyMembers.includes(name));

/** Redacts every non-empty credential identified by its member name, however short. */
function markSecrets(value: Json, redactor: Redactor): Json {
  if (isList(value)) return value.map((item) => markSecrets(item, redactor));
  if (!isJsonObject(value)) return value;
  const isKey = Object.hasOwn(value, 'kty');
  const marked: Record<string, Json> = {};
  for (const [name, member] of Object.entries(value)) {
    const text = renderPlain(member);
    const hides = isSecretMember(name, isKey) && member !== null && text !== '';
    setOwn(marked, name, hides ? redactor.mark(name, text) : markSecrets(member, redactor));
  }
  return marked;
}

const cleanObject = (value: JsonObject | undefined, redactor: Redactor): JsonObject | undefined => {
  const clean = value === undefined ? undefined : redactor.json(markSecrets(value, redactor));
  return isJsonObject(clean) ? clean : undefined;
};

function cleanRecognized({ type, header, claims, body }: RecognizedMessage, redactor: Redactor): RecognizedMessage {
  return {
    type,
    inside: [],
    ...omitUndefined({
      header: cleanObject(header, redactor),
      claims: cleanObject(claims, redactor),
      body: body === undefined ? undefined : redactor.json(markSecrets(body, redactor)),
    }),
  };
}

/** Learns the credentials of a message and its nested messages. */
function learnMessageSecrets({ header, claims, body, inside }: RecognizedMessage, redactor: Redactor): void {
  for (const part of [header, claims, body]) redactor.learnMembers(part);
  for (const { found } of inside) learnMessageSecrets(found, redactor);
}

const cleanDecoded = (decoded: DecodedInput, redactor: Redactor): DecodedInput => ({
  ...decoded,
  found: cleanRecognized(decoded.found, redactor),
  findings: decoded.findings.map((finding) => ({
    ...finding,
    expected: redactor.json(finding.expected),
    actual: redactor.json(markSecrets(finding.actual, redactor)),
  })),
  inside: decoded.inside.map(({ member, decoded: inner }) => ({ member, decoded: cleanDecoded(inner, redactor) })),
});

export const openRedactor = (): Redactor => createRedactor(serverInitiated.secretMembers);

/** Redacts a message for printing: terminals are shared and logged, so tokens are hidden as in results. */
export function withoutSecrets(decoded: DecodedInput, redactor: Redactor): DecodedInput {
  learnMessageSecrets(decoded.found, redactor);
  return cleanDecoded(decoded, redactor);
}
