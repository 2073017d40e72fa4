import type { Exchange, NamedDifference } from '../../model/exchange.ts';
import { isJsonObject, type Json } from '../../model/json.ts';
import { forLines, forTerminal } from '../shared/sanitize.ts';

/** One member of a decoded object: its name, its value as JSON text, and what was deliberately done to it. */
export type Row = readonly [name: string, text: string, change?: NamedDifference['change']];

const nameLimit = 200;
const valueLimit = 4000;

const textOf = (value: Json): string => forLines(JSON.stringify(value) ?? '', valueLimit);

/** What was done to each member: `claims.iat` and `claims.options.0` are about the members iat and options of claims. */
function changesIn(part: string, differences: readonly NamedDifference[]): ReadonlyMap<string, NamedDifference> {
  const found = new Map<string, NamedDifference>();
  for (const difference of differences) {
    const [first, name] = difference.what.split('.');
    if (first === part && name !== undefined) found.set(name, difference);
  }
  return found;
}

/** The members of a decoded object in their order; then what is deliberately not there, or not as JSON would have it. */
export function rowsOf(value: Json, changes: ReadonlyMap<string, NamedDifference> = new Map()): readonly Row[] {
  if (!isJsonObject(value)) return [['', textOf(value)]];
  const rows = Object.entries(value).map(([name, member]): Row => {
    const change = changes.get(name)?.change;
    const row = [forTerminal(name, nameLimit), textOf(member)] as const;
    return change === undefined ? row : [...row, change];
  });
  const others = [...changes].filter(([name]) => !Object.hasOwn(value, name));
  return [
    ...rows,
    ...others.map(([name, { change, value: raw }]): Row => {
      const text =
        typeof raw === 'string' && change === 'raw' ? forLines(raw, valueLimit) : raw === undefined ? '' : textOf(raw);
      return [forTerminal(name, nameLimit), text, change];
    }),
  ];
}

/** Header and claims of a request object with the deliberate differences marked, where one was sent. */
export function objectView({
  object,
  differences,
}: Exchange): { header: readonly Row[]; claims: readonly Row[] } | undefined {
  if (object === undefined) return undefined;
  return {
    header: rowsOf(object.header, changesIn('header', differences)),
    claims: rowsOf(object.claims, changesIn('claims', differences)),
  };
}
