import { isList, listItems, type Json, readMember, setOwn } from '../../lib/json.ts';
import type { ProblemCode } from '../../model/problem.ts';
import { type Alias, isAlias, isMap, isScalar, isSeq, type YAMLMap } from 'yaml';

/** Maximum nesting of a YAML file. */
export const maxYamlDepth = 100;

export type Path = readonly (string | number)[];

export interface TreeMistake {
  readonly code: ProblemCode;
  readonly message: string;
  readonly offset: number;
}

/** Offsets of a document's values: the offset of a scalar, or that of a list or mapping with its members and their keys. */
export type ValuePlaces = Json;

/** Value read from a YAML tree, with the places of it and its content. */
interface NodeRead {
  readonly json: Json;
  readonly places: ValuePlaces;
}

/** Maximum mistakes kept for a file; more would hide the first ones. */
const maxTreeMistakes = 1000;

/** Maximum nodes that aliases may repeat in a file; more is a bomb, not a suite. */
const maxRepeatedNodes = 10_000;

interface TreeWalk {
  readonly anchors: Map<string, unknown>;
  readonly targets: Map<Alias, unknown>;
  readonly open: Set<unknown>;
  readonly mistakes: TreeMistake[];
  repeated: number;
  insideAlias: number;
}

export function readTree(contents: unknown): NodeRead & { readonly mistakes: readonly TreeMistake[] } {
  const walk: TreeWalk = {
    anchors: new Map(),
    targets: new Map(),
    open: new Set(),
    mistakes: [],
    repeated: 0,
    insideAlias: 0,
  };
  return { ...readNode(contents, walk, 0), mistakes: walk.mistakes };
}

function nodeOffset(node: unknown): number {
  const range = typeof node === 'object' && node !== null && 'range' in node ? node.range : undefined;
  const start: unknown = Array.isArray(range) ? range[0] : undefined;
  return typeof start === 'number' ? start : 0;
}

function readNode(node: unknown, walk: TreeWalk, depth: number): NodeRead {
  const offset = nodeOffset(node);
  const nothing = { json: null, places: offset };
  if (depth > maxYamlDepth) return addMistake(walk, node, `nested more than ${maxYamlDepth} levels deep`) ?? nothing;
  if (walk.insideAlias > 0) {
    walk.repeated += 1;
    if (walk.repeated === maxRepeatedNodes) addMistake(walk, node, 'aliases repeat more than a suite can need');
    if (walk.repeated >= maxRepeatedNodes) return nothing;
  }
  if (isAlias(node)) return readAlias(node, walk, depth) ?? nothing;
  if (isScalar(node)) {
    rememberAnchor(node, walk);
    return { json: toScalar(node, walk), places: offset };
  }
  if (!isMap(node) && !isSeq(node)) return nothing;
  rememberAnchor(node, walk);
  walk.open.add(node);
  const [json, members] = isMap(node) ? readMap(node, walk, depth) : readList(node.items, walk, depth);
  walk.open.delete(node);
  return { json, places: [offset, members] };
}

function rememberAnchor(node: { readonly anchor?: string }, walk: TreeWalk): void {
  if (node.anchor !== undefined && walk.insideAlias === 0) walk.anchors.set(node.anchor, node);
}

function readAlias(node: Alias, walk: TreeWalk, depth: number): NodeRead | null {
  const target = walk.targets.get(node) ?? walk.anchors.get(node.source);
  if (target === undefined) return addMistake(walk, node, `there is no anchor "${node.source}" before this`);
  if (walk.open.has(target)) return addMistake(walk, node, `"${node.source}" holds itself`);
  walk.targets.set(node, target);
  walk.insideAlias += 1;
  const { json, places } = readNode(target, walk, depth);
  walk.insideAlias -= 1;
  const offset = nodeOffset(node);
  return { json, places: isList(places) ? [offset, places[1] ?? null] : offset };
}

function toScalar(node: { readonly value: unknown; readonly source?: string }, walk: TreeWalk): Json {
  const { value } = node;
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  if (typeof value !== 'number') return addMistake(walk, node, badValue('not a JSON value'));
  if (!Number.isFinite(value)) return addMistake(walk, node, badValue(`${node.source ?? value} is not a JSON number`));
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    return addMistake(walk, node, badValue(`${node.source ?? value} is too large to be kept exactly; write it as raw`));
  }
  return value;
}

function readList(
  items: readonly unknown[],
  walk: TreeWalk,
  depth: number,
): readonly [json: Json, places: ValuePlaces] {
  const all = items.map((item) => readNode(item, walk, depth + 1));
  return [all.map(({ json }) => json), all.map(({ places }) => places)];
}

function readMap(node: YAMLMap, walk: TreeWalk, depth: number): readonly [json: Json, places: ValuePlaces] {
  const json: Record<string, Json> = {};
  const members: Record<string, Json> = {};
  for (const { key, value } of node.items) {
    const name = mapKeyText(key);
    if (name === undefined) {
      addMistake(walk, key, { code: 'wrong-type', message: 'a key must be a word' });
    } else if (Object.hasOwn(json, name)) {
      addMistake(walk, key, { code: 'duplicate-key', message: `the key "${name}" stands twice` });
    } else {
      const member = readNode(value, walk, depth + 1);
      setOwn(json, name, member.json);
      setOwn(members, name, [nodeOffset(key), value === null ? nodeOffset(key) : member.places]);
    }
  }
  return [json, members];
}

function mapKeyText(key: unknown): string | undefined {
  if (!isScalar(key)) return undefined;
  if (typeof key.value === 'string') return key.value;
  return key.value === null ? undefined : key.source;
}

function addMistake(walk: TreeWalk, node: unknown, what: string | Omit<TreeMistake, 'offset'>): null {
  const said = typeof what === 'string' ? { code: 'yaml-syntax' as const, message: what } : what;
  if (walk.mistakes.length < maxTreeMistakes) walk.mistakes.push({ ...said, offset: nodeOffset(node) });
  return null;
}

const badValue = (message: string): Omit<TreeMistake, 'offset'> => ({ code: 'bad-value', message });

/** Places of a value, or of its nearest existing parent, and the offset of its key. */
interface FoundPlaces {
  readonly places: ValuePlaces;
  readonly key?: Json | undefined;
}

export function findPlaces(root: ValuePlaces, path: Path): FoundPlaces {
  let found: FoundPlaces = { places: root };
  for (const step of path) {
    const members = isList(found.places) ? found.places[1] : undefined;
    const item = isList(members) && typeof step === 'number' ? members[step] : undefined;
    const [key, places = item] = listItems(readMember(members, String(step)));
    if (places === undefined) return found;
    found = { places, key };
  }
  return found;
}

export const placeOffset = (places: ValuePlaces): number => Number(isList(places) ? places[0] : places);
