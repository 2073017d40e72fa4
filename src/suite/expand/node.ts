import { isJsonObject, isList, type Json, readMember, setOwn } from '../../lib/json.ts';
import { readOnce } from '../../lib/lists.ts';
import { placeOffset, type ValuePlaces } from '../yaml/yaml-tree.ts';

/** Value of a YAML file with its places, as parsed or as rewritten. */
export interface Node {
  readonly json: Json;
  readonly places: ValuePlaces;
}

/** Member of a mapping: its name, the offset of its key, and its value. */
export type NodeMember = readonly [name: string, key: number, value: Node];

export const offsetOf = ({ places }: Node): number => placeOffset(places);

const insideOf = ({ places }: Node): Json | undefined => (isList(places) ? places[1] : undefined);

/** Members of a mapping; none for another type. */
export const nodeMembers = (node: Node): readonly NodeMember[] =>
  isJsonObject(node.json) ? Object.keys(node.json).map((name) => readNodeMember(node, name)) : [];

export const nodeMember = (node: Node, name: string): Node | undefined =>
  isJsonObject(node.json) && Object.hasOwn(node.json, name) ? readNodeMember(node, name)[2] : undefined;

function readNodeMember(node: Node, name: string): NodeMember {
  const place = readMember(insideOf(node), name);
  const [key, places] = isList(place) ? place : [offsetOf(node), offsetOf(node)];
  return [name, Number(key), { json: readMember(node.json, name) ?? null, places: places ?? Number(key) }];
}

/** Items of a list; none for another type. */
export function nodeItems(node: Node): readonly Node[] {
  const { json } = node;
  if (!isList(json)) return [];
  const inside = insideOf(node);
  return json.map((item, index) => ({ json: item, places: (isList(inside) ? inside[index] : null) ?? offsetOf(node) }));
}

export function mappingNode(offset: number, members: readonly NodeMember[]): Node {
  const json: Record<string, Json> = {};
  const places: Record<string, Json> = {};
  for (const [name, key, value] of members) {
    setOwn(json, name, value.json);
    setOwn(places, name, [key, value.places]);
  }
  return { json, places: [offset, places] };
}

export const listNode = (offset: number, items: readonly Node[]): Node => ({
  json: items.map(({ json }) => json),
  places: [offset, items.map(({ places }) => places)],
});

/** Text of a scalar; empty for a list, a mapping, or nothing. */
export const nodeText = (node: Node | undefined): string =>
  node === undefined || node.json === null || typeof node.json === 'object' ? '' : String(node.json);

export const scalarNode = (json: string | number | boolean | null, offset: number): Node => ({ json, places: offset });

/** The mapping without some of its members. */
export const withoutMembers = (node: Node, ...names: readonly string[]): Node =>
  mappingNode(
    offsetOf(node),
    nodeMembers(node).filter(([name]) => !names.includes(name)),
  );

/** The mapping with these members added, or put in the place of its own. */
export const withMembers = (node: Node, added: readonly NodeMember[]): Node =>
  mappingNode(offsetOf(node), [
    ...nodeMembers(node).filter(([name]) => !added.some(([other]) => other === name)),
    ...added,
  ]);

/** The mapping with a member that is made when it is first read. */
export function withDeferred(node: Node, name: string, make: () => Node): Node {
  const { json } = node;
  const inside = insideOf(node);
  const made = readOnce(make);
  const place = readOnce((): Json => [offsetOf(made()), made().places]);
  return {
    json: {
      ...(isJsonObject(json) ? json : {}),
      get [name]() {
        return made().json;
      },
    },
    places: [
      offsetOf(node),
      {
        ...(isJsonObject(inside) ? inside : {}),
        get [name]() {
          return place();
        },
      },
    ],
  };
}

/** The same value with every place at one offset. */
export function placedAt(node: Node, offset: number): Node {
  const { json } = node;
  if (isList(json)) {
    return listNode(
      offset,
      nodeItems(node).map((item) => placedAt(item, offset)),
    );
  }
  if (!isJsonObject(json)) return { json, places: offset };
  return mappingNode(
    offset,
    nodeMembers(node).map(([name, , value]): NodeMember => [name, offset, placedAt(value, offset)]),
  );
}
