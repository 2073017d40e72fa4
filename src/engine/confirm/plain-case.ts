import { verdictOfFinding } from '../../judge/rule-book.ts';
import { memberOf, parseBody } from '../../lib/json.ts';
import type { Message } from '../../model/exchange.ts';
import type { CaseResult } from '../../model/result.ts';
import type { Case } from '../../suite/suites.ts';
import type { Assignment, World } from '../context/case-context.ts';
import { planTime } from '../plan/planned-time.ts';
import { attempt, unwatched } from './attempt.ts';

/** Result of a plain case for a client and a subscriber. */
export interface Shown {
  /** `unmet`: it came to no verdict, because of what it builds on itself; `unknown`: there is no such case, or it could not run. */
  readonly status: 'holds' | 'fails' | 'unmet' | 'unknown';
  /** The plain case and its rule, where it failed. */
  readonly cause?: { readonly rule: string; readonly case: string };
  /** What came, where it does not hold. */
  readonly reason?: string;
  readonly messages: readonly Message[];
}

/** A plain case's client and subscriber, the case that it belongs to, and its time. */
export interface For {
  readonly assignment: Assignment;
  /** The case that it belongs to, and the place of that in the run. */
  readonly of: string;
  readonly order: number;
  /** Seconds that may be spent. */
  readonly left: number;
  /** Which of several plain cases that belong to the case, from 1. */
  readonly time?: number;
}

const unknown: Shown = { status: 'unknown', messages: [] };

/** The status, error and description of the last response that was no success; else what the case said. */
function describe({ messages, findings, reason }: CaseResult): string {
  const refused = messages.findLast((one) => one.kind === 'exchange' && (one.response?.status ?? 0) >= 300);
  if (refused?.kind !== 'exchange' || refused.response === undefined) {
    const [finding] = findings;
    return reason ?? (typeof finding?.actual === 'string' ? finding.actual : JSON.stringify(finding?.actual ?? null));
  }
  const body = parseBody(refused.response.body);
  const named = [memberOf(body, 'error'), memberOf(body, 'error_description')].filter((one) => typeof one === 'string');
  return [`HTTP ${refused.response.status}`, ...named].join(', ');
}

function shownBy(result: CaseResult): Shown {
  const { verdict, messages, id, findings } = result;
  const rule = result.rules[0]?.rule ?? '';
  const isBroken = findings.some((one) => one.rule === rule && verdictOfFinding(one) === 'fail');
  if (!isBroken && verdict !== 'inconclusive') return { status: 'holds', messages };
  const reason = `the plain case ${id} of the same client and subscriber does not hold either: ${describe(result)}`;
  return isBroken
    ? { status: 'fails', cause: { rule, case: id }, reason, messages }
    : { status: 'unmet', reason, messages };
}

/** Runs a plain case, unless a person has part in it or there is no time. */
export async function runPlain(
  given: Case,
  { assignment, of, order, left, time: which = 1 }: For,
  world: World,
): Promise<Shown> {
  const time = planTime(given, world);
  if (time.prompt.length > 0 || time.held > left) return unknown;
  const result = await attempt(
    { case: unwatched(given, world), assignment, of, order, name: 'control', time: which },
    world,
  );
  return 'impossible' in result ? unknown : shownBy(result);
}
