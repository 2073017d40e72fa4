import type { Json } from '../../model/json.ts';
import type { Path } from '../yaml/yaml-tree.ts';

/** The path that a JSON pointer means in a value: steps into lists are numbers. */
export function pathOf(pointer: string, json: Json): Path {
  const path: (string | number)[] = [];
  let value: unknown = json;
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    const step = Array.isArray(value) ? Number(name) : name;
    path.push(step);
    value = member(value, step);
  }
  return path;
}

function member(value: unknown, step: string | number): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  const found: unknown = Reflect.get(value, step);
  return found;
}
