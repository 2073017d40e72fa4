import type { Recognized } from '../../interfaces/server-initiated/decode/recognize.ts';
import { serverInitiated } from '../../interfaces/server-initiated/interface.ts';
import { isJsonObject, isList, type Json, type JsonObject, plainText, setOwn } from '../../lib/json.ts';
import { defined } from '../../lib/optional.ts';
import { createRedactor, type Redactor } from '../../wire/record/redact.ts';
import type { Decoded } from './decoded.ts';

/** Members of a JWK that only its owner may know (RFC 7518 §6.2.2, §6.3.2, §6.4.1). */
export const privateMembers: readonly string[] = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

const isSecret = (name: string, isKey: boolean): boolean =>
  serverInitiated.secretMembers.has(name) || (isKey && privateMembers.includes(name));

/** A value with a mark for each credential that its name tells, however short it is; what is empty hides nothing. */
function markSecrets(value: Json, redactor: Redactor): Json {
  if (isList(value)) return value.map((item) => markSecrets(item, redactor));
  if (!isJsonObject(value)) return value;
  const isKey = Object.hasOwn(value, 'kty');
  const marked: Record<string, Json> = {};
  for (const [name, member] of Object.entries(value)) {
    const text = plainText(member);
    const hides = isSecret(name, isKey) && member !== null && text !== '';
    setOwn(marked, name, hides ? redactor.mark(name, text) : markSecrets(member, redactor));
  }
  return marked;
}

const cleanObject = (value: JsonObject | undefined, redactor: Redactor): JsonObject | undefined => {
  const clean = value === undefined ? undefined : redactor.json(markSecrets(value, redactor));
  return isJsonObject(clean) ? clean : undefined;
};

function withoutSecretsIn({ type, header, claims, body }: Recognized, redactor: Redactor): Recognized {
  return {
    type,
    inside: [],
    ...defined({
      header: cleanObject(header, redactor),
      claims: cleanObject(claims, redactor),
      body: body === undefined ? undefined : redactor.json(markSecrets(body, redactor)),
    }),
  };
}

/** Credentials that stand anywhere in a message, or in those inside it. */
function learnFrom({ header, claims, body, inside }: Recognized, redactor: Redactor): void {
  for (const part of [header, claims, body]) redactor.learnMembers(part);
  for (const { found } of inside) learnFrom(found, redactor);
}

const clean = (decoded: Decoded, redactor: Redactor): Decoded => ({
  ...decoded,
  found: withoutSecretsIn(decoded.found, redactor),
  findings: decoded.findings.map((finding) => ({
    ...finding,
    expected: redactor.json(finding.expected),
    actual: redactor.json(markSecrets(finding.actual, redactor)),
  })),
  inside: decoded.inside.map(({ member, decoded: inner }) => ({ member, decoded: clean(inner, redactor) })),
});

export const openRedactor = (): Redactor => createRedactor(serverInitiated.secretMembers);

/** A message as it may be printed: tokens stay out of what is printed, as they stay out of results, for terminals are shared and logged. */
export function withoutSecrets(decoded: Decoded, redactor: Redactor): Decoded {
  learnFrom(decoded.found, redactor);
  return clean(decoded, redactor);
}
