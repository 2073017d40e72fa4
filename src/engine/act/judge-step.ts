import { isThrottled, mayPass } from '../../judge/classify.ts';
import { findMismatches } from '../../judge/invariants.ts';
import { excuseByLag } from '../../judge/lag.ts';
import type { Observation, OperatorReply, ResponseObservation } from '../../judge/observation.ts';
import { asFindings, type Mismatch } from '../../judge/rule-book.ts';
import { type Json, omitUndefined } from '../../lib/json.ts';
import { truncateText } from '../../lib/truncation.ts';
import type { Finding } from '../../model/finding.ts';
import { MissingValue } from '../../model/suite.ts';
import type { Expectation } from '../../suite/expectations/expectations.ts';
import type { Step } from '../../suite/suites.ts';
import { type CaseContext, type CaseWith, Unmet } from '../context/case-context.ts';
import { addFindings, redactFinding } from '../context/open-context.ts';
import { fullSummary, isRootRefusal, judgeRefusal, noteAccepted, noteRefused, requiresAcceptance } from './refusal.ts';
import { expectsStatus, expectsThrottling } from './repeat.ts';

/** Whether a control without expectations succeeded, as the case needs. */
function controlSucceeds(observation: Observation): boolean {
  if (observation.kind === 'response') return observation.outcome === 'accepted';
  return observation.kind === 'await' || observation.kind === 'events' ? observation.count > 0 : true;
}

const unreachableReasons: ReadonlySet<string> = new Set(['refused', 'unresolved', 'tls']);

/** Whether the carrier could not be reached, so the response says nothing about a rule. */
export const isUnreachable = ({ noResponse }: ResponseObservation): boolean =>
  noResponse !== undefined && unreachableReasons.has(noResponse);

/** Explains a refusal by a signing algorithm that discovery does not list (C7.22); undefined if it lists it. */
function explainUnlistedAlgorithm(
  { header }: ResponseObservation,
  { services }: CaseWith<never, 'endpoints'>,
): string | undefined {
  const { algorithms = [] } = services.endpoints;
  const alg = header?.['alg'];
  if (typeof alg !== 'string' || algorithms.length === 0 || algorithms.includes(alg)) return undefined;
  return `discovery lists ${algorithms.join(', ')}, and not ${alg}, by which this request is signed`;
}

/**
 * Throws Unmet if a request that must be accepted got no response in time. If its origin has responded, the network works: that is a finding
 * of the rule of responses, and of no other.
 */
function requireResponse(step: Step, observation: ResponseObservation, ctx: CaseContext): void {
  const { noResponse, usual, summary: actual, url, message } = observation;
  const { rules, interface: certified, state } = ctx.services;
  const rule = rules.find(certified.responseRule)?.id;
  if (noResponse !== 'timeout' || !usual || !requiresAcceptance(step) || rule === undefined) return;
  if (!state.respondedFrom.has(new URL(url).origin)) return;
  const { name, position } = step;
  const place = { step: name, position, ...omitUndefined({ message }) };
  const finding = {
    rule,
    ...rules.bindingOf({ rule }),
    code: 'outcome' as const,
    expected: 'accepted',
    actual,
    ...place,
  };
  addFindings([redactFinding(finding, ctx)], ctx.state);
  throw new Unmet(`step ${name}: ${actual}`, name);
}

function requireMeaningful(
  step: Step,
  observation: ResponseObservation,
  ctx: CaseWith<'client', 'endpoints' | 'interface'>,
): void {
  const { summary } = observation;
  if (isUnreachable(observation)) throw new Unmet(`step ${step.name}: ${summary}`);
  if (isThrottled(observation) && !expectsThrottling(step) && !expectsStatus(step, observation)) {
    const why = `the carrier throttled it (${summary}), so it says nothing about the request`;
    throw new Unmet(`step ${step.name}: ${why}`, step.name);
  }
  if (observation.outcome === 'denied' && requiresAcceptance(step)) {
    const why =
      explainUnlistedAlgorithm(observation, ctx) ?? ctx.services.interface.mayBeUnregistered(observation, ctx.client);
    if (why !== undefined) throw new Unmet(`step ${step.name}: ${summary}, and ${why}`, step.name);
  }
}

/** Judges the operator's answer about the phone. */
const judgeOperatorAnswer = ({ holds, words, answer: actual }: OperatorReply): readonly Mismatch[] =>
  holds ? [] : [{ code: 'not-seen', path: 'card', expected: words, actual }];

/** Whether an expectation about a message's content has no message to judge: it neither holds nor fails. */
const lacksMessage = ({ outcome, count, equalsOrAbsent }: Expectation, observation: Observation): boolean =>
  (observation.kind === 'await' || observation.kind === 'events') &&
  observation.count === 0 &&
  outcome === undefined &&
  count === undefined &&
  equalsOrAbsent === undefined;

interface StepJudgement {
  readonly findings: readonly Finding[];
  /** Number of mismatches, with or without a rule. */
  readonly failed: number;
  readonly unanswered: number;
  /** Reason why a mismatch may be our fault: the receiver lagged behind. */
  readonly excuse: string | undefined;
}

/** Judges an expectation. A message without the value that it compares leaves its rules open, and no others. */
function judgeOrLeaveOpen(
  judge: () => readonly Mismatch[],
  { rules }: Expectation,
  { state }: Pick<CaseContext, 'state'>,
): readonly Mismatch[] {
  try {
    return judge();
  } catch (error) {
    if (!(error instanceof MissingValue)) throw error;
    state.open.push({ rules: rules.map(({ rule }) => rule), missing: error });
    return [];
  }
}

function judgeExpectations(
  step: Step,
  observation: Observation,
  ctx: CaseWith<'redactor' | 'scope' | 'state', 'interface' | 'rules'>,
): StepJudgement {
  const {
    rules,
    interface: { checks },
  } = ctx.services;
  const said = observation.kind === 'look' ? observation.said : undefined;
  const findings: Finding[] = [];
  let [unanswered, failed, excuse]: [number, number, string | undefined] = [0, 0, undefined];
  for (const [index, expectation] of step.expectations.entries()) {
    if (lacksMessage(expectation, observation)) {
      unanswered += 1;
      continue;
    }
    const excused = excuseByLag(expectation, observation);
    excuse ??= excused?.reason;
    const operator = said?.[index];
    const judge = (): readonly Mismatch[] =>
      operator === undefined
        ? findMismatches(excused?.rest ?? expectation, observation, { scope: ctx.scope(), checks })
        : judgeOperatorAnswer(operator);
    const mismatches = step.control ? judge() : judgeOrLeaveOpen(judge, expectation, ctx);
    failed += mismatches.length;
    const place = {
      step: step.name,
      position: expectation.position,
      ...omitUndefined({ message: observation.message }),
      ...(observation.kind === 'response' && mayPass(observation) ? { mayPass: true as const } : {}),
    };
    const found = mismatches.flatMap((mismatch) => asFindings(mismatch, expectation.rules, { ...place, rules }));
    findings.push(...found.map((finding) => redactFinding(finding, ctx)));
  }
  return { findings, failed, unanswered, excuse };
}

/** Most findings named in the reason of a control, and longest value in characters. */
const [mostMissing, longestShown] = [3, 160];

function renderFindingValue(value: Json): string {
  const whole = typeof value === 'string' ? value : value === null ? 'nothing' : JSON.stringify(value);
  return truncateText(whole, longestShown);
}

/** Describes what was expected, and what came instead unless the summary of the step says it. */
function describeShortfall({ code, path, expected, actual }: Finding): string {
  if (code === 'outcome') return `not ${renderFindingValue(expected)}`;
  if (code === 'not-seen') return `not seen: ${renderFindingValue(expected)}`;
  return `${path === undefined ? '' : `${path} `}should be ${renderFindingValue(expected)}, was ${renderFindingValue(actual)}`;
}

/** Throws Unmet unless the control holds. */
async function requireControl(
  step: Step,
  observation: Observation,
  {
    judged: { findings, failed, unanswered, excuse },
    ctx,
  }: { readonly judged: StepJudgement; readonly ctx: CaseContext },
): Promise<void> {
  if (excuse !== undefined) throw new Unmet(`control ${step.name}: ${excuse}`);
  const holds = step.expectations.length === 0 ? controlSucceeds(observation) : failed + unanswered === 0;
  if (holds) return;
  await noteRefused(observation, step, ctx);
  const advice = ctx.services.interface.mayBeUndeclared(observation) ?? [];
  const lacks = findings.slice(0, mostMissing).map(describeShortfall);
  const reasons = [fullSummary(observation), ...lacks].concat(advice).join('; ');
  throw new Unmet(`control ${step.name} did not succeed: ${reasons}`, step.name);
}

/** Judges the observation of a step. Throws Unmet if the rest of the case has no meaning. */
export async function judgeStep(step: Step, observation: Observation, ctx: CaseContext): Promise<void> {
  noteAccepted(observation, ctx);
  if (observation.kind === 'response') {
    requireResponse(step, observation, ctx);
    requireMeaningful(step, observation, ctx);
  }
  const refused = judgeRefusal(step, observation, ctx);
  if (refused.length > 0) {
    addFindings(refused, ctx.state);
    ctx.state.refused = true;
    throw new Unmet(`step ${step.name} was refused: ${fullSummary(observation)}`, step.name);
  }
  const judged = judgeExpectations(step, observation, ctx);
  if (step.control) {
    await requireControl(step, observation, { judged, ctx });
    return;
  }
  const isAtTheRoot = requiresAcceptance(step) && isRootRefusal(observation, ctx);
  const found = judged.findings.map((one) => (isAtTheRoot ? { ...one, root: true as const } : one));
  addFindings(found, ctx.state);
  if (isAtTheRoot) await noteRefused(observation, step, ctx);
  if (judged.excuse !== undefined) throw new Unmet(`step ${step.name}: ${judged.excuse}`);
  const awaited =
    observation.kind === 'events' || (observation.kind === 'await' && observation.sent.outcome === 'accepted');
  if (judged.unanswered > 0 && awaited) {
    throw new Unmet(`step ${step.name}: ${observation.summary}, so there is nothing to judge`, step.name);
  }
}
