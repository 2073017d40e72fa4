import { isJsonObject, type Json, type JsonObject } from '../../../lib/json.ts';
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

/** Action of a step, from `trigger: approve` or its long form. */
export function stepAction({ trigger }: JsonObject): string | undefined {
  const action = isJsonObject(trigger) ? trigger['action'] : trigger;
  return typeof action === 'string' ? action : undefined;
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
