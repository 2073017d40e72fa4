import { isJsonObject, type JsonObject, listStrings } from '../../lib/json.ts';
import { renderRuleRef } from '../../model/rule.ts';
import type { WrittenCase } from '../../suite/expand/written-cases.ts';
import type { Case } from '../../suite/suites.ts';
import { type ChainLink, stepAction } from '../explore/chains/link.ts';
import type { ExplorationGround } from '../explore/exploration.ts';
import { acceptedRule } from './request-parts.ts';

/** Actions that leave the subscriber, registration and keys unchanged, or equivalent. */
const passingActions: ReadonlySet<string> = new Set([
  'approve',
  'deny',
  'ignore',
  'open-app',
  'issue-code',
  'issue-login-hint-token',
  'rotate-keys',
]);

/** Actions of the user on a request: the newest one, if a step names none. */
const requestDecisions: ReadonlySet<string> = new Set(['approve', 'deny', 'ignore', 'open-app']);

function pinStep(step: JsonObject, newest: string): JsonObject {
  const { trigger } = step;
  if (step['await'] === 'callback' || step['look'] !== undefined) return { of: newest, ...step };
  const action = stepAction(step);
  if (action === undefined || !requestDecisions.has(action)) return step;
  return { ...step, trigger: { of: newest, ...(isJsonObject(trigger) ? trigger : { action }) } };
}

/** Expectation on requests that a case assumes accepted, which must hold behind others as well. */
const assumedAcceptance = { expect: { outcome: 'accepted', rule: acceptedRule } };

const lacksExpectation = ({ expect, times, control }: JsonObject): boolean =>
  expect === undefined && times === undefined && control !== false;

/** Steps that name their requests and state their assumptions, so that they mean the same between other steps. */
export function pinSteps(steps: readonly JsonObject[]): readonly JsonObject[] {
  let newest: string | undefined;
  return steps.map((step, at) => {
    if (step['authorize'] === undefined) return newest === undefined ? step : pinStep(step, newest);
    newest = typeof step['as'] === 'string' ? step['as'] : `step${at + 1}`;
    return { ...step, as: newest, ...(lacksExpectation(step) ? assumedAcceptance : {}) };
  });
}

/** Most requests of a link; floods have cases of their own. */
const maxLinkRequests = 80;

const countLinkRequests = (steps: readonly JsonObject[], sendingVerbs: readonly string[]): number =>
  steps
    .filter((step) => sendingVerbs.some((verb) => step[verb] !== undefined))
    .reduce((sum, { times }) => sum + (typeof times === 'number' ? times : 1), 0);

const waitsForMoment = (step: JsonObject): boolean =>
  ['at', 'until', 'times', 'parallel'].some((key) => step[key] !== undefined);

/** Words of steps that end only when their time is over, or that may bring no message. */
const slowWords = /"(?:silence|no-tokens|denied-or-dropped|ifPossible)"/;

/** Adds the case's rule to a step, because outside its case the step must name it. */
const addCaseRule = (step: JsonObject, { json }: WrittenCase): JsonObject =>
  step['expect'] === undefined || step['rule'] !== undefined ? step : { ...step, rule: json['rule'] ?? null };

function buildLink(one: Case, written: WrittenCase, sendingVerbs: readonly string[]): readonly ChainLink[] {
  const { client } = one;
  const { steps, json } = written;
  const { receiver } = json;
  const requests = countLinkRequests(steps, sendingVerbs);
  if (typeof client !== 'string' || requests > maxLinkRequests || requests === 0) return [];
  const link: ChainLink = {
    id: one.id,
    area: one.area,
    rules: one.rules.map(renderRuleRef),
    requires: listStrings(json['requires']),
    client,
    subscriber: one.subscriber,
    steps: pinSteps(steps.map((step) => addCaseRule(step, written))),
    requests,
    ...(isJsonObject(receiver) ? { receiver } : {}),
    lasts: steps.some((step) => step['authorize'] === undefined || step['at'] !== undefined),
    changes: !steps.flatMap((step) => stepAction(step) ?? []).every((action) => passingActions.has(action)),
    instant: !steps.some(waitsForMoment),
    brief: !slowWords.test(JSON.stringify(steps)),
  };
  return [link];
}

/** Listed cases that run against the target, send few requests, and can follow others. */
export function buildLinks({ suites, written, runs, sendingVerbs, target }: ExplorationGround): readonly ChainLink[] {
  const byId = new Map(written.cases.map((one) => [one.id, one]));
  const links = suites.cases.flatMap((one) => {
    const its = byId.get(one.id);
    return its === undefined || !runs(one.id) ? [] : buildLink(one, its, sendingVerbs);
  });
  // Without a virtual clock, nothing may wait.
  return links.filter(({ instant }) => instant || target.clock !== undefined);
}
