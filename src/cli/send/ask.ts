import { isIP } from 'node:net';
import { invariantRules } from '../../engine/plan/select.ts';
import { run } from '../../engine/run.ts';
import type { RunOptions } from '../../engine/run-options.ts';
import { serverInitiated } from '../../interfaces/server-initiated/interface.ts';
import { isAcceptedExchange } from '../../verdict/response-class.ts';
import { omitUndefined } from '../../lib/json.ts';
import type { Delivery, Exchange, Message } from '../../model/exchange.ts';
import type { Target } from '../../model/target.ts';
import type { ProgressEvent } from '../../model/progress.ts';
import type { CaseResult, InvariantResult, Result, RuleResult } from '../../model/result.ts';
import type { Finding } from '../../model/finding.ts';
import type { Verdict } from '../../model/rule.ts';
import { caseRuleIds, type Case } from '../../suite/suites.ts';
import { isAwait } from '../../suite/verbs/await.ts';
import { isHttp } from '../../suite/verbs/http.ts';
import { listenOrigin } from '../../wire/receive/receiver.ts';
import { exitCodes } from '../exit-codes.ts';
import type { CommandSetup } from '../shared/setup.ts';
import type { Inquiry } from './inquiry.ts';

/** Everything observed for one request, with secrets redacted as in every result. */
export interface InquiryReport {
  readonly request: Exchange | undefined;
  readonly others: readonly Exchange[];
  readonly deliveries: readonly Delivery[];
  /** Invariants that judged at least one message. */
  readonly invariants: readonly InvariantResult[];
  readonly case: CaseResult | undefined;
  /** Every rule of the area that is also judged, and its cases. */
  readonly rules: readonly RuleResult[];
  readonly beside: readonly CaseResult[];
  /** Rules not counted for the outcome (P8). */
  readonly apart: ReadonlySet<string>;
  /** Cases of the area that were not run, because they need more than its endpoints. */
  readonly leftOut: readonly string[];
  /** State left at the carrier. */
  readonly left: readonly string[];
  /** Response times by message id, in wall-clock milliseconds. */
  readonly took: ReadonlyMap<string, number>;
}

const isExchange = (message: Message): message is Exchange => message.kind === 'exchange';
const isDeliveryMessage = (message: Message): message is Delivery => message.kind === 'delivery';

/** Returns the exchange of a step: the one that a finding names, else the last. */
function findExchange({ messages, findings }: CaseResult, step: string): Exchange | undefined {
  const sent = messages.filter(isExchange).filter((message) => message.step === step && message.attempt === undefined);
  const named = new Set(findings.map(({ message }) => message));
  return sent.find(({ id }) => named.has(id)) ?? sent.at(-1);
}

const cancelledNote = 'the carrier says that the request is cancelled: nothing here has verified it';

function buildInquiryReport(
  { cases: ended, invariants, rules, footer }: Result,
  { case: { id }, step, others = [], area, cancels }: Inquiry,
  { took, leftOut }: Pick<InquiryReport, 'took' | 'leftOut'>,
): InquiryReport {
  const cases = [...ended];
  const own = cases.find((one) => one.id === id);
  const request = own && findExchange(own, step);
  const shown = own === undefined ? [] : others.map((name) => findExchange(own, name));
  return {
    request,
    others: shown.filter((one) => one !== undefined),
    deliveries: own?.messages.filter(isDeliveryMessage) ?? [],
    invariants: invariants.filter((one) => one.judged > 0),
    case: own,
    rules: area === undefined ? [] : rules.filter((one) => one.area === area),
    beside: cases.filter((one) => one.id !== id),
    apart: new Set(rules.flatMap((one) => (one.apart === true ? [one.id] : []))),
    leftOut,
    left:
      request !== undefined && cancels === true && isAcceptedRequest(request) ? [cancelledNote] : (footer?.left ?? []),
    took,
  };
}

/** If nothing is awaited, frees the receiver's port for other programs, such as `carrierspec listen`. */
function withoutReceiver(target: Target): Target {
  const { wrongCertificate: _, ...receiver } = target.receiver;
  // A host name is only resolved when listening on it, so only an IP address gives a URL here.
  const url = receiver.url ?? (isIP(receiver.host) === 0 ? undefined : listenOrigin(receiver));
  if (receiver.port === 0 || url === undefined) return target;
  return { ...target, receiver: { ...receiver, port: 0, url } };
}

/** Asks the carrier once. With `hold`, the request of a step is handed over; neither it nor later steps are sent. */
export async function askCarrier(
  inquiry: Inquiry,
  { suites, options }: CommandSetup,
  hold?: RunOptions['hold'],
): Promise<InquiryReport> {
  const { invariants } = suites;
  const { area } = inquiry;
  const isOfArea = (one: { readonly area: string }): boolean => hold === undefined && one.area === area;
  const ofArea = suites.cases.filter(isOfArea);
  const asking = ofArea.filter(usesEndpointsOnly);
  const leftOut = ofArea.filter((one) => !usesEndpointsOnly(one));
  const cases = [inquiry.case, ...asking.map((one) => ({ ...one, watched: false as const }))];
  const rules = new Set([
    ...[...suites.rules.values()].filter(isOfArea).map(({ id }) => id),
    ...invariants.flatMap((one) => [...invariantRules(one)]),
    ...caseRuleIds(inquiry.case),
  ]);
  const took = new Map<string, number>();
  const progress = (event: ProgressEvent): void => {
    if (event.kind === 'message') took.set(event.message.id, event.took);
  };
  const listens = options.outlives !== true || inquiry.case.steps.some(({ act }) => isAwait(act));
  const { result, close } = await run({
    ...options,
    target: listens ? options.target : withoutReceiver(options.target),
    progress,
    confirm: false,
    ...omitUndefined({ hold, secrets: inquiry.secrets }),
    suites: { ...suites, cases },
    selected: { cases, invariants, rules },
  });
  try {
    return buildInquiryReport(result, inquiry, { took, leftOut: leftOut.map(({ id }) => id) });
  } finally {
    close();
  }
}

/** True if every step calls an endpoint: no push, no driver. */
const usesEndpointsOnly = ({ steps }: Case): boolean => steps.every(({ act }) => isHttp(act));

/** Whether the carrier accepted the request, read as the interface tolerates it. */
export const isAcceptedRequest = (request: Exchange): boolean =>
  isAcceptedExchange(request, serverInitiated.messages.meant);

export const inquiryFindings = ({ case: ended, beside, invariants }: InquiryReport): readonly Finding[] =>
  [ended, ...beside, ...invariants].flatMap((one) => one?.findings ?? []);

/** Verdicts of a completed case. */
const judgedVerdicts: ReadonlySet<Verdict> = new Set(['pass', 'informational', 'warn', 'fail']);

/** Overall verdict: `fail` if a required rule that counts for the outcome is broken, as in a run. */
export function inquiryVerdict(report: InquiryReport, { mayBeRefused }: Inquiry): Verdict {
  const { request, case: ended, apart } = report;
  const findings = inquiryFindings(report);
  if (findings.some(({ level, rule }) => level === 'required' && !apart.has(rule))) return 'fail';
  const isRefused = mayBeRefused && request?.response !== undefined && !isAcceptedRequest(request);
  if (ended === undefined) return 'not-run';
  if (!judgedVerdicts.has(ended.verdict) && !isRefused) return ended.verdict;
  return findings.some(({ level }) => level !== 'informational') ? 'warn' : 'pass';
}

/** Exit code as in a run; an unfinished inquiry is incomplete unless it was refused. */
export function inquiryExitCode(report: InquiryReport, inquiry: Inquiry): number {
  const verdict = inquiryVerdict(report, inquiry);
  if (verdict === 'fail') return exitCodes['not conformant'];
  if (verdict === 'error') return exitCodes.internal;
  if (report.request?.noResponse !== undefined) return exitCodes.unreachable;
  return judgedVerdicts.has(verdict) ? exitCodes.conformant : exitCodes.incomplete;
}
