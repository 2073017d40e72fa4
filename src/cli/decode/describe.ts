import type { MessageType, Recognized } from '../../interfaces/server-initiated/decode/recognize.ts';
import type { Page } from '../../report/shared/layout.ts';
import { renderFinding } from '../../report/shared/prose.ts';
import { countOf } from '../../lib/lists.ts';
import { defined } from '../../lib/optional.ts';
import type { Finding } from '../../model/finding.ts';
import type { Json, JsonObject } from '../../lib/json.ts';
import { renderRuleRef } from '../../model/rule.ts';
import type { Verified } from './input.ts';
import { renderObject } from '../shared/object-view.ts';

/** A message, judged; those inside it likewise. */
export interface Decoded {
  readonly found: Recognized;
  readonly findings: readonly Finding[];
  readonly signature?: Verified;
  readonly inside: readonly { readonly member: string; readonly decoded: Decoded }[];
}

export const typeWords: Readonly<Record<MessageType, string>> = {
  'request-object': 'request object (§2.2, §2.3)',
  'client-assertion': 'client assertion (§5.5)',
  'id-token': 'id token (§2.6)',
  'event-token': 'event token, SET (§6)',
  'usertrait-proof': 'proof of possession (§5.4)',
  jwt: 'JWT of no kind that the interface knows',
  encrypted: 'encrypted token, JWE: only the carrier can read it (§2.3 login_hint_token)',
  callback: 'callback body (§2.6)',
  response: 'response to a server-initiated request (§2.4)',
  refusal: 'refusal (§2.5)',
  tenure: 'SIM tenure response (§2.8)',
  'carrier-of-one': 'body that carries a token',
  json: 'JSON of no kind that the interface knows',
};

/** What a single message cannot show. */
const notJudged: Readonly<Partial<Record<MessageType, string>>> = {
  'request-object': 'not judged: what is registered, how old it is when it arrives, and whether its jti was used',
  'id-token': 'not judged: nonce, acr and sub against the request',
  'event-token': 'not judged: iat against the moment it came, and whether its jti is new',
  callback: 'not judged: what must be as in the request, and the HTTP headers',
  response: 'not judged: correlation_id against the request, and the HTTP headers',
  refusal: 'not judged: correlation_id against the request, and the HTTP headers',
};

function renderBroken(page: Page, finding: Finding): readonly string[] {
  const { red, yellow, dim } = page.paint;
  const tone = { required: red, recommended: yellow, informational: dim }[finding.level];
  const { expected, actual } = renderFinding(finding);
  const text = `${finding.level}: ${finding.path ?? 'it'} should be ${expected}; it is ${actual}`;
  return page.fact(renderRuleRef(finding), text, { tone });
}

function renderFindings(page: Page, { findings, found }: Decoded): readonly string[] {
  return [
    ...(findings.length === 0
      ? ['breaks no rule that it shows alone']
      : [`breaks ${countOf(findings.length, 'rule')}`, ...findings.flatMap((finding) => renderBroken(page, finding))]),
    ...page.paragraph(notJudged[found.type], { indent: 0, tone: page.paint.dim }),
  ];
}

const unjudged: ReadonlySet<MessageType> = new Set(['jwt', 'encrypted', 'carrier-of-one', 'json']);

/** A message in words: what it is, what stands in it, what it breaks, then what is inside it. `now`: seconds. */
export function renderDecoded(page: Page, decoded: Decoded, now: number): readonly string[] {
  const { found, signature, inside } = decoded;
  const part = (name: string, value: Json | JsonObject | undefined): readonly string[] =>
    value === undefined
      ? []
      : renderObject(page, { part: name, value, differences: [], since: { at: now, is: 'now' } });
  const { green, red, bold } = page.paint;
  return [
    bold(typeWords[found.type]),
    ...part('header', found.header),
    ...part('claims', found.claims),
    ...part('body', found.body),
    ...page.fact('signature', signature?.description, { indent: 0, tone: signature?.verified === true ? green : red }),
    ...(unjudged.has(found.type) ? [] : renderFindings(page, decoded)),
    ...inside.flatMap((one) => ['', `in ${one.member}: ${renderDecoded(page, one.decoded, now).join('\n')}`]),
  ];
}

/** The same as data. */
export function decodedJson({
  found: { type, header, claims, body },
  findings,
  signature,
  inside,
}: Decoded): JsonObject {
  const broken = findings.map(({ rule, aspect, level, path, expected, actual }) =>
    defined({ rule, aspect, level, path, expected, actual }),
  );
  const verified = signature && { verified: signature.verified, description: signature.description };
  return {
    type,
    ...defined({ header, claims, body, signature: verified }),
    broken,
    inside: inside.map(({ member, decoded }) => ({ member, ...decodedJson(decoded) })),
  };
}
