import { verdictOfFinding } from '../../judge/rule-book.ts';
import type { Finding } from '../../model/finding.ts';
import type { CaseResult } from '../../model/result.ts';
import type { Case, Step } from '../../suite/suites.ts';
import { verbOf } from '../act/verb.ts';
import { type Attempted, attempt, unwatched } from './attempt.ts';
import type { Confirming, First } from './confirm.ts';

export const isRefusedValue = ({ code }: Finding): boolean => code === 'refused';

/** What a request alone showed: `unknown` where it could not be sent without the steps before it. */
type Alone = 'refused' | 'accepted' | 'unknown';

/** The case reduced to one request; with `whats`, to those of its differences from the plain request. */
function aloneCase(
  given: Case,
  step: Step,
  whats: ReadonlySet<string> | undefined,
  first: Confirming,
): Case | undefined {
  const { only } = verbOf(step.act, first.world.interface.verbs);
  const act = whats === undefined ? step.act : only?.(step.act, whats);
  if (act === undefined) return undefined;
  const { name, position } = step;
  const alone: Step = { name, position, act, control: true, expectations: [], record: [] };
  return unwatched({ ...given, steps: [alone], receiver: [], each: given.each }, first.world);
}

const shownBy = (result: Attempted): Alone => {
  if ('impossible' in result) return 'unknown';
  if (result.findings.some(isRefusedValue)) return 'refused';
  return result.verdict === 'inconclusive' ? 'unknown' : 'accepted';
};

/** Sends the refused request again, without the steps before it. */
function createTries(step: Step, { planned, order }: First, confirming: Confirming) {
  const messages: CaseResult['messages'][number][] = [];
  let time = 0;
  const send = async (whats?: ReadonlySet<string>): Promise<Alone> => {
    const alone = aloneCase(planned.case, step, whats, confirming);
    if (alone === undefined) return 'unknown';
    time += 1;
    const trying = {
      case: alone,
      assignment: planned.assignment,
      of: planned.case.id,
      order,
      name: 'again',
      time,
    } as const;
    const result = await attempt(trying, confirming.world);
    if (!('impossible' in result)) messages.push(...result.messages);
    return shownBy(result);
  };
  return { messages, send };
}

/** The findings as those of the case's own rules. */
const ownFindings = (finding: Finding, { rules }: Case, { world }: Confirming): readonly Finding[] =>
  rules.map((ref) => {
    const { aspect: _, stated: __, ...rest } = finding;
    return { ...rest, ...ref, ...world.rules.bindingOf(ref), code: 'outcome' };
  });

/**
 * Finds the difference for which a request was refused: each is sent alone, then all of them without the steps before. A
 * refusal that only those steps bring about is of the case's own rule, or, of a control, no finding. Undefined where no request
 * could be sent alone: a second try of the whole case must show it.
 */
export async function traceRefusal(
  result: CaseResult,
  first: First,
  confirming: Confirming,
): Promise<CaseResult | undefined> {
  const refusals = result.findings.filter(isRefusedValue);
  const others = result.findings.filter((one) => !isRefusedValue(one));
  const step = first.planned.case.steps.find(({ name }) => name === refusals[0]?.step);
  const [refusal] = refusals;
  if (step === undefined || refusal === undefined) return undefined;
  const { messages, send } = createTries(step, first, confirming);
  const shown: Finding[] = [];
  for (const one of refusals) {
    const { accepts = [] } = confirming.world.rules.find(one.rule) ?? {};
    const alone = await send(new Set(accepts.map(({ what }) => what)));
    if (alone === 'unknown') return undefined;
    if (alone === 'refused') shown.push(one);
  }
  const together = shown.length > 0 ? 'refused' : await send();
  if (together === 'unknown') return undefined;
  if (together === 'accepted' && !step.control) return undefined;
  const found =
    shown.length > 0 ? shown : together === 'refused' ? ownFindings(refusal, first.planned.case, confirming) : [];
  const findings = [...others, ...found];
  const [cause] = found;
  return {
    ...result,
    findings,
    messages: [...result.messages, ...messages],
    ...(cause === undefined ? {} : { followsFrom: { rule: cause.rule, case: first.planned.case.id } }),
    ...(found.some((one) => verdictOfFinding(one) === 'fail')
      ? { confirmation: { status: 'confirmed' as const } }
      : {}),
  };
}
