import { forJson, renderJsonLines } from '../../lib/json.ts';
import type { Result } from '../../model/result.ts';

/** The result as one JSON document (reports/result.schema.json), one record per line, in small chunks. */
export function* renderJson({ header, footer, contributions, ...lists }: Result): Iterable<string> {
  const { rules, invariants, cases, unsolicited } = lists;
  yield '{\n';
  for (const [name, value] of Object.entries(header)) yield `"${name}":${forJson(value)},\n`;
  for (const [name, values] of Object.entries({ rules, invariants, cases, unsolicited })) {
    yield `"${name}":[`;
    yield* renderJsonLines(values);
    yield name === 'unsolicited' ? ']' : '],\n';
  }
  if (contributions !== undefined) yield `,\n"contributions":${forJson(contributions)}`;
  if (footer !== undefined) yield `,\n"footer":${forJson(footer)}`;
  yield '\n}\n';
}
