import { isJsonObject, type Json, type JsonObject, textsIn } from '../../lib/json.ts';
import { renderRuleRef } from '../../model/rule.ts';
import type { Case } from '../../suite/suites.ts';
import type { WrittenCase } from '../../suite/written.ts';
import type { Setting } from '../exploration.ts';

/** Keys whose value is the name of a step, wherever they stand in a step. */
const namingKeys: ReadonlySet<string> = new Set(['as', 'of', 'again', 'interleave', 'like', 'latencyLike']);
/** Keys whose value is a moment, which names steps as words. */
const momentKeys: ReadonlySet<string> = new Set(['at', 'by', 'until']);

const template = /\{\{[^{}]*\}\}/g;

/** Names as words of an expression, and not behind a dot, inside a text, or as part of a longer name. */
function renamed(expression: string, names: ReadonlyMap<string, string>): string {
  return expression.replaceAll(/'(?:[^']|'')*'|[A-Za-z][\w-]*(?:\.[\w-]+)*/g, (word) => {
    if (word.startsWith("'")) return word;
    const [root = '', ...rest] = word.split('.');
    return [names.get(root) ?? root, ...rest].join('.');
  });
}

function inValue(value: Json, key: string, names: ReadonlyMap<string, string>): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => inValue(item, '', names));
  if (isJsonObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inValue(member, name, names)]));
  }
  if (typeof value !== 'string') return value;
  if (namingKeys.has(key) && !value.includes('{{')) return names.get(value) ?? value;
  if (momentKeys.has(key) && !value.includes('{{')) return renamed(value, names);
  return value.replaceAll(template, (one) => renamed(one, names));
}

/** Steps whose names, and what reads them, begin with a prefix: so several cases can stand behind each other. */
export function withPrefix(steps: readonly JsonObject[], prefix: string): readonly JsonObject[] {
  const own = steps.map((step, at) => (typeof step['as'] === 'string' ? step['as'] : `step${at + 1}`));
  const names = new Map(own.map((name) => [name, `${prefix}${name}`]));
  return steps.map((step, at) => {
    const moved = inValue(step, '', names);
    return { ...(isJsonObject(moved) ? moved : step), as: `${prefix}${own[at] ?? ''}` };
  });
}

/** A listed case that can stand before, behind and between others. */
export interface Link {
  readonly id: string;
  readonly area: string;
  readonly rules: readonly string[];
  readonly requires: readonly string[];
  readonly client: string;
  readonly subscriber: string;
  readonly steps: readonly JsonObject[];
  /** Exchanges that it sends, about. */
  readonly requests: number;
  /** What our endpoints respond in it. */
  readonly receiver?: JsonObject;
  /** It is about more than single requests: what lasts, or follows, can differ behind others. */
  readonly lasts: boolean;
  /** It changes what others rely on: it comes last. */
  readonly changes: boolean;
  /** Nothing in it waits for a moment: others can stand between its steps. */
  readonly instant: boolean;
  /** It awaits nothing that may fail to come: many of it take no time. */
  readonly brief: boolean;
}

interface LinkGround {
  readonly cases: readonly Case[];
  readonly written: readonly WrittenCase[];
  readonly runs: (id: string) => boolean;
  /** Actions that leave a subscriber as they find it. */
  readonly passing: ReadonlySet<string>;
  /** Steps that mean the same between the steps of others. */
  readonly pinned: (steps: readonly JsonObject[]) => readonly JsonObject[];
}

/** Requests of a case at most: what floods has its own cases. */
const mostRequests = 80;

/** Keys of the steps that send nothing to the carrier. */
const quiet: readonly string[] = ['trigger', 'await', 'look', 'sign', 'encrypt', 'handshake'];

const timesOf = ({ times }: JsonObject): number => (typeof times === 'number' ? times : 1);

const requestsOf = (steps: readonly JsonObject[]): number =>
  steps.filter((step) => quiet.every((verb) => step[verb] === undefined)).reduce((sum, step) => sum + timesOf(step), 0);

/** The action of a step: `trigger: approve`, or its long form. */
export function actionOf({ trigger }: JsonObject): string | undefined {
  const action = isJsonObject(trigger) ? trigger['action'] : trigger;
  return typeof action === 'string' ? action : undefined;
}

const waits = (step: JsonObject): boolean =>
  ['at', 'until', 'times', 'parallel'].some((key) => step[key] !== undefined);

/** Outcomes that are seen only once the time of a step is over. */
const slowOutcomes: ReadonlySet<Json | undefined> = new Set(['silence', 'no-tokens', 'denied-or-dropped']);
/** Keys of a step that awaits what certainly comes. */
const sureKeys: ReadonlySet<string> = new Set(['as', 'await', 'of', 'expect', 'rule']);

function isBrief({ expect, trigger, await: awaited, ...others }: JsonObject): boolean {
  // Where the user can do nothing, nothing comes of it.
  if (isJsonObject(trigger) && trigger['ifPossible'] !== undefined) return false;
  const outcome = isJsonObject(expect) ? expect['outcome'] : expect;
  if (slowOutcomes.has(outcome)) return false;
  const isSure = outcome !== undefined || expect === undefined;
  return awaited === undefined || (isSure && Object.keys(others).every((key) => sureKeys.has(key)));
}

/** Without its case a step says itself which rule it judges. */
const withRule = (step: JsonObject, { json }: WrittenCase): JsonObject =>
  step['expect'] === undefined || step['rule'] !== undefined ? step : { ...step, rule: json['rule'] ?? null };

function linkOf(one: Case, written: WrittenCase, { passing, pinned }: LinkGround): Link | undefined {
  const { client } = one;
  const { steps, json } = written;
  const { receiver } = json;
  if (typeof client !== 'string') return undefined;
  const requests = requestsOf(steps);
  if (requests > mostRequests || requests === 0) return undefined;
  return {
    id: one.id,
    area: one.area,
    rules: one.rules.map(renderRuleRef),
    requires: textsIn(json['requires']),
    client,
    subscriber: one.subscriber,
    steps: pinned(steps.map((step) => withRule(step, written))),
    requests,
    ...(isJsonObject(receiver) ? { receiver } : {}),
    lasts: steps.some((step) => step['authorize'] === undefined || step['at'] !== undefined),
    changes: !steps.flatMap((step) => actionOf(step) ?? []).every((action) => passing.has(action)),
    instant: !steps.some(waits),
    brief: steps.every(isBrief),
  };
}

/** The listed cases that run against the target and are about few requests. */
export function linksOf(ground: LinkGround): readonly Link[] {
  const byId = new Map(ground.written.map((one) => [one.id, one]));
  return ground.cases.flatMap((one) => {
    const written = byId.get(one.id);
    return written === undefined || !ground.runs(one.id) ? [] : (linkOf(one, written, ground) ?? []);
  });
}

/** What the case of some links has beside their steps: they are of one registration and one subscriber. */
export function settingOf(links: readonly Link[]): Setting {
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
