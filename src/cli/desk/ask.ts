import { rulesOfInvariant } from '../../engine/plan/select.ts';
import { run } from '../../engine/run.ts';
import type { RunOptions } from '../../engine/run-options.ts';
import { classifyResponse } from '../../judge/classify.ts';
import { parseBody } from '../../lib/json.ts';
import { defined } from '../../lib/optional.ts';
import type { Delivery, Exchange, Message } from '../../model/exchange.ts';
import type { ProgressEvent } from '../../model/progress.ts';
import type { CaseResult, InvariantResult, Result, RuleResult } from '../../model/result.ts';
import { rulesOf } from '../../suite/rules-of.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Setup } from '../shared/setup.ts';
import type { Inquiry } from './inquiry.ts';

/** What one request brought. Secrets are redacted in it, as in every result. */
export interface Report {
  readonly request: Exchange | undefined;
  /** The other exchanges that are shown. */
  readonly others: readonly Exchange[];
  readonly deliveries: readonly Delivery[];
  /** Invariants that had something to judge. */
  readonly invariants: readonly InvariantResult[];
  readonly case: CaseResult | undefined;
  /** Every rule of the area that is judged beside it, and its cases. */
  readonly rules: readonly RuleResult[];
  readonly beside: readonly CaseResult[];
  /** What is left at the carrier, where it was interrupted. */
  readonly left: readonly string[];
  /** Milliseconds of wall time between a request and its response, by the id of the message. */
  readonly took: ReadonlyMap<string, number>;
}

const isExchange = (message: Message): message is Exchange => message.kind === 'exchange';
const isDelivery = (message: Message): message is Delivery => message.kind === 'delivery';

/** Of a step that was repeated, or throttled first, the exchange that a finding names; else the last. */
function exchangeOf({ messages, findings }: CaseResult, step: string): Exchange | undefined {
  const sent = messages.filter(isExchange).filter((message) => message.step === step && message.attempt === undefined);
  const named = new Set(findings.map(({ message }) => message));
  return sent.find(({ id }) => named.has(id)) ?? sent.at(-1);
}

function reportOf(
  { cases: ended, invariants, rules, footer }: Result,
  { case: { id }, step, others = [], area }: Inquiry,
  took: ReadonlyMap<string, number>,
): Report {
  const cases = [...ended];
  const own = cases.find((one) => one.id === id);
  const shown = own === undefined ? [] : others.map((name) => exchangeOf(own, name));
  return {
    request: own && exchangeOf(own, step),
    others: shown.filter((one) => one !== undefined),
    deliveries: own?.messages.filter(isDelivery) ?? [],
    invariants: invariants.filter((one) => one.judged > 0),
    case: own,
    rules: area === undefined ? [] : rules.filter((one) => one.area === area),
    beside: cases.filter((one) => one.id !== id),
    left: footer?.left ?? [],
    took,
  };
}

/** Asks the carrier once. With `hold` the request of a step is handed over, and neither it nor what follows is sent. */
export async function ask(inquiry: Inquiry, { suites, options }: Setup, hold?: RunOptions['hold']): Promise<Report> {
  const { invariants } = suites;
  const { area } = inquiry;
  const isOfArea = (one: { readonly area: string }): boolean => hold === undefined && one.area === area;
  const cases = [inquiry.case, ...suites.cases.filter(isOfArea)];
  const rules = new Set([
    ...[...suites.rules.values()].filter(isOfArea).map(({ id }) => id),
    ...invariants.flatMap((one) => [...rulesOfInvariant(one)]),
    ...rulesOf(inquiry.case),
  ]);
  const took = new Map<string, number>();
  const progress = (event: ProgressEvent): void => {
    if (event.kind === 'message') took.set(event.message.id, event.took);
  };
  const { result, close } = await run({
    ...options,
    progress,
    confirm: false,
    ...defined({ hold }),
    suites: { ...suites, cases },
    selected: { cases, invariants, rules },
  });
  try {
    return reportOf(result, inquiry, took);
  } finally {
    close();
  }
}

export const isAccepted = ({ response }: Exchange): boolean =>
  response !== undefined && classifyResponse(response.status, parseBody(response.body)) === 'accepted';

/** A broken required rule is a failure as in a run; what could not be finished is incomplete, unless it was refused. */
export function exitCodeOf({ request, invariants, case: ended, beside }: Report, { mayBeRefused }: Inquiry): number {
  if ([...invariants, ended, ...beside].some((one) => one?.verdict === 'fail')) return exitCodes['not conformant'];
  if (ended?.verdict === 'error') return exitCodes.internal;
  if (request?.noResponse !== undefined) return exitCodes.unreachable;
  const refused = mayBeRefused && request?.response !== undefined && !isAccepted(request);
  return ended === undefined || (ended.verdict !== 'pass' && !refused) ? exitCodes.incomplete : exitCodes.conformant;
}
