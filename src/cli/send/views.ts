import { isJsonObject, type Json } from '../../lib/json.ts';
import { countNoun, groupBy } from '../../lib/lists.ts';
import {
  describeNoResponse,
  type Delivery,
  type Exchange,
  type HeaderLines,
  type Message,
  type RecordedMessage,
} from '../../model/exchange.ts';
import type { Finding } from '../../model/finding.ts';
import type { InvariantResult } from '../../model/result.ts';
import { renderRuleRef, type Verdict } from '../../model/rule.ts';
import { renderDifferences } from '../../report/shared/facts.ts';
import { levelTone, type Page, type Tone } from '../../report/shared/layout.ts';
import { renderFinding, verdictLegend } from '../../report/shared/prose.ts';
import { cutText, forTerminal } from '../../report/shared/sanitize.ts';
import { renderClockTime } from '../../report/shared/time.ts';
import { recognizeBody } from '../decode/judge-capture.ts';
import { viewKeys, renderKeys } from '../decode/key-view.ts';
import { renderObject } from '../shared/object-view.ts';
import { isAcceptedRequest, type InquiryReport } from './ask.ts';
import type { Inquiry } from './inquiry.ts';

/** Most header lines shown, and longest value in UTF-16 units; a hostile response may have thousands. */
const maxShownHeaders = 60;
const maxHeaderValue = 600;

function renderHead(page: Page, headers: HeaderLines, at: number): readonly string[] {
  return [
    ...page.fact('', `at ${renderClockTime(at, 'millisecond')}`, { indent: 0, tone: page.paint.dim }),
    ...renderHeaderFields(page, headers),
  ];
}

function renderHeaderFields(page: Page, headers: HeaderLines): readonly string[] {
  return [
    ...headers
      .slice(0, maxShownHeaders)
      .flatMap(([name, value]) =>
        page.paragraph(`${cutText(name, 80)}: ${cutText(value, maxHeaderValue)}`, { indent: 4 }),
      ),
    ...(headers.length > maxShownHeaders ? [`    and ${headers.length - maxShownHeaders} more`] : []),
  ];
}

const maxBodyText = 2000;

function renderMessageBody(
  page: Page,
  message: RecordedMessage,
  since: { readonly at: number; readonly is: string },
): readonly string[] {
  const found = recognizeBody(message);
  const keys = viewKeys(found);
  if (keys !== undefined) return renderKeys(page, keys);
  if (message.body === '') return [];
  const cut = message.truncated === true ? page.paragraph(`of ${message.bytes} bytes, cut`, { indent: 4 }) : [];
  const { body } = found;
  if (isJsonObject(body)) return [...renderObject(page, { part: 'body', value: body, differences: [], since }), ...cut];
  return [...page.paragraph(cutText(message.body, maxBodyText), { indent: 4 }), ...cut];
}

/** False if the operator supplied the body: the generated object is not sent. */
const carriesObject = ({ object, differences }: Exchange): boolean =>
  object !== undefined && !differences.some(({ what }) => what === 'http.text');

function renderSigned(page: Page, exchange: Exchange): readonly string[] {
  const { differences, sentAt, ...request } = exchange;
  const object = carriesObject(exchange) ? exchange.object : undefined;
  const since = { at: Math.floor(sentAt / 1000), is: 'it was sent' };
  const parts =
    object === undefined
      ? []
      : [
          ...renderObject(page, { part: 'header', value: object.header, differences, since }),
          ...renderObject(page, { part: 'claims', value: object.claims, differences, since }),
        ];
  const others = differences.filter(({ what }) => !/^(?:header|claims)\./.test(what));
  const whole = renderDifferences({ ...request, differences: others, sentAt });
  return [
    ...parts,
    ...(others.length === 0 ? [] : page.fact('~ also', whole, { tone: page.paint.yellow })),
    ...(parts.length + others.length === 0 ? [] : ['']),
  ];
}

/** Renders the request: decoded object, request line, headers, and the body unless the object shows it. */
export function renderRequest(page: Page, exchange: Exchange, word = 'sent'): readonly string[] {
  const { method, url, request, sentAt } = exchange;
  const since = { at: Math.floor(sentAt / 1000), is: 'it was sent' };
  return [
    ...renderSigned(page, exchange),
    ...page.fact(word, `${method} ${url}`, { indent: 0, whole: true }),
    ...renderHead(page, request.headers, sentAt),
    ...(carriesObject(exchange) ? [] : renderMessageBody(page, request, since)),
  ];
}

/** `12 ms`, `1.2 s`. */
const formatTook = (milliseconds: number): string =>
  milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;

/** Renders the response, its body decoded, or the reason for its absence. `took`: milliseconds. */
function renderResponse(page: Page, exchange: Exchange, took: number | undefined): readonly string[] {
  const { response, noResponse, receivedAt } = exchange;
  const { green, red } = page.paint;
  if (response === undefined) {
    const why = noResponse === undefined ? 'nothing' : describeNoResponse(noResponse);
    return page.fact('response', why, { indent: 0, tone: red });
  }
  const after = took === undefined ? '' : `, after ${formatTook(took)}`;
  const since = { at: Math.floor(receivedAt / 1000), is: 'it came' };
  return [
    ...page.fact('response', `HTTP ${response.status} at ${renderClockTime(receivedAt, 'millisecond')}${after}`, {
      indent: 0,
      tone: response.status < 300 ? green : red,
    }),
    ...renderHeaderFields(page, response.headers),
    ...renderMessageBody(page, response, since),
  ];
}

/** Notes a rule that does not count for the outcome (P8). */
const describeCounting = ({ apart }: InquiryReport, { rule }: Finding): string =>
  apart.has(rule) ? ', not counted for the outcome' : '';

/** Returns the summary if it already contains the actual value, else expected and actual. */
function describeActual(finding: Finding): string {
  const { summary, expected, actual } = renderFinding(finding);
  return summary.includes(actual) ? summary : `expected: ${expected}; came: ${actual}`;
}

/** Groups identical findings of several messages. */
function renderBrokenInvariant(
  page: Page,
  report: InquiryReport,
  { id, title, findings }: InvariantResult,
): readonly string[] {
  const alike = groupBy(findings, (finding) => `${renderRuleRef(finding)} ${describeActual(finding)}`);
  return [...alike.values()].flatMap((group) => {
    const [finding] = group;
    if (finding === undefined) return [];
    const times = group.length === 1 ? '' : `${group.length} times: `;
    return [
      ...page.fact(renderRuleRef(finding), `${finding.level}${describeCounting(report, finding)}: ${title} (${id})`, {
        tone: levelTone(page, finding.level),
      }),
      ...page.paragraph(times + describeActual(finding), { indent: 13 }),
    ];
  });
}

function renderCaseFindings(page: Page, report: InquiryReport): readonly string[] {
  return (report.case?.findings ?? []).flatMap((finding) => [
    '',
    ...page.fact(
      renderRuleRef(finding),
      `${finding.level}${describeCounting(report, finding)}: ${describeActual(finding)}`,
      { tone: levelTone(page, finding.level) },
    ),
  ]);
}

function renderInvariantResults(page: Page, report: InquiryReport): readonly string[] {
  const { invariants } = report;
  if (invariants.length === 0) return ['', 'No invariant had anything to judge.'];
  const broken = invariants.filter(({ violations }) => violations > 0);
  const count = countNoun(invariants.length, 'invariant');
  if (broken.length === 0) return ['', page.paint.green(`${count} judged, none broken`)];
  return [
    '',
    `${count} judged, ${broken.length} broken`,
    ...broken.flatMap((one) => renderBrokenInvariant(page, report, one)),
  ];
}

/** Renders why the steps stopped, except after a refusal that the flags may provoke. */
function renderStopped(
  page: Page,
  { request, case: ended }: InquiryReport,
  { mayBeRefused }: Inquiry,
): readonly string[] {
  const isRefused = mayBeRefused && request !== undefined && !isAcceptedRequest(request);
  if (ended?.reason === undefined || isRefused) return [];
  const text = `${ended.verdict} (${verdictLegend[ended.verdict]}): ${ended.reason}`;
  return ['', ...page.paragraph(forTerminal(text), { indent: 0, tone: page.paint.yellow })];
}

function verdictTone({ paint }: Page, verdict: Verdict): Tone {
  if (verdict === 'pass' || verdict === 'informational') return paint.green;
  return verdict === 'fail' || verdict === 'error' ? paint.red : paint.yellow;
}

function renderRules(page: Page, { rules, beside, leftOut }: InquiryReport): readonly string[] {
  if (rules.length === 0) return [];
  const found = beside.flatMap(({ findings }) => findings);
  return [
    '',
    `${countNoun(rules.length, 'rule')} judged by ${countNoun(beside.length, 'case')}`,
    ...rules.flatMap(({ id, verdict, description, reason }) => [
      ...page.fact(id, `${verdict}: ${description}`, { tone: verdictTone(page, verdict) }),
      ...(verdict === 'pass' ? [] : page.paragraph(reason, { indent: 13 })),
      ...found
        .filter(({ rule }) => rule === id)
        .flatMap((finding) => page.paragraph(describeActual(finding), { indent: 13 })),
    ]),
    ...(leftOut.length === 0
      ? []
      : page.paragraph(`not run here, since they send a push: carrierspec run ${leftOut.join(' ')}`, { indent: 0 })),
  ];
}

interface AwaitedDelivery {
  readonly word: 'callback' | 'event';
  /** Expected path and query, if only one place is awaited. */
  readonly at?: string | undefined;
  readonly report: InquiryReport;
}

/** Invariants that judge the signature of a delivery. */
const signatureJudges = { callback: 'id-tokens-signed-by-a-published-key', event: 'event-token-signed' } as const;

function describeSignature({ word, report: { invariants } }: AwaitedDelivery): string {
  const judge = invariants.find(({ id }) => id === signatureJudges[word]);
  if (judge === undefined)
    return word === 'event' ? 'signature not verified' : 'signature not verified: no keys were fetched';
  return judge.violations === 0 ? 'signature verified with a key of jwks_uri' : 'the signature does NOT verify';
}

const tokenNames = { callback: 'id token', event: 'SET' } as const;

function renderDelivery(page: Page, delivery: Delivery, awaited: AwaitedDelivery): readonly string[] {
  const { idToken: token, method, target, request, receivedAt } = delivery;
  const { word, at } = awaited;
  if (at !== undefined && target !== at)
    return page.fact('also came', `${method} ${target}`, { indent: 0, tone: page.paint.dim });
  const since = { at: Math.floor(receivedAt / 1000), is: 'it came' };
  const view = (part: string, value: Json): readonly string[] =>
    renderObject(page, { part: `${tokenNames[word]} ${part}`, value, differences: [], since });
  return [
    '',
    ...page.fact(word, `${method} ${target}`, { indent: 0 }),
    ...renderHead(page, request.headers, receivedAt),
    ...renderMessageBody(page, request, since),
    ...(token === undefined ? [] : [...view('header', token.header), ...view('claims', token.claims)]),
    ...(token === undefined ? [] : page.paragraph(describeSignature(awaited), { indent: 4, tone: page.paint.bold })),
  ];
}

/** Renders the awaited deliveries, or that none came. */
function renderAwaited(page: Page, report: InquiryReport, { awaits: word, at }: Inquiry): readonly string[] {
  const { deliveries, request } = report;
  if (word === undefined) return [];
  const isExpected = word === 'event' || (request !== undefined && isAcceptedRequest(request));
  if (deliveries.length === 0 && isExpected) return ['', `no ${word} came`];
  return deliveries.flatMap((one) => renderDelivery(page, one, { word, at, report }));
}

const messageLine = (one: Message): string =>
  one.kind === 'exchange'
    ? `${one.method} ${one.url}: ${one.response === undefined ? 'no response' : `HTTP ${one.response.status}`}`
    : `${one.method} ${one.target}, delivered to the SP`;

/** Renders earlier messages, one line each; all messages if the request was not sent. */
function renderBefore(page: Page, { request, case: ended }: InquiryReport): readonly string[] {
  const messages = ended?.messages ?? [];
  const before = request === undefined ? messages : messages.slice(0, messages.indexOf(request));
  const lines = before.flatMap((one) =>
    page.fact('before', cutText(messageLine(one), 160), { indent: 0, tone: page.paint.dim }),
  );
  return lines.length === 0 ? [] : [...lines, ''];
}

export function renderReport(page: Page, report: InquiryReport, inquiry: Inquiry): string {
  const { request, others, left, took } = report;
  const exchanges = [request, ...others].filter((one) => one !== undefined);
  const lines = [
    ...(inquiry.awaits === 'event' ? [] : renderBefore(page, report)),
    ...(request === undefined && inquiry.awaits !== 'event' ? ['The request was not sent.'] : []),
    ...exchanges.flatMap((one, at) => [
      ...(at === 0 ? [] : ['']),
      ...renderRequest(page, one),
      ...renderResponse(page, one, took.get(one.id)),
    ]),
    ...renderAwaited(page, report, inquiry),
    ...renderCaseFindings(page, report),
    ...renderInvariantResults(page, report),
    ...renderRules(page, report),
    ...renderStopped(page, report, inquiry),
    ...left.flatMap((text) => page.fact('left', text, { indent: 0, tone: page.paint.yellow })),
  ];
  return `${lines.join('\n').trimStart()}\n`;
}
