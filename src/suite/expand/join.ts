import { isJsonObject, isList } from '../../lib/json.ts';
import {
  listNode,
  mappingNode,
  type Node,
  type NodeMember,
  nodeItems,
  nodeMember,
  nodeMembers,
  offsetOf,
  withMembers,
} from './node.ts';
import type { RowsContext } from './rows.ts';

/** Joins a list of mappings from left to right: mappings in them are joined, lists are put together. */
export const joinMappings = (list: Node, mistake: RowsContext['mistake']): Node =>
  nodeItems(list).reduce((joined, one) => joinTwo(joined, one, mistake), mappingNode(offsetOf(list), []));

function joinTwo(left: Node, right: Node, mistake: RowsContext['mistake']): Node {
  const added = nodeMembers(right).map(([name, key, value]): NodeMember => {
    const own = nodeMember(left, name);
    if (own === undefined) return [name, key, value];
    if (isJsonObject(own.json) && isJsonObject(value.json)) return [name, key, joinTwo(own, value, mistake)];
    if (isList(own.json) && isList(value.json)) {
      return [name, key, listNode(offsetOf(own), [...nodeItems(own), ...nodeItems(value)])];
    }
    mistake(key, 'duplicate-key', `two of the joined differences set "${name}"`);
    return [name, key, value];
  });
  return withMembers(left, added);
}
