import type { Result } from '../../model/result.ts';
import { forJson, renderJsonLines } from '../shared/sanitize.ts';

/**
 * The result as one JSON document (reports/result.schema.json), one record a line, in chunks no larger than a case.
 * A run that was cut off has no member `footer`.
 */
export function* renderJson({ header, footer, rules, invariants, cases, unsolicited }: Result): Iterable<string> {
  yield '{\n';
  for (const [name, value] of Object.entries(header)) yield `"${name}":${forJson(value)},\n`;
  for (const [name, values] of Object.entries({ rules, invariants, cases, unsolicited })) {
    yield `"${name}":[`;
    yield* renderJsonLines(values);
    yield name === 'unsolicited' ? ']' : '],\n';
  }
  if (footer !== undefined) yield `,\n"footer":${forJson(footer)}`;
  yield '\n}\n';
}
