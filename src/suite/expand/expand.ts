import { isJsonObject, isList } from '../../lib/json.ts';
import { suggestKnown } from '../../lib/suggestion.ts';
import type { Problem } from '../../model/problem.ts';
import type { YamlDocument } from '../yaml/document.ts';
import { splitTemplate } from '../template/expression.ts';
import { joinMappings } from './join.ts';
import type { NamedSteps, Shared } from './named-steps.ts';
import {
  listNode,
  mappingNode,
  type Node,
  type NodeMember,
  nodeItems,
  nodeMember,
  nodeMembers,
  nodeText,
  offsetOf,
  placedAt,
  scalarNode,
  withDeferred,
  withMembers,
  withoutMembers,
} from './node.ts';
import { fillNode, listLacking, type References } from './references.ts';
import { type EachRow, type RowsContext, readRows } from './rows.ts';

/*
 * Rewrites a suite before its schema is checked: a case with `each` becomes one case for each row, a step or block with `each` one for
 * each row, and a step with `do` the named steps. Every value keeps its place in the file, so that a mistake in a row is shown there.
 */

export interface ExpandContext {
  readonly shared: Shared;
  /** Verbs, whose value may be a list of mappings that are joined. */
  readonly verbs: readonly string[];
  readonly report: (problem: Problem) => void;
}

/** Most named steps inside one another. */
const maxDepth = 5;

interface Expansion extends RowsContext {
  readonly shared: Shared;
  readonly verbs: readonly string[];
  /** Row of the case, if any. */
  readonly ofCase: References;
  /** Rows of steps, and parameters, around the step. */
  readonly around: References;
  readonly depth: number;
  /** Whether a build checked the file. */
  readonly isChecked: boolean;
  /** Values that a row of the case lacks, and that have been reported. */
  readonly lacked: Set<string>;
}

/** Expands the cases of a suite file. */
export function expandSuite(document: YamlDocument, { shared, verbs, report }: ExpandContext): YamlDocument {
  const root: Node = { json: document.json, places: document.places };
  const cases = nodeMember(root, 'cases');
  if (cases === undefined || !isList(cases.json)) return document;
  const expansion: Expansion = {
    shared,
    verbs,
    ofCase: new Map(),
    around: new Map(),
    depth: 0,
    isChecked: document.isChecked === true,
    lacked: new Set(),
    mistake: (offset, code, message, hint) =>
      report(document.problem({ code, message, position: document.positionAt(offset), hint })),
  };
  const expanded = nodeItems(cases).flatMap((one) => expandCase(one, expansion));
  const written = nodeMembers(root).map(
    ([name, key, value]): NodeMember => [name, key, name === 'cases' ? listNode(offsetOf(cases), expanded) : value],
  );
  const rewritten = document.rewritten(mappingNode(offsetOf(root), written));
  return document.isChecked === true ? { ...rewritten, isChecked: true } : rewritten;
}

function expandCase(one: Node, expansion: Expansion): readonly Node[] {
  const each = nodeMember(one, 'each');
  // The schema reports an empty one, or one of another type.
  if (each === undefined || nodeMembers(each).length === 0) return [expandCaseSteps(one, expansion)];
  return readRows(each, expansion).map((row) => {
    const ofCase: References = new Map([['each', row.values]]);
    const others = fillNode(withoutMembers(one, 'each', 'steps'), { references: ofCase, isOfCase: true });
    reportUnfilled(nodeMember(others, 'title'), row.name, expansion);
    const steps = nodeMembers(one).filter(([name]) => name === 'steps');
    const only: NodeMember = ['each', row.offset, mappingNode(row.offset, [[row.name, row.offset, row.node]])];
    return expandCaseSteps(withMembers(others, [only, ...steps]), { ...expansion, ofCase });
  });
}

/** Reports a reference in a title to which the row has no value, or one with a template: a title is not evaluated. */
function reportUnfilled(title: Node | undefined, row: string, { mistake }: Expansion): void {
  if (typeof title?.json !== 'string') return;
  const [left] = splitTemplate(title.json).filter(({ kind }) => kind !== 'text');
  if (left === undefined) return;
  const message = `the row "${row}" has no plain value for "${left.source.trim()}", which this title names`;
  mistake(offsetOf(title), 'bad-template', message);
}

/** Expands the steps of a case. A build found no mistake in a checked file, so that its steps wait until they are read. */
function expandCaseSteps(one: Node, expansion: Expansion): Node {
  const steps = nodeMember(one, 'steps');
  if (steps === undefined || !isList(steps.json)) return one;
  const here = offsetOf(steps);
  const expand = (): Node =>
    listNode(
      here,
      nodeItems(steps).flatMap((step, index) => expandStep(step, index + 1, expansion)),
    );
  return expansion.isChecked ? withDeferred(one, 'steps', expand) : withMembers(one, [['steps', here, expand()]]);
}

const fill = (node: Node, { ofCase, around }: Expansion): Node =>
  fillNode(fillNode(node, { references: around, isOfCase: false }), { references: ofCase, isOfCase: true });

function expandStep(step: Node, number: number, expansion: Expansion): readonly Node[] {
  const each = nodeMember(step, 'each');
  if (each !== undefined) {
    const rest = withoutMembers(step, 'each');
    return readRows(fill(each, expansion), expansion).flatMap((row) => expandRow(rest, row, { number, expansion }));
  }
  const block = nodeMember(step, 'steps');
  if (block !== undefined) {
    const more = nodeMembers(step).find(([name]) => name !== 'steps');
    if (more !== undefined) expansion.mistake(more[1], 'unknown-key', `"${more[0]}" means nothing beside steps`);
    return nodeItems(block).flatMap((inner, index) => expandStep(inner, index + 1, expansion));
  }
  if (nodeMember(step, 'do') !== undefined) return expandNamed(fill(step, expansion), expansion);
  return [joinVerb(fillStep(step, expansion), expansion)];
}

/** Fills a step. Reports each value that its rows lack, for the first of them, and goes on with an empty text. */
function fillStep(step: Node, expansion: Expansion): Node {
  const filled = fill(step, expansion);
  const { around, ofCase, lacked, mistake } = expansion;
  const own = around.get('each');
  const row = [ofCase.get('each'), own].reduce((outer, inner) =>
    outer === undefined || inner === undefined ? (outer ?? inner) : withMembers(outer, nodeMembers(inner)),
  );
  const lacking = row === undefined ? [] : listLacking(filled, row);
  if (row === undefined || lacking.length === 0) return filled;
  const members = nodeMembers(row).map(([name]) => name);
  for (const [name, offset] of lacking) {
    const key = `${offset} ${name}`;
    if (lacked.has(key)) continue;
    lacked.add(key);
    const message = `the row "${nodeText(nodeMember(row, 'name'))}" has no "${name}"`;
    mistake(offset, 'unknown-name', message, suggestKnown(name, members));
  }
  const empty = lacking.map(([name, offset]): NodeMember => [name, offset, scalarNode('', offset)]);
  return fillNode(filled, { references: new Map([['each', mappingNode(offsetOf(step), empty)]]), isOfCase: false });
}

interface RowPlace {
  readonly number: number;
  readonly expansion: Expansion;
}

function expandRow(step: Node, row: EachRow, { number, expansion }: RowPlace): readonly Node[] {
  const outer = expansion.around.get('each');
  const values = outer === undefined ? row.values : withMembers(outer, nodeMembers(row.values));
  const inner: Expansion = { ...expansion, around: new Map([...expansion.around, ['each', values]]) };
  if (nodeMember(step, 'steps') !== undefined) return expandStep(step, number, inner);
  const taken = row.isDifference ? takeRow(step, row) : step;
  const written = nodeMember(step, 'as');
  const name = written === undefined ? `step${number}` : nodeText(written);
  const isNamed = name.includes('{{');
  const as: NodeMember = [
    'as',
    offsetOf(written ?? step),
    scalarNode(`${name}-${row.name}`, offsetOf(written ?? step)),
  ];
  return expandStep(isNamed ? taken : withMembers(taken, [as]), number, inner);
}

/** Puts the row in the place of `each`, as in `authorize: each`. */
const takeRow = (step: Node, { node }: EachRow): Node =>
  mappingNode(
    offsetOf(step),
    nodeMembers(step).map(
      ([name, key, value]): NodeMember => [
        name,
        key,
        value.json === 'each' ? withoutMembers(node, 'with', 'receiver') : value,
      ],
    ),
  );

const isMappingList = ({ json }: Node): boolean => isList(json) && json.length > 0 && json.every(isJsonObject);

/** Joins the mappings of a verb whose value is a list. */
function joinVerb(step: Node, { verbs, mistake }: Expansion): Node {
  const joined = nodeMembers(step).flatMap(([name, key, value]): readonly NodeMember[] =>
    verbs.includes(name) && isMappingList(value) ? [[name, key, joinMappings(value, mistake)]] : [],
  );
  return joined.length === 0 ? step : withMembers(step, joined);
}

/** Keys of a step with `do` that go to the first of its steps; others go to the last. */
const firstKeys: ReadonlySet<string> = new Set(['at', 'by', 'parallel']);

function expandNamed(step: Node, expansion: Expansion): readonly Node[] {
  const { shared, mistake, depth } = expansion;
  const written = nodeMember(step, 'do') ?? step;
  const name = nodeText(written);
  const named = shared.namedSteps.get(name);
  if (named === undefined) {
    const hint = suggestKnown(name, [...shared.namedSteps.keys()]);
    mistake(offsetOf(written), 'unknown-name', `there are no named steps "${name}"`, hint);
    return [];
  }
  if (depth >= maxDepth) {
    mistake(offsetOf(written), 'bad-value', `named steps stand more than ${maxDepth} deep in one another`);
    return [];
  }
  const passed = nodeMember(step, 'with') ?? mappingNode(offsetOf(step), []);
  const steps = chooseSteps(named, passed, { name, step, expansion });
  const values = named.optional === undefined ? passed : withMembers(named.optional, nodeMembers(passed));
  const inner: Expansion = { ...expansion, around: new Map([['do', values]]), ofCase: new Map(), depth: depth + 1 };
  const here = offsetOf(step);
  const expanded = steps.flatMap((one, index) => expandStep(placedAt(one, here), index + 1, inner));
  const own = nodeMembers(withoutMembers(step, 'do', 'with'));
  return expanded.map((one, index) =>
    withMembers(one, [
      ...(index === 0 ? own.filter(([key]) => firstKeys.has(key)) : []),
      ...(index === expanded.length - 1 ? own.filter(([key]) => !firstKeys.has(key)) : []),
    ]),
  );
}

interface NamedUse {
  readonly name: string;
  readonly step: Node;
  readonly expansion: Expansion;
}

/** Steps of the choice that the parameters make; reports parameters that are missing or unknown. */
function chooseSteps(
  { parameters, optional, by, choices }: NamedSteps,
  passed: Node,
  { name, step, expansion: { mistake } }: NamedUse,
): readonly Node[] {
  const known = [...parameters, ...(optional === undefined ? [] : nodeMembers(optional).map(([one]) => one))];
  for (const [one, key] of nodeMembers(passed)) {
    if (known.includes(one)) continue;
    mistake(key, 'unknown-key', `the named steps "${name}" have no parameter "${one}"`, suggestKnown(one, known));
  }
  const missing = parameters.filter((one) => nodeMember(passed, one) === undefined);
  if (missing.length > 0) {
    mistake(
      offsetOf(step),
      'missing-key',
      `the named steps "${name}" need ${missing.join(' and ')}`,
      `with: { ${missing.join(': …, ')}: … }`,
    );
    return [];
  }
  if (by === undefined) return choices.get('') ?? [];
  const chosen = nodeMember(passed, by);
  const steps = choices.get(nodeText(chosen));
  if (steps !== undefined) return steps;
  const message = `"${nodeText(chosen)}" is no ${by} of the named steps "${name}"`;
  mistake(offsetOf(chosen ?? step), 'bad-value', message, `one of ${[...choices.keys()].join(', ')}`);
  return [];
}
