import type { Column, Comparison, MeasuredRow, Row } from '../../compare/comparison.ts';
import { forJson, renderJsonLines } from '../shared/sanitize.ts';

function columnJson({ letter, title, file, header, footer }: Column): unknown {
  const { run, interface: certified, tool, suites, target, clock, startedAt, selection, profile } = header;
  const ended = footer === undefined ? {} : { outcome: footer.outcome, score: footer.score };
  return {
    letter,
    title,
    file,
    run,
    interface: certified,
    tool,
    suites,
    target,
    clock,
    startedAt,
    selection,
    profile,
    ...ended,
  };
}

function byLetter<T>(list: readonly (T | undefined)[], columns: readonly Column[]) {
  return Object.fromEntries(
    columns.flatMap(({ letter }, at) => (list[at] === undefined ? [] : [[letter, list[at]] as const])),
  );
}

function rowJson({ verdicts, reasons, values, ...row }: Row, columns: readonly Column[]): unknown {
  return {
    ...row,
    verdicts: byLetter(verdicts, columns),
    reasons: byLetter(reasons, columns),
    values: values.map(({ name, differs, values: list }) => ({ name, differs, by: byLetter(list, columns) })),
  };
}

function measuredJson({ cells, ...row }: MeasuredRow, columns: readonly Column[]): unknown {
  return { ...row, by: byLetter(cells, columns) };
}

/** The comparison as one JSON document, a rule, limit or entry of the profile a line. Verdicts, reasons and values stand under the letter of their column; what a result does not have is left out. */
export function* renderComparisonJson(comparison: Comparison): Iterable<string> {
  const { columns, overTime, rows, measured, leftOut, notes } = comparison;
  yield `{\n"format":"carrierspec-comparison",\n"version":2,\n"overTime":${overTime},\n"notes":${forJson(notes)},\n`;
  const lists = {
    columns: columns.map(columnJson),
    rows: rows.map((row) => rowJson(row, columns)),
    measured: measured.map((row) => measuredJson(row, columns)),
    leftOut,
  };
  for (const [name, values] of Object.entries(lists)) {
    yield `"${name}":[`;
    yield* renderJsonLines(values);
    yield name === 'leftOut' ? '\n]\n}\n' : '\n],\n';
  }
}
