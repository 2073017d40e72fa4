import { recordedContent, recordedExchange } from '../../journal/contribution.ts';
import { classifyResponse, summarizeResponse } from '../../judge/classify.ts';
import { judgeExpectation } from '../../judge/expectations.ts';
import type { ResponseObservation } from '../../judge/observation.ts';
import { parseBody, defined } from '../../lib/json.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { Finding, FindingCode } from '../../model/finding.ts';
import type { Messages } from '../../model/interface.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { CaseResult } from '../../model/result.ts';
import type { Expectation } from '../../suite/expectations/expectations.ts';
import type { Case, Step } from '../../suite/suites.ts';

/** What one response shows by itself; others need what came of the request, or how often it was sent. */
const shownAlone: ReadonlySet<Outcome | undefined> = new Set(['accepted', 'denied', 'answered', undefined]);
/** What is said of these keys does not depend on what the recorder took out of a message. */
const codes: ReadonlySet<FindingCode> = new Set(['outcome', 'status', 'error-code']);

/** The response as the record shows it; undefined where the record has not all of it, or it never came. */
function observationOf(exchange: Exchange, { meant }: Pick<Messages, 'meant'>): ResponseObservation | undefined {
  const { response } = exchange;
  if (response === undefined || response.truncated === true) return undefined;
  const { status } = response;
  const body = meant(parseBody(response.body), response.body);
  const outcome = classifyResponse(status, body);
  return {
    ...recordedExchange(exchange),
    ...recordedContent(response),
    usual: true,
    status,
    outcome,
    summary: summarizeResponse(outcome, status, body),
    ...defined({ body }),
  };
}

/** The one exchange of a step; undefined where it had several, or another try decided. */
function exchangeOf({ name, times }: Step, { messages }: CaseResult, { steps }: Case): Exchange | undefined {
  if ((times ?? 1) > 1 || steps.some(({ interleave }) => interleave === name)) return undefined;
  const own = messages.filter((one): one is Exchange => one.kind === 'exchange' && one.step === name);
  const [first, ...others] = own.filter(({ attempt }) => attempt === undefined);
  return others.length > 0 || own.some(({ attempt }) => attempt === 'later') ? undefined : first;
}

const noScope = { now: () => 0, random: () => '', root: () => undefined };

const isOf = ({ position, step, rule }: Finding, of: Step, expectation: Expectation): boolean =>
  step === of.name &&
  position.line === expectation.position.line &&
  position.column === expectation.position.column &&
  expectation.rules.some((ref) => ref.rule === rule);

function expectationFlaw(
  expectation: Expectation,
  observation: ResponseObservation,
  { step, result }: { readonly step: Step; readonly result: CaseResult },
): string | undefined {
  const { outcome, status, error, rules, position } = expectation;
  if (!shownAlone.has(outcome)) return undefined;
  const judged = judgeExpectation({ rules, position, ...defined({ outcome, status, error }) }, observation, noScope);
  const stated = result.findings.filter(
    (finding) => codes.has(finding.code) && finding.message === observation.message && isOf(finding, step, expectation),
  );
  const what = `the case ${result.id}`;
  const message = `the message ${observation.message}, ${observation.summary},`;
  const missing = judged.find(({ code }) => stated.every((finding) => finding.code !== code));
  if (missing !== undefined) {
    const wanted = JSON.stringify(missing.expected);
    return `${what} has no finding of ${rules.map(({ rule }) => rule).join(', ')} in step ${step.name}, and ${message} is not ${wanted}`;
  }
  const invented = stated.find(({ code }) => judged.every((one) => one.code !== code));
  return invented === undefined
    ? undefined
    : `${what} has a finding of ${invented.rule} (${invented.code}), and ${message} is as it should be`;
}

/** Judges the recorded response of a step again: its outcome, its status and its error code. */
export function responsesFlaw(result: CaseResult, given: Case, messages: Pick<Messages, 'meant'>): string | undefined {
  // A case that did not come to its end, or of which only findings of one rule stand, says less than its messages.
  if (result.startedAt === 0 || result.reason !== undefined) return undefined;
  for (const step of given.steps) {
    if (step.control || step.expectations.length === 0) continue;
    const exchange = exchangeOf(step, result, given);
    const observation = exchange === undefined ? undefined : observationOf(exchange, messages);
    if (observation === undefined) continue;
    for (const expectation of step.expectations) {
      const wrong = expectationFlaw(expectation, observation, { step, result });
      if (wrong !== undefined) return wrong;
    }
  }
  return undefined;
}
