import type { Result } from '../model/result.ts';

/** What a terminal would act on or hide although JSON lets it stand unescaped; in JSON it can only be inside a string. */
const unseen = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}\p{DI}]/gu;

/** UTF-16 units as `\uXXXX`: the same JSON string, in characters everyone can see. */
function escapeUnits(text: string): string {
  return text
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

function renderValue(value: unknown): string {
  return JSON.stringify(value).replace(unseen, escapeUnits);
}

function* renderList(name: string, values: Iterable<unknown>): Iterable<string> {
  yield `"${name}":[`;
  let separator = '\n';
  for (const value of values) {
    yield separator + renderValue(value);
    separator = ',\n';
  }
  yield ']';
}

/**
 * The result as one JSON document (reports/result.schema.json), one record a line, in chunks no larger than a case.
 * A run that was cut off has no member `footer`.
 */
export function* renderJson({ header, rules, invariants, cases, strays, footer }: Result): Iterable<string> {
  yield '{\n';
  for (const [name, value] of Object.entries(header)) yield `"${name}":${renderValue(value)},\n`;
  for (const [name, values] of Object.entries({ rules, invariants, cases })) {
    yield* renderList(name, values);
    yield ',\n';
  }
  yield* renderList('strays', strays);
  if (footer !== undefined) yield `,\n"footer":${renderValue(footer)}`;
  yield '\n}\n';
}
