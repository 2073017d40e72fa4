import { isJsonList, isJsonObject, type Json } from '../json.ts';

/** Ways to write the same JSON (RFC 8259): neither blanks, nor the order of members, nor escapes matter. */
export type JsonStyle = 'plain' | 'pretty' | 'sorted' | 'reversed' | 'escaped';

type Order = (names: readonly string[]) => readonly string[];

function ordered(value: Json, order: Order): Json {
  if (isJsonList(value)) return value.map((item) => ordered(item, order));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(order(Object.keys(value)).map((name) => [name, ordered(value[name] ?? null, order)]));
}

const styles: Readonly<Record<JsonStyle, (value: Json) => string>> = {
  plain: (value) => JSON.stringify(value),
  pretty: (value) => `${JSON.stringify(value, null, 2)}\n`,
  sorted: (value) => JSON.stringify(ordered(value, (names) => names.toSorted())),
  reversed: (value) => JSON.stringify(ordered(value, (names) => names.toReversed())),
  escaped: (value) =>
    JSON.stringify(value)
      .replaceAll('/', String.raw`\/`)
      .replaceAll(/[\u0080-\uffff]/g, (unit) => String.raw`\u` + unit.charCodeAt(0).toString(16).padStart(4, '0')),
};

export const writeJson = (value: Json, style: JsonStyle): string => styles[style](value);

/** The same JSON text in a style; a text that is no JSON as it is. */
export function restyled(text: string, style: JsonStyle): string {
  if (style === 'plain') return text;
  try {
    // What JSON.parse gives is Json by its definition.
    return writeJson(JSON.parse(text) as Json, style);
  } catch {
    return text;
  }
}
