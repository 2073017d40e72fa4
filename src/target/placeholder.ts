import { type Cursor, entries, isList, items, place, rootOf, type YamlDocument } from '../suite/yaml/document.ts';
import { isJsonObject } from '../lib/json.ts';
import type { Problem } from '../model/problem.ts';

/** A value that the author of a file has still to put in, as `carrierspec init` writes it: `<fill in: the client_id>`. */
export const placeholder = (meaning: string): string => `<fill in: ${meaning}>`;

const pattern = /^<fill in: (.*)>$/s;

/** The placeholders that a target file still has, each at its place. */
export function unfilled(document: YamlDocument): readonly Problem[] {
  const find = (cursor: Cursor): readonly Problem[] => {
    const { value } = cursor;
    if (isList(value)) return items(cursor).flatMap(find);
    if (isJsonObject(value)) return entries(cursor).flatMap(([, member]) => find(member));
    const meaning = typeof value === 'string' ? pattern.exec(value)?.[1] : undefined;
    if (meaning === undefined) return [];
    return [document.problem({ code: 'bad-value', message: `not filled in yet: ${meaning}`, position: place(cursor) })];
  };
  return find(rootOf(document));
}
