import type { ExpectedFailure } from '../model/expected.ts';
import type { Problem } from '../model/problem.ts';
import { checkSchema, readSchema } from '../suite/grammar/check-schema.ts';
import { at, type Cursor, items, place, rootOf, text } from '../suite/yaml/cursor.ts';
import { readYaml } from '../suite/yaml/document.ts';
import { createProblems, type Problems } from '../suite/yaml/problems.ts';

export interface ExpectedOptions {
  readonly file: string;
  /** Path of suites/schema/expected.json. */
  readonly schema: string;
}

interface Reading {
  readonly problems: Problems;
  /** By what it names, where it was named first. */
  readonly taken: Map<string, number>;
}

const kinds = ['rule', 'case'] as const;

function isDay(day: string): boolean {
  const parsed = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(parsed) && new Date(parsed).toISOString().startsWith(day);
}

function requireDay(cursor: Cursor, { problems }: Reading): string {
  const day = text(cursor) ?? '';
  if (!isDay(day)) {
    const message = `there is no day ${day}`;
    problems.report(cursor.document.problem({ code: 'bad-value', message, position: place(cursor) }));
  }
  return day;
}

/** Whether it names a rule or a case: exactly one of them. */
function requireSubject(cursor: Cursor, { problems, taken }: Reading): Pick<ExpectedFailure, 'what' | 'name'> {
  const named = kinds.flatMap((what) => {
    const name = text(at(cursor, what));
    return name === undefined ? [] : [{ what, name }];
  });
  const [subject = { what: 'rule', name: '' }, second] = named;
  const complain = (code: Problem['code'], message: string, where: Cursor): void =>
    problems.report(cursor.document.problem({ code, message, position: place(where) }));
  if (named.length === 0) complain('missing-key', 'an expected failure names a "rule" or a "case"', cursor);
  if (second !== undefined) {
    complain('bad-value', 'an expected failure names a "rule" or a "case", not both', at(cursor, 'case'));
  }
  const key = `${subject.what} ${subject.name}`;
  const first = taken.get(key);
  if (first !== undefined) {
    complain('duplicate-id', `the ${key} is expected to fail already, in line ${first}`, at(cursor, subject.what));
  }
  taken.set(key, first ?? place(cursor).line);
  return subject;
}

function loadEntry(cursor: Cursor, reading: Reading): ExpectedFailure {
  return {
    ...requireSubject(cursor, reading),
    reason: text(at(cursor, 'reason')) ?? '',
    owner: text(at(cursor, 'owner')) ?? '',
    expires: requireDay(at(cursor, 'expires'), reading),
    position: place(cursor),
  };
}

/** Reads and checks a file of expected failures; every mistake at once. */
export function loadExpected({ file, schema }: ExpectedOptions): {
  readonly expected: readonly ExpectedFailure[];
  readonly problems: readonly Problem[];
} {
  const problems = createProblems();
  const document = readYaml(file);
  const wrong = document.problems.length > 0 ? document.problems : checkSchema(document, readSchema(schema));
  if (wrong.length > 0) {
    for (const problem of wrong) problems.report(problem);
    return { expected: [], problems: problems.sorted() };
  }
  const reading: Reading = { problems, taken: new Map() };
  const expected = items(at(rootOf(document), 'expected')).map((entry) => loadEntry(entry, reading));
  return { expected, problems: problems.sorted() };
}
