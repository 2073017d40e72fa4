import type { Result } from '../model/result.ts';
import { forJson } from './shared/sanitize.ts';

function* renderList(name: string, values: Iterable<unknown>): Iterable<string> {
  yield `"${name}":[`;
  let separator = '\n';
  for (const value of values) {
    yield separator + forJson(value);
    separator = ',\n';
  }
  yield ']';
}

/**
 * The result as one JSON document (reports/result.schema.json), one record a line, in chunks no larger than a case.
 * A run that was cut off has no member `footer`; a shard has `contributions`, which a merge needs.
 */
export function* renderJson({
  header,
  rules,
  invariants,
  cases,
  unsolicited,
  contributions,
  footer,
}: Result): Iterable<string> {
  yield '{\n';
  for (const [name, value] of Object.entries(header)) yield `"${name}":${forJson(value)},\n`;
  for (const [name, values] of Object.entries({ rules, invariants, cases })) {
    yield* renderList(name, values);
    yield ',\n';
  }
  yield* renderList('unsolicited', unsolicited);
  if (contributions !== undefined) yield `,\n"contributions":${forJson(contributions)}`;
  if (footer !== undefined) yield `,\n"footer":${forJson(footer)}`;
  yield '\n}\n';
}
