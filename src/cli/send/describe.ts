import { renderDifferences } from '../../report/shared/facts.ts';
import type { Page } from '../../report/shared/layout.ts';
import { renderFinding, verdictLegend } from '../../report/shared/prose.ts';
import { forTerminal } from '../../report/shared/sanitize.ts';
import { countOf } from '../../lib/lists.ts';
import { classifyResponse } from '../../judge/classify.ts';
import type { Delivery, Exchange, Message } from '../../model/exchange.ts';
import type { Finding } from '../../model/finding.ts';
import { type Json, parseBody } from '../../lib/json.ts';
import type { CaseResult, InvariantResult, Result } from '../../model/result.ts';
import { renderRuleRef } from '../../model/rule.ts';
import { renderObject } from '../shared/object-view.ts';

/** What one request object brought. Secrets are redacted in it, as in every result. */
export interface SendReport {
  readonly request: Exchange | undefined;
  readonly callbacks: readonly Delivery[];
  /** Invariants that had something to judge. */
  readonly invariants: readonly InvariantResult[];
  readonly case: CaseResult | undefined;
  /** What is left at the carrier, where it was interrupted. */
  readonly left: readonly string[];
}

const isExchange = (message: Message): message is Exchange => message.kind === 'exchange';
const isDelivery = (message: Message): message is Delivery => message.kind === 'delivery';

/** Of a step that was repeated, or throttled first, the exchange that a finding names; else the last. */
function requestOf({ messages, findings }: CaseResult, step: string): Exchange | undefined {
  const sent = messages.filter(isExchange).filter((message) => message.step === step && message.attempt === undefined);
  const named = new Set(findings.map(({ message }) => message));
  return sent.find(({ id }) => named.has(id)) ?? sent.at(-1);
}

/** `step` is the one whose request it is. */
export function reportOf(
  { cases, invariants, footer }: Pick<Result, 'cases' | 'invariants' | 'footer'>,
  step: string,
): SendReport {
  const [only] = cases;
  return {
    request: only && requestOf(only, step),
    callbacks: only?.messages.filter(isDelivery) ?? [],
    invariants: invariants.filter(({ judged }) => judged > 0),
    case: only,
    left: footer?.left ?? [],
  };
}

export const isAccepted = ({ response }: Exchange): boolean =>
  response !== undefined && classifyResponse(response.status, parseBody(response.body)) === 'accepted';

function renderSent(page: Page, { object, differences, sentAt, ...request }: Exchange): readonly string[] {
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
    '',
    ...page.fact('sent', `${request.method} ${request.url}`, { indent: 0, whole: true }),
  ];
}

function renderResponse(page: Page, { response, noResponse }: Exchange): readonly string[] {
  const { green, red } = page.paint;
  if (response === undefined) {
    const why = noResponse === undefined ? 'nothing' : `no response: ${noResponse.reason} (${noResponse.detail})`;
    return page.fact('response', why, { indent: 0, tone: red });
  }
  const text = `HTTP ${response.status} ${response.body}`.trimEnd();
  return page.fact('response', text, { indent: 0, tone: response.status < 300 ? green : red });
}

/** What became of the signature of the id token: the invariant that reads jwks_uri judges it. */
function signatureWords({ invariants }: SendReport): string {
  const judge = invariants.find(({ id }) => id === 'id-tokens-signed-by-a-published-key');
  if (judge === undefined) return 'signature not verified: no keys were fetched';
  return judge.violations === 0 ? 'signature verified with a key of jwks_uri' : 'the signature does NOT verify';
}

function renderCallback(page: Page, delivery: Delivery, report: SendReport): readonly string[] {
  const { idToken, method, target, request, receivedAt } = delivery;
  const since = { at: Math.floor(receivedAt / 1000), is: 'it came' };
  const view = (part: string, value: Json): readonly string[] =>
    renderObject(page, { part, value, differences: [], since });
  return [
    '',
    ...page.fact('callback', `${method} ${target} ${request.body}`, { indent: 0 }),
    ...(idToken === undefined
      ? []
      : [...view('id token header', idToken.header), ...view('id token claims', idToken.claims)]),
    ...(idToken === undefined ? [] : page.paragraph(signatureWords(report), { indent: 4, tone: page.paint.bold })),
  ];
}

const tones = (page: Page, { level }: Finding): ((text: string) => string) =>
  level === 'required' ? page.paint.red : level === 'recommended' ? page.paint.yellow : page.paint.dim;

function renderBroken(page: Page, { id, title, findings }: InvariantResult): readonly string[] {
  return findings.flatMap((finding) => [
    ...page.fact(renderRuleRef(finding), `${finding.level}: ${title} (${id})`, { tone: tones(page, finding) }),
    ...page.paragraph(renderFinding(finding).summary, { indent: 13 }),
  ]);
}

/** What the steps of a case expected and did not get. */
function renderFound(page: Page, { case: ended }: SendReport): readonly string[] {
  return (ended?.findings ?? []).flatMap((finding) => [
    '',
    ...page.fact(renderRuleRef(finding), `${finding.level}: ${renderFinding(finding).summary}`, {
      tone: tones(page, finding),
    }),
  ]);
}

function renderJudged(page: Page, { invariants }: SendReport): readonly string[] {
  if (invariants.length === 0) return ['', 'No invariant had anything to judge.'];
  const broken = invariants.filter(({ violations }) => violations > 0);
  const count = countOf(invariants.length, 'invariant');
  if (broken.length === 0) return ['', page.paint.green(`${count} judged, none broken`)];
  return ['', `${count} judged, ${broken.length} broken`, ...broken.flatMap((one) => renderBroken(page, one))];
}

/** Where the steps could not be finished; that a refused request brings no callback is not reported. */
function renderStopped(page: Page, report: SendReport): readonly string[] {
  const { request, case: ended } = report;
  if (ended?.reason === undefined || (request !== undefined && !isAccepted(request))) return [];
  const text = `${ended.verdict} (${verdictLegend[ended.verdict]}): ${ended.reason}`;
  return ['', ...page.paragraph(forTerminal(text), { indent: 0, tone: page.paint.yellow })];
}

/** The object with its differences marked, the response, the callbacks, and which invariants they break. */
export function renderSend(page: Page, report: SendReport, waits: boolean): string {
  const { request, callbacks, left } = report;
  const lines = [
    ...(request === undefined
      ? ['Nothing was sent.']
      : [...renderSent(page, request), ...renderResponse(page, request)]),
    ...callbacks.flatMap((callback) => renderCallback(page, callback, report)),
    ...(waits && callbacks.length === 0 && request !== undefined && isAccepted(request)
      ? ['', 'no callback came']
      : []),
    ...renderFound(page, report),
    ...renderJudged(page, report),
    ...renderStopped(page, report),
    ...left.flatMap((text) => page.fact('left', text, { indent: 0, tone: page.paint.yellow })),
  ];
  return `${lines.join('\n')}\n`;
}
