import type { MessageType } from '../../interfaces/server-initiated/decode/recognize.ts';
import { type Json, type JsonObject, omitUndefined } from '../../lib/json.ts';
import { countNoun, listRanges } from '../../lib/lists.ts';
import type { HeaderLines } from '../../model/exchange.ts';
import type { Finding } from '../../model/finding.ts';
import { renderRuleRef } from '../../model/rule.ts';
import type { Page } from '../../report/shared/layout.ts';
import { renderFinding } from '../../report/shared/prose.ts';
import { forTerminal } from '../../report/shared/sanitize.ts';
import { renderObject } from '../shared/object-view.ts';
import {
  type DecodedCapture,
  type DecodedExchange,
  type DecodedHalf,
  exchangeBreaksRequired,
} from './judge-capture.ts';
import type { DecodedInput } from './judge-decoded.ts';
import { viewKeys, renderKeys } from './key-view.ts';

const typeDescriptions: Readonly<Record<MessageType, string>> = {
  'request-object': 'request object (§2.2, §2.3)',
  'client-assertion': 'client assertion (§5.5)',
  'id-token': 'id token (§2.6)',
  'access-token':
    'access token, by its claims (RFC 9068): what stands in one is not shown (§2.6), and no rule judges it',
  'event-token': 'event token, SET (§6)',
  'usertrait-proof': 'proof of possession (§5.4)',
  jwt: 'JWT of no kind that the interface knows',
  encrypted: 'encrypted token, JWE: only the carrier can read it (§2.3 login_hint_token)',
  callback: 'callback body (§2.6)',
  response: 'response to a server-initiated request (§2.4)',
  refusal: 'refusal (§2.5)',
  tenure: 'SIM tenure response (§2.8)',
  'tenure-request': 'SIM tenure request (§2.8)',
  configuration: 'OpenID configuration of a carrier (§2.9)',
  jwks: 'JWK set (RFC 7517), judged as one that jwks_uri gives',
  jwk: 'JWK (RFC 7517), judged as one of a set that jwks_uri gives',
  userinfo: 'user info (§2.11)',
  token: 'response of the token endpoint',
  'carrier-of-one': 'body that carries a token',
  json: 'JSON of no kind that the interface knows',
  text: 'body that is no JSON',
};

/** Checks that no single message allows, by type. */
const unjudgedAspects: Readonly<Partial<Record<MessageType, string>>> = {
  'request-object': 'not judged: what is registered, how old it is when it arrives, and whether its jti was used',
  'id-token': 'not judged: nonce, acr and sub against the request',
  'event-token': 'not judged: whether its jti is new',
  configuration: 'not judged: whether its issuer issues, and whether anything responds at its URLs',
  jwks: 'not judged: whether the carrier signs with these keys',
  jwk: 'not judged: whether the carrier signs with it',
};

function renderBrokenRule(page: Page, finding: Finding): readonly string[] {
  const { red, yellow, dim } = page.paint;
  const tone = { required: red, recommended: yellow, informational: dim }[finding.level];
  const { expected, actual } = renderFinding(finding);
  const text = `${finding.level}: ${finding.path ?? 'it'} should be ${expected}; it is ${actual}`;
  return page.fact(renderRuleRef(finding), text, { tone });
}

function describeVerdict({ findings, judged }: DecodedInput): string {
  if (findings.length > 0) return `breaks ${countNoun(findings.length, 'rule')}`;
  return judged.length === 0 ? 'no rule can judge this message alone' : 'the message alone breaks no rule';
}

function renderFindings(page: Page, decoded: DecodedInput): readonly string[] {
  const { findings, found, judged, notJudged } = decoded;
  const aside = { indent: 0, tone: page.paint.dim };
  return [
    describeVerdict(decoded),
    ...findings.flatMap((finding) => renderBrokenRule(page, finding)),
    ...(judged.length === 0 ? [] : page.paragraph(`judged: ${listRanges(judged, 40)}`, aside)),
    ...page.paragraph(unjudgedAspects[found.type], aside),
    ...notJudged.flatMap(({ without, rules }) =>
      page.paragraph(`not judged without ${without}: ${listRanges(rules, 20)}`, aside),
    ),
  ];
}

/** Renders a message: its type, its contents, the rules it breaks, then nested messages. `now`: epoch seconds. */
export function renderDecoded(page: Page, decoded: DecodedInput, now: number): readonly string[] {
  const { found, signature, inside } = decoded;
  const keys = viewKeys(found);
  const part = (name: string, value: Json | JsonObject | undefined): readonly string[] =>
    value === undefined
      ? []
      : renderObject(page, { part: name, value, differences: [], since: { at: now, is: 'now' } });
  const { green, red, bold } = page.paint;
  return [
    bold(typeDescriptions[found.type]),
    ...part('header', found.header),
    ...part('claims', found.claims),
    ...(keys === undefined ? part('body', found.received ?? found.body) : renderKeys(page, keys)),
    ...page.fact('signature', signature?.description, { indent: 0, tone: signature?.verified === true ? green : red }),
    ...renderFindings(page, decoded),
    ...inside.flatMap((one) => ['', `in ${one.member}: ${renderDecoded(page, one.decoded, now).join('\n')}`]),
  ];
}

export function decodedJson({ found, judged, findings, notJudged, signature, inside }: DecodedInput): JsonObject {
  const { type, header, claims, body } = found;
  const broken = findings.map(({ rule, aspect, level, path, expected, actual }) =>
    omitUndefined({ rule, aspect, level, path, expected, actual }),
  );
  const verified = signature && { verified: signature.verified, description: signature.description };
  const keys = viewKeys(found)?.map((key) => ({ ...key }));
  return {
    type,
    ...omitUndefined({ header, claims, body, keys, signature: verified }),
    broken,
    judged: [...judged],
    ...(notJudged.length === 0 ? {} : { notJudged: notJudged.map((one) => ({ ...one })) }),
    inside: inside.map(({ member, decoded }) => ({ member, ...decodedJson(decoded) })),
  };
}

const captureLabels: Readonly<Record<DecodedCapture['kind'], string>> = { http: 'HTTP messages', har: 'HAR' };

/** Most header lines shown; a hostile head may have thousands. */
const maxCaptureHeaders = 40;

function renderCaptureHeaders(page: Page, headers: HeaderLines): readonly string[] {
  const left = headers.length - maxCaptureHeaders;
  return [
    ...headers
      .slice(0, maxCaptureHeaders)
      .map(([name, value]) => page.paint.dim(`  ${forTerminal(name, 80)}: ${forTerminal(value, 400)}`)),
    ...(left > 0 ? [page.paint.dim(`  and ${countNoun(left, 'more header line')}`)] : []),
  ];
}

interface CaptureView {
  readonly page: Page;
  readonly now: number;
  readonly withHeaders: boolean;
}

/** Longest text shown of an unrecognised body, in UTF-16 units. */
const maxBodyUnits = 600;

function renderHalfBody({ text, decoded }: DecodedHalf, { page, now }: CaptureView): readonly string[] {
  if (decoded === undefined) return [];
  const lines = renderDecoded(page, decoded, now);
  if (decoded.found.type !== 'text' || text !== undefined) return lines;
  return ['no body', ...(decoded.judged.length > 0 ? lines.slice(1) : [])];
}

function renderHalf(half: DecodedHalf, view: CaptureView): readonly string[] {
  const { headers, cut, text } = half;
  const { page, withHeaders } = view;
  return [
    ...(withHeaders ? renderCaptureHeaders(page, headers) : []),
    ...(text === undefined ? [] : [`  ${forTerminal(text, maxBodyUnits)}`]),
    ...page.paragraph(cut && `the body is not all there, and not judged: ${cut}`, { tone: page.paint.yellow }),
    ...(cut === undefined ? renderHalfBody(half, view) : []),
  ];
}

const requestLine = ({ form }: { readonly form?: string }, page: Page): string =>
  page.paint.dim(form === undefined ? 'request' : `request, ${forTerminal(form, 120)}`);

function renderExchange(exchange: DecodedExchange, view: CaptureView): readonly string[] {
  const { number, notes, url, request, response } = exchange;
  const { page } = view;
  const asked =
    request === undefined ? '' : `${forTerminal(request.method, 20)} ${forTerminal(url ?? request.target, 400)}`;
  const status = response === undefined ? 'no response' : `${response.status}`;
  const tone = exchangeBreaksRequired(exchange) ? page.paint.red.bold : page.paint.bold;
  return [
    '',
    tone(`#${number}  ${[asked, status].filter((part) => part !== '').join('  ')}`),
    ...notes.flatMap((note) => page.paragraph(note, { tone: page.paint.dim })),
    ...(request === undefined ? [] : [requestLine(request, page), ...renderHalf(request, view)]),
    ...(response === undefined ? [] : [page.paint.dim(`response ${response.status}`), ...renderHalf(response, view)]),
  ];
}

/** Renders a block for each exchange, then the counts. `now`: epoch seconds. */
export function renderCapture(
  page: Page,
  { kind, exchanges, leftOut }: DecodedCapture,
  now: number,
): readonly string[] {
  const broken = exchanges.filter(exchangeBreaksRequired).length;
  const view = { page, now, withHeaders: kind !== 'har' };
  return [
    page.paint.bold(`${captureLabels[kind]}: ${countNoun(exchanges.length + leftOut, 'exchange')}`),
    ...exchanges.flatMap((exchange) => renderExchange(exchange, view)),
    '',
    `${countNoun(broken, 'exchange breaks', 'exchanges break')} a required rule`,
    ...(leftOut === 0
      ? []
      : [`${countNoun(leftOut, 'exchange was', 'exchanges were')} left out: neither decoded nor judged`]),
  ];
}

const halfJson = ({ headers, cut, text, decoded }: DecodedHalf): JsonObject => ({
  headers: headers.map(([name, value]) => [name, value]),
  ...omitUndefined({ cut, text, message: decoded && decodedJson(decoded) }),
});

const exchangeJson = ({ number, notes, url, request, response }: DecodedExchange): JsonObject => ({
  number,
  ...omitUndefined({ url }),
  ...(notes.length === 0 ? {} : { notes }),
  ...(request === undefined
    ? {}
    : {
        request: {
          method: request.method,
          target: request.target,
          ...omitUndefined({ form: request.form }),
          ...halfJson(request),
        },
      }),
  ...(response === undefined ? {} : { response: { status: response.status, ...halfJson(response) } }),
});

export const captureJson = ({ kind, exchanges, leftOut }: DecodedCapture): JsonObject => ({
  type: kind,
  exchanges: exchanges.map(exchangeJson),
  leftOut,
});
