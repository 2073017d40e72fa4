import { isJsonObject, type Json, type JsonObject } from '../../lib/json.ts';

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
