import { countedVerdict } from '../../verdict/standing.ts';
import { omitUndefined } from '../../lib/json.ts';
import type { Message, NamedDifference } from '../../model/exchange.ts';
import type { Finding } from '../../model/finding.ts';
import type { CaseResult } from '../../model/result.ts';
import { type Case, caseRuleIds, type Step } from '../../suite/suites.ts';
import { isAcceptedExchange } from '../../verdict/response-class.ts';
import { findVerb } from '../act/verb.ts';
import type { JudgingServices, RunServices } from '../context/case-context.ts';
import { attemptCase, withoutWatch } from './plain-case.ts';
import type { FinishedCase } from './plain-control.ts';

export const isRefusedValue = ({ code }: Finding): boolean => code === 'refused';

/** Result of a request sent alone: `unknown` if it needs the steps before it. */
type AloneOutcome = 'refused' | 'accepted' | 'unknown';

/** Step that sends the request alone; with `whats`, only with these differences from the plain request. */
function requestAlone(
  { name, position, act, over }: Step,
  whats: ReadonlySet<string> | undefined,
  services: Pick<RunServices, 'interface'>,
): Step | undefined {
  const { only } = findVerb(act, services.interface.verbs);
  const alone = whats === undefined ? act : only?.(act, whats);
  const rest = { name, position, control: true, expectations: [], record: [], ...omitUndefined({ over }) };
  return alone && { ...rest, act: alone };
}

/** Sends the refused request again, without the steps before it. */
function createAloneTries(
  step: Step,
  { planned: { case: given, assignment }, order }: FinishedCase,
  services: RunServices,
) {
  const messages: Message[] = [];
  let time = 0;
  const send = async (whats?: ReadonlySet<string>): Promise<AloneOutcome> => {
    const alone = requestAlone(step, whats, services);
    if (alone === undefined) return 'unknown';
    time += 1;
    const only = withoutWatch({ ...given, steps: [alone], receiver: [] }, services);
    const trying = { case: only, assignment, of: given.id, order, name: 'again', time } as const;
    const result = await attemptCase(trying, services);
    if ('impossible' in result) return 'unknown';
    messages.push(...result.messages);
    if (result.findings.some(isRefusedValue)) return 'refused';
    return result.verdict === 'inconclusive' ? 'unknown' : 'accepted';
  };
  return { messages, send };
}

type AloneTries = ReturnType<typeof createAloneTries>;

/** Returns the findings whose difference is refused when it is sent alone. */
async function tryAlone(
  refusals: readonly Finding[],
  { send }: AloneTries,
  { rules }: JudgingServices,
): Promise<readonly Finding[]> {
  const shown: Finding[] = [];
  for (const one of refusals) {
    const allowed = rules.find(one.rule)?.accepts ?? [];
    if ((await send(new Set(allowed.map(({ what }) => what)))) === 'refused') shown.push(one);
  }
  return shown;
}

const ownFindings = (finding: Finding, { rules }: Case, services: Pick<RunServices, 'rules'>): readonly Finding[] =>
  rules.map((ref) => {
    const { aspect: _, stated: __, ...rest } = finding;
    return { ...rest, ...ref, ...services.rules.bindingOf(ref), code: 'outcome' };
  });

/** Whether rules allow every difference of the refused request from the plain one. */
function areDifferencesAllowed({ message }: Finding, { messages }: CaseResult, { rules }: JudgingServices): boolean {
  const sent = messages.find(({ id }) => id === message);
  return (
    sent?.kind === 'exchange' &&
    sent.differences.every((one) => one.what === 'client' || rules.accepting(one) !== undefined)
  );
}

/** Turns a refused value in the second try into findings of the case's own rules, as in the first try. */
export function attributeToCase(
  findings: readonly Finding[],
  given: Case,
  services: Pick<RunServices, 'rules'>,
): readonly Finding[] {
  const refusal = findings.find(isRefusedValue);
  if (refusal === undefined) return findings;
  return [...findings.filter((one) => !isRefusedValue(one)), ...ownFindings(refusal, given, services)];
}

interface AttributedRefusal {
  readonly findings: readonly Finding[];
  /** The findings are of all rules of the case: it has a verdict. */
  readonly isOwn: boolean;
  /** The request was refused again without the steps before it. */
  readonly isConfirmed: boolean;
}

const noDifferences: ReadonlySet<string> = new Set();

const differenceClient = (differences: readonly NamedDifference[]): unknown =>
  differences.find(({ what }) => what === 'client')?.value;

/** Whether the case has shown that the carrier accepts a request of this client. */
export function hadAcceptedRequest({ message }: Finding, { messages }: CaseResult): boolean {
  const sent = messages.find(({ id }) => id === message);
  if (sent?.kind !== 'exchange') return false;
  const before = messages.slice(0, messages.indexOf(sent));
  return before.some(
    (one) =>
      isAcceptedExchange(one) &&
      one.attempt === undefined &&
      one.url === sent.url &&
      differenceClient(one.differences) === differenceClient(sent.differences),
  );
}

/**
 * Attributes a refusal. It says nothing about a value if the plain request is refused as well and the case had none accepted. If
 * no difference alone causes it, all of them together or the steps before the request do: it breaks the case's own rules. A
 * control gets no finding if those steps, or a difference that no rule allows, may be the cause.
 */
async function attributeRefusal(
  refusals: readonly [Finding, ...Finding[]],
  step: Step,
  { planned: { case: given }, result }: FinishedCase,
  { tries, services }: { readonly tries: AloneTries; readonly services: RunServices },
): Promise<AttributedRefusal> {
  const isPlainAccepted = (await tries.send(noDifferences)) === 'accepted';
  if (!isPlainAccepted && !hadAcceptedRequest(refusals[0], result))
    return { findings: [], isOwn: false, isConfirmed: false };
  const alone = isPlainAccepted ? await tryAlone(refusals, tries, services) : [];
  if (alone.length > 0) {
    const found = new Set(alone.map(({ rule }) => rule));
    return { findings: alone, isOwn: [...caseRuleIds(given)].every((id) => found.has(id)), isConfirmed: true };
  }
  const isConfirmed = (await tries.send()) === 'refused';
  const mayBeRefused = step.control && !(isConfirmed && areDifferencesAllowed(refusals[0], result, services));
  if (mayBeRefused) return { findings: [], isOwn: false, isConfirmed };
  return { findings: ownFindings(refusals[0], given, services), isOwn: true, isConfirmed };
}

/** Finds the difference for which a request was refused: sends each alone, then all, without the steps before. */
export async function traceRefusal(refused: FinishedCase, services: RunServices): Promise<CaseResult | undefined> {
  const { result, planned } = refused;
  const { case: given } = planned;
  const [refusal, ...others] = result.findings.filter(isRefusedValue);
  const step = given.steps.find(({ name }) => name === refusal?.step);
  if (step === undefined || refusal === undefined) return undefined;
  const tries = createAloneTries(step, refused, services);
  const traced = await attributeRefusal([refusal, ...others], step, refused, { tries, services });
  const { findings: found, isOwn, isConfirmed } = traced;
  const [cause] = found;
  const isBroken = found.some((one) => countedVerdict(one) === 'fail');
  const { reason, unmet, ...judged } = result;
  return {
    ...judged,
    findings: [...result.findings.filter((one) => !isRefusedValue(one)), ...found],
    messages: [...result.messages, ...tries.messages],
    ...omitUndefined({
      ...(isOwn ? {} : { reason, unmet, followsFrom: cause && { rule: cause.rule, case: given.id } }),
      confirmation: isBroken && isConfirmed ? { status: 'confirmed' as const } : undefined,
    }),
  };
}
