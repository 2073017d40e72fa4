import { isJsonObject, type JsonObject } from '../../lib/json.ts';
import type { YamlDocument } from '../yaml/document.ts';
import { takeRow } from './expand.ts';
import { type Node, nodeItems, nodeMember, nodeMembers, nodeText, withMembers, withoutMembers } from './node.ts';
import { fillNode, type References } from './references.ts';
import { readRow } from './rows.ts';

/** Case as its expanded file has it, with the values of its row in place of the references to them. */
export interface WrittenCase {
  readonly id: string;
  readonly json: JsonObject;
  readonly steps: readonly JsonObject[];
}

export interface WrittenSuites {
  readonly cases: readonly WrittenCase[];
}

/** A reference that a row cannot fill, because a mapping does not fit into an expression. */
const unfilled = /\{\{[^{}]*\beach\./;

/** Lists the cases of an expanded suite, each with its row filled in. Leaves out cases that cannot stand alone. */
export const listWrittenCases = ({ json, places }: YamlDocument): readonly WrittenCase[] =>
  nodeItems(nodeMember({ json, places }, 'cases') ?? { json: [], places }).flatMap((one) => writeCase(one) ?? []);

function writeCase(one: Node): WrittenCase | undefined {
  const [row] = nodeMembers(nodeMember(one, 'each') ?? { json: {}, places: one.places }).map(readRow);
  const references: References = new Map(row === undefined ? [] : [['each', row.values]]);
  const steps = nodeItems(nodeMember(one, 'steps') ?? one).map((step) =>
    fillNode(row === undefined ? step : takeRow(step, row), { references, isOfCase: false }),
  );
  // A step with `near` stands for many steps that the file does not contain.
  const isWhole = steps.every((step) => nodeMember(step, 'near') === undefined);
  if (!isWhole || unfilled.test(JSON.stringify(steps.map((step) => step.json)))) return undefined;
  const receiver = row === undefined ? undefined : nodeMember(row.node, 'receiver');
  const others = withoutMembers(one, 'id', 'steps', 'each');
  const around = receiver === undefined ? others : withMembers(others, [['receiver', row?.offset ?? 0, receiver]]);
  const id = nodeText(nodeMember(one, 'id'));
  return {
    id: row === undefined ? id : `${id}/${row.name}`,
    json: isJsonObject(around.json) ? around.json : {},
    steps: steps.map((step) => step.json).filter(isJsonObject),
  };
}
