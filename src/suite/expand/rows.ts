import { coveringArray } from '../../lib/covering/covering-array.ts';
import { isJsonObject, isList } from '../../lib/json.ts';
import type { ProblemCode } from '../../model/problem.ts';
import {
  mappingNode,
  type Node,
  type NodeMember,
  nodeItems,
  nodeMember,
  nodeMembers,
  offsetOf,
  scalarNode,
  withMembers,
  withoutMembers,
} from './node.ts';

/*
 * `each`: a mapping of rows, or of axes. A row is a mapping, and its free values stand under `with`. An axis is a list of values, or a
 * mapping of values by name (`values`); the rows are the product of the axes, or with `pairs: true` as many as bring each value of an
 * axis together with each value of every other.
 */

export interface EachRow {
  readonly name: string;
  /** Offset of the row. */
  readonly offset: number;
  /** The row as a mapping of rows has it: a difference, `with`, `receiver`. */
  readonly node: Node;
  /** Values that are read as `each.name`. */
  readonly values: Node;
  /** Whether the row stands in a mapping of rows, so that a verb can take it. */
  readonly isDifference: boolean;
}

export interface RowsContext {
  readonly mistake: (offset: number, code: ProblemCode, message: string, hint?: string) => void;
}

interface AxisValue {
  readonly name: string;
  readonly value: Node;
}

/** Most rows of one `each`. */
const maxRows = 500;

const isAxis = ({ json }: Node): boolean =>
  isList(json) || (isJsonObject(json) && 'values' in json && Object.keys(json).length === 1);

/** Rows of `each`. */
export function readRows(each: Node, context: RowsContext): readonly EachRow[] {
  const members = nodeMembers(each).filter(([name]) => name !== 'pairs');
  const others = members.filter(([, , value]) => !isAxis(value));
  if (others.length === members.length) return members.map(readRow);
  if (others.length === 0) return readProduct(each, members, context);
  const message = 'beside axes, this must be one too: a list, or a mapping with values';
  for (const [, , value] of others) context.mistake(offsetOf(value), 'bad-value', message);
  return [];
}

/** A row of a mapping of rows. */
function readRow([name, offset, node]: NodeMember): EachRow {
  const given = nodeMember(node, 'with') ?? mappingNode(offset, []);
  const itself: NodeMember = ['name', offset, scalarNode(name, offset)];
  return { name, offset, node, values: withMembers(given, [itself]), isDifference: true };
}

function readProduct(each: Node, members: readonly NodeMember[], context: RowsContext): readonly EachRow[] {
  const axes = members.map(([name, , axis]) => ({ id: name, values: readAxis(axis) }));
  const empty = members.filter((_, at) => axes[at]?.values.length === 0);
  for (const [name, , axis] of empty) context.mistake(offsetOf(axis), 'bad-value', `the axis "${name}" has no values`);
  const pairs = nodeMember(each, 'pairs');
  if (pairs !== undefined && typeof pairs.json !== 'boolean')
    context.mistake(offsetOf(pairs), 'bad-value', '"pairs" must be true or false');
  const isPairs = pairs?.json === true && axes.length > 1;
  const count = leastRows(axes, isPairs);
  if (count > maxRows)
    context.mistake(offsetOf(each), 'bad-value', `these axes make ${count} rows; there are at most ${maxRows}`);
  if (count > maxRows || empty.length > 0) return [];
  const combined = isPairs ? coverPairs(axes) : multiply(axes);
  reportTwins(combined, each, context);
  return combined.map((row) => {
    const name = row.map(([, one]) => one.name).join('-');
    const offset = offsetOf(each);
    const values = row.flatMap(([axis, { name: own, value }]): readonly NodeMember[] => [
      [axis, offset, value],
      [`${axis}-name`, offset, scalarNode(own, offset)],
    ]);
    const given = mappingNode(offset, values);
    return {
      name,
      offset,
      node: mappingNode(offset, [['with', offset, given]]),
      values: withMembers(given, [['name', offset, scalarNode(name, offset)]]),
      isDifference: false,
    };
  });
}

interface Axis {
  readonly id: string;
  readonly values: readonly AxisValue[];
}

/** Rows of the product; of pairs, no fewer than the two longest axes need. */
function leastRows(axes: readonly Axis[], isPairs: boolean): number {
  const lengths = axes.map(({ values }) => values.length).toSorted((one, other) => other - one);
  return (isPairs ? lengths.slice(0, 2) : lengths).reduce((product, length) => product * length, 1);
}

/** Reports values of one axis whose names in ids are equal: their rows would be one case twice. */
function reportTwins(rows: readonly Combined[], each: Node, { mistake }: RowsContext): void {
  const names = rows.map((row) => row.map(([, one]) => one.name).join('-'));
  const twin = names.find((name, at) => names.indexOf(name) !== at);
  if (twin === undefined) return;
  mistake(offsetOf(each), 'duplicate-id', `two rows are called "${twin}"`, 'name the values of an axis under values');
}

type Combined = readonly (readonly [axis: string, value: AxisValue])[];

const multiply = (axes: readonly Axis[]): readonly Combined[] =>
  axes.reduce<readonly Combined[]>(
    (rows, { id, values }) => rows.flatMap((row) => values.map((value) => [...row, [id, value] as const])),
    [[]],
  );

function coverPairs(axes: readonly Axis[]): readonly Combined[] {
  const factors = axes.map(({ id, values }) => ({ id, choices: values.map((_, index) => String(index)) }));
  const { rows } = coveringArray(factors, { seed: 'pairs', exclusions: [] });
  return rows.map((row) =>
    axes.flatMap(({ id, values }) => {
      const value = values[Number(row[id])];
      return value === undefined ? [] : [[id, value] as const];
    }),
  );
}

/** Name of a value in ids: its letters and digits, else its place in the list. */
function valueName({ json }: Node, index: number): string {
  const own = isJsonObject(json) && typeof json['name'] === 'string' ? json['name'] : json;
  const text = typeof own === 'object' ? '' : String(own);
  const slug = text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  return slug === '' ? `v${index + 1}` : slug;
}

function readAxis(axis: Node): readonly AxisValue[] {
  const values = nodeMember(axis, 'values');
  if (values !== undefined) return nodeMembers(values).map(([name, , value]) => ({ name, value }));
  return nodeItems(axis).map((item, index) => ({
    name: valueName(item, index),
    value: isJsonObject(item.json) ? withoutMembers(item, 'name') : item,
  }));
}
