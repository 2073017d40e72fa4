import { standsAnyway } from '../../verdict/root-cause.ts';
import { confirmedVerdict, countedVerdict } from '../../verdict/standing.ts';
import { omitUndefined } from '../../lib/json.ts';
import type { Message } from '../../model/exchange.ts';
import type { Finding } from '../../model/finding.ts';
import type { CaseResult } from '../../model/result.ts';
import type { Case } from '../../suite/suites.ts';
import type { RunServices } from '../context/case-context.ts';
import type { AssignedCase } from '../plan/assign.ts';
import { type PlainNeed, plainNeeds } from './plain-needs.ts';
import type { Controls } from './controls.ts';
import { type PlainRun, type PlainOutcome, findDroppedEvent, mayBeDuplicate } from './plain-case.ts';

export interface ConfirmServices {
  readonly services: RunServices;
  readonly controls: Controls;
  /** Seconds left of the budget. */
  readonly left: () => number;
  /** Whether a case with a required finding runs a second time. */
  readonly again: boolean;
}

export interface FinishedCase {
  readonly planned: AssignedCase;
  readonly order: number;
  readonly result: CaseResult;
}

export const isSerious = ({ level }: Finding): boolean => level !== 'informational';
export const isRequired = (finding: Finding): boolean => countedVerdict(finding) === 'fail';

/** Steps with findings; without any, the step that prevented a verdict. */
function decisiveSteps({ findings, unmet = '' }: CaseResult): readonly string[] {
  const found = findings.filter(isSerious).flatMap(({ step }) => step ?? []);
  return found.length > 0 ? found : [unmet];
}

/**
 * Keeps only the findings of rules that the plain case breaks as well, and tokens that came (P21): these are of the rule by which they came
 * in the plain case, if they did.
 */
function keepCauseFindings(
  result: CaseResult,
  { cause, broken, carries, reason }: PlainOutcome,
  { rules }: Pick<RunServices, 'rules'>,
): CaseResult {
  const ofCause = (one: Finding): Finding => {
    if (cause === undefined || carries !== true) return one;
    const { aspect: _, stated: __, ...rest } = one;
    return { ...rest, rule: cause.rule, ...rules.bindingOf({ rule: cause.rule }) };
  };
  const findings = result.findings.flatMap((one) => {
    if (broken?.has(one.rule) === true) return [one];
    return standsAnyway(one) ? [ofCause(one)] : [];
  });
  const why = result.reason ?? reason;
  return {
    ...result,
    findings,
    verdict: confirmedVerdict(findings, why),
    ...omitUndefined({ reason: why, followsFrom: cause }),
  };
}

interface ControlStep {
  readonly need: PlainNeed;
  readonly plain: Case;
  readonly given: Case;
  readonly result: CaseResult;
  readonly asked: () => PlainRun;
}

/** The case after its plain cases; `result` is undefined if its own findings stand. */
interface ControlledCase {
  readonly result?: CaseResult;
  readonly messages: readonly Message[];
}

/** Traces a missed event to dropped later events about a subscriber; `shown` is undefined if the plain case is the case itself. */
async function traceMissed(
  { need, plain, given, result, asked }: ControlStep,
  shown: PlainOutcome | undefined,
  { controls, services }: ConfirmServices,
): Promise<ControlledCase> {
  if (!mayBeDuplicate(need, { given, shown }, services)) return { messages: [] };
  const { status, reason = '', messages } = await controls.repeat(plain, asked(), shown?.status === 'holds');
  if (status === 'unknown') {
    const why = result.reason === undefined ? reason : `${result.reason}; ${reason}`;
    return { result: { ...result, findings: [], verdict: 'inconclusive', reason: why }, messages };
  }
  const findings = status === 'dropped' ? findDroppedEvent(need, given, services) : [];
  const [finding] = findings;
  if (finding === undefined) return { messages };
  const confirmation = isRequired(finding) ? { status: 'confirmed' as const } : undefined;
  const followsFrom = { rule: finding.rule, case: given.id };
  const verdict = confirmedVerdict(findings, result.reason);
  return { result: { ...result, findings, verdict, followsFrom, ...omitUndefined({ confirmation }) }, messages };
}

/** Most plain cases for one step: it spaces the numbers in their message ids. */
const maxPlainCases = 10;

/** Whether the plain case holds for the case's own client and subscriber. If it does, the client or subscriber that the step names is special. */
async function probeSpecialParties(
  { need: { whose }, plain, asked, result }: ControlStep,
  { planned: { assignment } }: FinishedCase,
  { controls }: ConfirmServices,
): Promise<{ readonly special: boolean; readonly messages: readonly Message[] }> {
  const isNamed = whose.client !== assignment.client || whose.subscriber !== assignment.subscriber;
  if (!isNamed) return { special: false, messages: [] };
  const { time = 1, ...others } = asked();
  const usual = { ...others, assignment, time: time + maxPlainCases };
  const { status, messages } = await controls.run(plain, usual, !result.findings.some(isSerious));
  return { special: status === 'holds', messages };
}

/** Whether the plain case is the case itself, or could only repeat its findings. */
function isSelfControl({ plain, given, result }: ControlStep): boolean {
  const red = result.findings.filter(isSerious);
  const own = plain.rules[0]?.rule;
  return plain.id === given.id || (red.length > 0 && red.every(({ rule }) => rule === own));
}

async function controlStep(
  one: ControlStep,
  first: FinishedCase,
  confirming: ConfirmServices,
): Promise<ControlledCase> {
  const { plain, result, asked } = one;
  const isUnmet = !result.findings.some(isSerious);
  const shown = isSelfControl(one) ? undefined : await confirming.controls.run(plain, asked(), isUnmet);
  const traced = await traceMissed(one, shown, confirming);
  const messages = [...(shown?.messages ?? []), ...traced.messages];
  if (traced.result !== undefined || (shown?.status !== 'fails' && shown?.status !== 'unmet'))
    return { ...traced, messages };
  const { special, messages: more } = await probeSpecialParties(one, first, confirming);
  return {
    ...(special ? {} : { result: keepCauseFindings(result, shown, confirming.services) }),
    messages: [...messages, ...more],
  };
}

/** Runs the plain cases that a case builds on, with the same client and subscriber. */
export async function runPlainControls(first: FinishedCase, confirming: ConfirmServices): Promise<CaseResult> {
  const { planned, order, result } = first;
  const { controls, left, services } = confirming;
  const { assignment, case: given } = planned;
  let messages = result.messages;
  for (const [index, need] of plainNeeds(decisiveSteps(result), planned, services).entries()) {
    const { word, whose } = need;
    const plain = controls.find(word, whose, { anyTag: whose.subscriber !== assignment.subscriber });
    if (plain === undefined) continue;
    const time = 1 + 2 * index * maxPlainCases;
    const asked = (): PlainRun => ({ assignment: whose, of: given.id, order, left: left(), time });
    const traced = await controlStep({ need, plain, given, result, asked }, first, confirming);
    messages = [...messages, ...traced.messages];
    if (traced.result !== undefined) return { ...traced.result, messages };
  }
  return { ...result, messages };
}
