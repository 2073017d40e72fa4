import { isJsonObject, type Json, type JsonObject, listStrings } from '../../../lib/json.ts';
import { renderRuleRef } from '../../../model/rule.ts';
import type { WrittenCase } from '../../../suite/suite-files.ts';
import type { Case } from '../../../suite/suites.ts';
import type { CaseSetting } from '../exploration.ts';

/** Keys whose value is a step name, at any depth of a step. */
const stepNameKeys: ReadonlySet<string> = new Set(['as', 'of', 'again', 'interleave', 'like', 'latencyLike']);
/** Keys whose value is a moment, whose words may be step names. */
const momentKeys: ReadonlySet<string> = new Set(['at', 'by', 'until']);

const templatePattern = /\{\{[^{}]*\}\}/g;

/** Renames whole words of an expression, except behind a dot, inside a text, or within a longer name. */
function renameInExpression(expression: string, names: ReadonlyMap<string, string>): string {
  return expression.replaceAll(/'(?:[^']|'')*'|[A-Za-z][\w-]*(?:\.[\w-]+)*/g, (word) => {
    if (word.startsWith("'")) return word;
    const [root = '', ...rest] = word.split('.');
    return [names.get(root) ?? root, ...rest].join('.');
  });
}

function renameInValue(value: Json, key: string, names: ReadonlyMap<string, string>): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => renameInValue(item, '', names));
  if (isJsonObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, renameInValue(member, name, names)]),
    );
  }
  if (typeof value !== 'string') return value;
  if (stepNameKeys.has(key) && !value.includes('{{')) return names.get(value) ?? value;
  if (momentKeys.has(key) && !value.includes('{{')) return renameInExpression(value, names);
  return value.replaceAll(templatePattern, (one) => renameInExpression(one, names));
}

/** Prefixes step names and all references to them, so that several cases can follow each other. */
export function prefixSteps(steps: readonly JsonObject[], prefix: string): readonly JsonObject[] {
  const own = steps.map((step, at) => (typeof step['as'] === 'string' ? step['as'] : `step${at + 1}`));
  const names = new Map(own.map((name) => [name, `${prefix}${name}`]));
  return steps.map((step, at) => {
    const moved = renameInValue(step, '', names);
    return { ...(isJsonObject(moved) ? moved : step), as: `${prefix}${own[at] ?? ''}` };
  });
}

/** Listed case that can run before, after and between others. */
export interface ChainLink {
  readonly id: string;
  readonly area: string;
  readonly rules: readonly string[];
  readonly requires: readonly string[];
  readonly client: string;
  readonly subscriber: string;
  readonly steps: readonly JsonObject[];
  /** Approximate number of exchanges. */
  readonly requests: number;
  /** Responses of our endpoints in the case. */
  readonly receiver?: JsonObject;
  /** Tests more than single requests, so it may fail only after other cases. */
  readonly lasts: boolean;
  /** Changes what others rely on, so it comes last. */
  readonly changes: boolean;
  /** No step waits for a moment, so other steps can come between. */
  readonly instant: boolean;
  /** Awaits only messages sure to come, so repetitions take no time. */
  readonly brief: boolean;
}

interface LinkGround {
  readonly cases: readonly Case[];
  readonly written: readonly WrittenCase[];
  readonly runs: (id: string) => boolean;
  readonly sendingVerbs: readonly string[];
  /** Actions that leave a subscriber unchanged. */
  readonly passing: ReadonlySet<string>;
  /** Makes steps mean the same between the steps of others. */
  readonly pinned: (steps: readonly JsonObject[]) => readonly JsonObject[];
}

/** Most requests of a link; floods have cases of their own. */
const maxLinkRequests = 80;

const stepRepetitions = ({ times }: JsonObject): number => (typeof times === 'number' ? times : 1);

const countLinkRequests = (steps: readonly JsonObject[], sendingVerbs: readonly string[]): number =>
  steps
    .filter((step) => sendingVerbs.some((verb) => step[verb] !== undefined))
    .reduce((sum, step) => sum + stepRepetitions(step), 0);

/** Action of a step, from `trigger: approve` or its long form. */
export function stepAction({ trigger }: JsonObject): string | undefined {
  const action = isJsonObject(trigger) ? trigger['action'] : trigger;
  return typeof action === 'string' ? action : undefined;
}

const waitsForMoment = (step: JsonObject): boolean =>
  ['at', 'until', 'times', 'parallel'].some((key) => step[key] !== undefined);

/** Outcomes known only when the time of a step is over. */
const slowOutcomes: ReadonlySet<Json | undefined> = new Set(['silence', 'no-tokens', 'denied-or-dropped']);
/** Keys of a step whose awaited message is sure to come. */
const sureKeys: ReadonlySet<string> = new Set(['as', 'await', 'of', 'expect', 'rule']);

function isBriefStep({ expect, trigger, await: awaited, ...others }: JsonObject): boolean {
  // If the user cannot act, no message follows.
  if (isJsonObject(trigger) && trigger['ifPossible'] !== undefined) return false;
  const outcome = isJsonObject(expect) ? expect['outcome'] : expect;
  if (slowOutcomes.has(outcome)) return false;
  const isSure = outcome !== undefined || expect === undefined;
  return awaited === undefined || (isSure && Object.keys(others).every((key) => sureKeys.has(key)));
}

/** Adds the case's rule to a step, because outside its case the step must name it. */
const addCaseRule = (step: JsonObject, { json }: WrittenCase): JsonObject =>
  step['expect'] === undefined || step['rule'] !== undefined ? step : { ...step, rule: json['rule'] ?? null };

function buildLink(
  one: Case,
  written: WrittenCase,
  { passing, pinned, sendingVerbs }: LinkGround,
): ChainLink | undefined {
  const { client } = one;
  const { steps, json } = written;
  const { receiver } = json;
  if (typeof client !== 'string') return undefined;
  const requests = countLinkRequests(steps, sendingVerbs);
  if (requests > maxLinkRequests || requests === 0) return undefined;
  return {
    id: one.id,
    area: one.area,
    rules: one.rules.map(renderRuleRef),
    requires: listStrings(json['requires']),
    client,
    subscriber: one.subscriber,
    steps: pinned(steps.map((step) => addCaseRule(step, written))),
    requests,
    ...(isJsonObject(receiver) ? { receiver } : {}),
    lasts: steps.some((step) => step['authorize'] === undefined || step['at'] !== undefined),
    changes: !steps.flatMap((step) => stepAction(step) ?? []).every((action) => passing.has(action)),
    instant: !steps.some(waitsForMoment),
    brief: steps.every(isBriefStep),
  };
}

/** Listed cases that run against the target and send few requests. */
export function buildLinks(ground: LinkGround): readonly ChainLink[] {
  const byId = new Map(ground.written.map((one) => [one.id, one]));
  return ground.cases.flatMap((one) => {
    const written = byId.get(one.id);
    return written === undefined || !ground.runs(one.id) ? [] : (buildLink(one, written, ground) ?? []);
  });
}

/** Setting of a case made of links, which share a registration and a subscriber. */
export function linkSetting(links: readonly ChainLink[]): CaseSetting {
  const [first] = links;
  const requires = [...new Set(links.flatMap((link) => link.requires))];
  const receiver = first?.receiver;
  return {
    exclusive: true,
    ...(first === undefined ? {} : { client: first.client, subscriber: first.subscriber }),
    ...(requires.length === 0 ? {} : { requires }),
    ...(receiver === undefined ? {} : { receiver }),
  };
}
