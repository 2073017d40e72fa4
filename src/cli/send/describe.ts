import { countOf, groupBy } from '../../lib/lists.ts';
import type { Message } from '../../model/exchange.ts';
import type { Finding } from '../../model/finding.ts';
import type { InvariantResult } from '../../model/result.ts';
import { renderRuleRef } from '../../model/rule.ts';
import type { Verdict } from '../../model/verdict.ts';
import { levelTone, type Page, type Tone } from '../../report/shared/layout.ts';
import { renderFinding, verdictLegend } from '../../report/shared/prose.ts';
import { cutText, forTerminal } from '../../report/shared/sanitize.ts';
import { isAccepted, type Report } from './ask.ts';
import { renderDelivery } from './delivery-view.ts';
import { renderRequest, renderResponse } from './exchange-view.ts';
import type { Inquiry } from './inquiry.ts';

/** A rule of the baseline may not count for the outcome (P8). */
const countWords = ({ apart }: Report, { rule }: Finding): string =>
  apart.has(rule) ? ', not counted for the outcome' : '';

/** What should have been, and what came, where the sentence of the finding does not say it. */
function cameWords(finding: Finding): string {
  const { summary, expected, actual } = renderFinding(finding);
  return summary.includes(actual) ? summary : `expected: ${expected}; came: ${actual}`;
}

/** The same of several messages is said once. */
function renderBroken(page: Page, report: Report, { id, title, findings }: InvariantResult): readonly string[] {
  const alike = groupBy(findings, (finding) => `${renderRuleRef(finding)} ${cameWords(finding)}`);
  return [...alike.values()].flatMap((group) => {
    const [finding] = group;
    if (finding === undefined) return [];
    const times = group.length === 1 ? '' : `${group.length} times: `;
    return [
      ...page.fact(renderRuleRef(finding), `${finding.level}${countWords(report, finding)}: ${title} (${id})`, {
        tone: levelTone(page, finding.level),
      }),
      ...page.paragraph(times + cameWords(finding), { indent: 13 }),
    ];
  });
}

/** What the steps of a case expected and did not get. */
function renderFound(page: Page, report: Report): readonly string[] {
  return (report.case?.findings ?? []).flatMap((finding) => [
    '',
    ...page.fact(renderRuleRef(finding), `${finding.level}${countWords(report, finding)}: ${cameWords(finding)}`, {
      tone: levelTone(page, finding.level),
    }),
  ]);
}

function renderJudged(page: Page, report: Report): readonly string[] {
  const { invariants } = report;
  if (invariants.length === 0) return ['', 'No invariant had anything to judge.'];
  const broken = invariants.filter(({ violations }) => violations > 0);
  const count = countOf(invariants.length, 'invariant');
  if (broken.length === 0) return ['', page.paint.green(`${count} judged, none broken`)];
  return ['', `${count} judged, ${broken.length} broken`, ...broken.flatMap((one) => renderBroken(page, report, one))];
}

/** Where the steps could not be finished; that a request whose flags may be refused brings no callback is not reported. */
function renderStopped(page: Page, { request, case: ended }: Report, { mayBeRefused }: Inquiry): readonly string[] {
  const isRefused = mayBeRefused && request !== undefined && !isAccepted(request);
  if (ended?.reason === undefined || isRefused) return [];
  const text = `${ended.verdict} (${verdictLegend[ended.verdict]}): ${ended.reason}`;
  return ['', ...page.paragraph(forTerminal(text), { indent: 0, tone: page.paint.yellow })];
}

function verdictTone({ paint }: Page, verdict: Verdict): Tone {
  if (verdict === 'pass' || verdict === 'informational') return paint.green;
  return verdict === 'fail' || verdict === 'error' ? paint.red : paint.yellow;
}

/** One line of each rule that the cases beside judge, and below it what they found. */
function renderRules(page: Page, { rules, beside, leftOut }: Report): readonly string[] {
  if (rules.length === 0) return [];
  const found = beside.flatMap(({ findings }) => findings);
  return [
    '',
    `${countOf(rules.length, 'rule')} judged by ${countOf(beside.length, 'case')}`,
    ...rules.flatMap(({ id, verdict, description, reason }) => [
      ...page.fact(id, `${verdict}: ${description}`, { tone: verdictTone(page, verdict) }),
      ...(verdict === 'pass' ? [] : page.paragraph(reason, { indent: 13 })),
      ...found
        .filter(({ rule }) => rule === id)
        .flatMap((finding) => page.paragraph(cameWords(finding), { indent: 13 })),
    ]),
    ...(leftOut.length === 0
      ? []
      : page.paragraph(`not run here, since they send a push: carrierspec run ${leftOut.join(' ')}`, { indent: 0 })),
  ];
}

/** What was awaited: a step before the request that awaits something is not what the command is about. */
function renderAwaited(page: Page, report: Report, { awaits: word, at }: Inquiry): readonly string[] {
  const { deliveries, request } = report;
  if (word === undefined) return [];
  const isExpected = word === 'event' || (request !== undefined && isAccepted(request));
  if (deliveries.length === 0 && isExpected) return ['', `no ${word} came`];
  return deliveries.flatMap((one) => renderDelivery(page, one, { word, at, report }));
}

const inOneLine = (one: Message): string =>
  one.kind === 'exchange'
    ? `${one.method} ${one.url}: ${one.response === undefined ? 'no response' : `HTTP ${one.response.status}`}`
    : `${one.method} ${one.target}, delivered to the SP`;

/** What went before the request, a line each; where the request could not be sent, all that was. */
function renderBefore(page: Page, { request, case: ended }: Report): readonly string[] {
  const messages = ended?.messages ?? [];
  const before = request === undefined ? messages : messages.slice(0, messages.indexOf(request));
  const lines = before.flatMap((one) =>
    page.fact('before', cutText(inOneLine(one), 160), { indent: 0, tone: page.paint.dim }),
  );
  return lines.length === 0 ? [] : [...lines, ''];
}

/** Requests and responses, what was delivered, and which rules they break. */
export function renderReport(page: Page, report: Report, inquiry: Inquiry): string {
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
    ...renderFound(page, report),
    ...renderJudged(page, report),
    ...renderRules(page, report),
    ...renderStopped(page, report, inquiry),
    ...left.flatMap((text) => page.fact('left', text, { indent: 0, tone: page.paint.yellow })),
  ];
  return `${lines.join('\n').trimStart()}\n`;
}
