import { type Json, setOwn } from '../../lib/json.ts';
import type { ProblemCode } from '../../model/problem.ts';
import { type Alias, isAlias, isMap, isScalar, isSeq, type Pair, type YAMLMap } from 'yaml';

/** Levels of nesting that are read. */
export const deepest = 100;

export type Path = readonly (string | number)[];

export interface TreeMistake {
  readonly code: ProblemCode;
  readonly message: string;
  readonly offset: number;
}

/** Plain JSON read from a YAML tree, and the way back from a path to the tree. */
interface YamlTree {
  readonly json: Json;
  readonly mistakes: readonly TreeMistake[];
  readonly find: (path: Path) => Found;
}

/** The node at a path, or at the longest part of it that exists; `key` is the key it stands under. */
interface Found {
  readonly node: unknown;
  readonly key: unknown;
}

/** Mistakes of a file that are kept; more only hide the first of them. */
const mostMistakes = 1000;

/** Nodes that aliases may repeat in one file; more is a bomb, not a suite. */
const mostRepeated = 10_000;

interface Walk {
  readonly anchors: Map<string, unknown>;
  readonly targets: Map<Alias, unknown>;
  readonly open: Set<unknown>;
  readonly mistakes: TreeMistake[];
  repeated: number;
  insideAlias: number;
}

export function readTree(contents: unknown): YamlTree {
  const walk: Walk = {
    anchors: new Map(),
    targets: new Map(),
    open: new Set(),
    mistakes: [],
    repeated: 0,
    insideAlias: 0,
  };
  const json = jsonOf(contents, walk, 0);
  const pairs = new WeakMap<YAMLMap, Map<string, Pair>>();
  return { json, mistakes: walk.mistakes, find: (path) => find(contents, path, { targets: walk.targets, pairs }) };
}

export function offsetOf(node: unknown): number {
  const range = typeof node === 'object' && node !== null && 'range' in node ? node.range : undefined;
  const start: unknown = Array.isArray(range) ? range[0] : undefined;
  return typeof start === 'number' ? start : 0;
}

function jsonOf(node: unknown, walk: Walk, depth: number): Json {
  if (depth > deepest) return mistake(walk, node, `nested more than ${deepest} levels deep`);
  if (walk.insideAlias > 0) {
    walk.repeated += 1;
    if (walk.repeated === mostRepeated) mistake(walk, node, 'aliases repeat more than a suite can need');
    if (walk.repeated >= mostRepeated) return null;
  }
  if (isAlias(node)) return aliasOf(node, walk, depth);
  if (isScalar(node)) {
    remember(node, walk);
    return scalarOf(node, walk);
  }
  if (!isMap(node) && !isSeq(node)) return null;
  remember(node, walk);
  walk.open.add(node);
  const json = isMap(node) ? mapOf(node, walk, depth) : node.items.map((item) => jsonOf(item, walk, depth + 1));
  walk.open.delete(node);
  return json;
}

function remember(node: { readonly anchor?: string }, walk: Walk): void {
  if (node.anchor !== undefined && walk.insideAlias === 0) walk.anchors.set(node.anchor, node);
}

function aliasOf(node: Alias, walk: Walk, depth: number): Json {
  const target = walk.targets.get(node) ?? walk.anchors.get(node.source);
  if (target === undefined) return mistake(walk, node, `there is no anchor "${node.source}" before this`);
  if (walk.open.has(target)) return mistake(walk, node, `"${node.source}" holds itself`);
  walk.targets.set(node, target);
  walk.insideAlias += 1;
  const json = jsonOf(target, walk, depth);
  walk.insideAlias -= 1;
  return json;
}

function scalarOf(node: { readonly value: unknown; readonly source?: string }, walk: Walk): Json {
  const { value } = node;
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  if (typeof value !== 'number') return mistake(walk, node, badValue('not a JSON value'));
  if (!Number.isFinite(value)) return mistake(walk, node, badValue(`${node.source ?? value} is not a JSON number`));
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    return mistake(walk, node, badValue(`${node.source ?? value} is too large to be kept exactly; write it as raw`));
  }
  return value;
}

function mapOf(node: YAMLMap, walk: Walk, depth: number): Json {
  const json: Record<string, Json> = {};
  const seen = new Set<string>();
  for (const { key, value } of node.items) {
    const name = keyText(key);
    if (name === undefined) {
      mistake(walk, key, { code: 'wrong-type', message: 'a key must be a word' });
    } else if (seen.has(name)) {
      mistake(walk, key, { code: 'duplicate-key', message: `the key "${name}" stands twice` });
    } else {
      seen.add(name);
      setOwn(json, name, jsonOf(value, walk, depth + 1));
    }
  }
  return json;
}

function keyText(key: unknown): string | undefined {
  if (!isScalar(key)) return undefined;
  if (typeof key.value === 'string') return key.value;
  return key.value === null ? undefined : key.source;
}

function mistake(walk: Walk, node: unknown, what: string | Omit<TreeMistake, 'offset'>): null {
  const said = typeof what === 'string' ? { code: 'yaml-syntax' as const, message: what } : what;
  if (walk.mistakes.length < mostMistakes) walk.mistakes.push({ ...said, offset: offsetOf(node) });
  return null;
}

const badValue = (message: string): Omit<TreeMistake, 'offset'> => ({ code: 'bad-value', message });

interface Index {
  readonly targets: ReadonlyMap<Alias, unknown>;
  readonly pairs: WeakMap<YAMLMap, Map<string, Pair>>;
}

function find(contents: unknown, path: Path, index: Index): Found {
  let found: Found = { node: contents, key: undefined };
  for (const step of path) {
    const node = isAlias(found.node) ? index.targets.get(found.node) : found.node;
    const next = childOf(node, step, index);
    if (next === undefined) return found;
    found = next;
  }
  return found;
}

function childOf(node: unknown, step: string | number, index: Index): Found | undefined {
  if (isSeq(node)) {
    const item: unknown = typeof step === 'number' ? node.items[step] : undefined;
    return item === undefined ? undefined : { node: item, key: undefined };
  }
  if (!isMap(node)) return undefined;
  const pair = pairsOf(node, index).get(String(step));
  return pair === undefined ? undefined : { node: pair.value ?? pair.key, key: pair.key };
}

function pairsOf(node: YAMLMap, index: Index): Map<string, Pair> {
  const known = index.pairs.get(node);
  if (known !== undefined) return known;
  const pairs = new Map<string, Pair>();
  for (const pair of node.items) {
    const name = keyText(pair.key);
    if (name !== undefined && !pairs.has(name)) pairs.set(name, pair);
  }
  index.pairs.set(node, pairs);
  return pairs;
}
