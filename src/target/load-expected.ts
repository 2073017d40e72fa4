import { at, type Cursor, place, documentRoot, readYaml } from '../suite/yaml/document.ts';
import type { ExpectedFailure } from '../model/expected-failure.ts';
import type { Problem } from '../model/problem.ts';
import { checkSchema, grammarValidator } from '../suite/grammar/check-schema.ts';
import { described, list, named, object, nonEmptyText } from '../suite/grammar/grammar.ts';
import { createProblems, type Problems } from '../suite/yaml/problems.ts';
import { dayGrammar } from './values.ts';
import { isDay } from './load-declarations.ts';

const entryNameGrammar = named('name', nonEmptyText({ title: 'an id' }));
const entryTextGrammar = named('text', nonEmptyText({ title: 'a text' }));

const entryGrammar = object(
  {
    rule: described(entryNameGrammar, 'Id of a rule, such as REQ-015; instead of case.'),
    case: described(
      entryNameGrammar,
      'Id of a case or an invariant, with its row if it has one, such as iat-too-old/5m30s-old; instead of rule.',
    ),
    reason: described(entryTextGrammar, 'Why it fails, and why that is tolerated.'),
    owner: described(entryTextGrammar, 'Person or team that will fix it.'),
    expires: dayGrammar('2026-12-31', 'The last day on which it may still fail.'),
  },
  { required: ['reason', 'owner', 'expires'], title: 'an expected failure' },
);

export const expectedGrammar = object(
  {
    expected: list(named('entry', entryGrammar), {
      title: 'a list of entries',
      description: 'One entry for each rule or case that is known to fail.',
    }),
  },
  {
    title: 'a file of expected failures',
    description:
      'expected.yaml: rules and cases that are known to fail. They still run, and must fail; an entry that no longer does, has expired or matches nothing is an error.',
    required: ['expected'],
  },
);

type GivenEntry = NonNullable<ReturnType<typeof entryGrammar.read>>;

interface ExpectedContext {
  readonly problems: Problems;
  /** Line of each name's first entry. */
  readonly taken: Map<string, number>;
}

/** Returns the rule or case that an entry names; reports any other number than one. */
function requireSubject(
  given: GivenEntry,
  { problems, taken }: ExpectedContext,
): Pick<ExpectedFailure, 'what' | 'name'> {
  const { rule, case: whole, cursor } = given;
  const subject =
    rule === undefined ? ({ what: 'case', name: whole ?? '' } as const) : ({ what: 'rule', name: rule } as const);
  const complain = (code: Problem['code'], message: string, where: Cursor): void =>
    problems.report(cursor.document.problem({ code, message, position: place(where) }));
  if (rule === undefined && whole === undefined) {
    complain('missing-key', 'an expected failure names a "rule" or a "case"', cursor);
    return subject;
  }
  if (rule !== undefined && whole !== undefined) {
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

function loadEntry(given: GivenEntry, reading: ExpectedContext): ExpectedFailure {
  const { reason = '', owner = '', expires = '', cursor } = given;
  if (!isDay(expires)) {
    const mistake = { code: 'bad-value', message: `there is no day ${expires}` } as const;
    reading.problems.report(cursor.document.problem({ ...mistake, position: place(at(cursor, 'expires')) }));
  }
  return { ...requireSubject(given, reading), reason, owner, expires, position: place(cursor) };
}

/** Reads and checks a file of expected failures, and reports every mistake. */
export function loadExpected(file: string): {
  readonly expected: readonly ExpectedFailure[];
  readonly problems: readonly Problem[];
} {
  const problems = createProblems();
  const document = readYaml(file);
  const validate = grammarValidator(expectedGrammar);
  const wrong = document.problems.length > 0 ? document.problems : checkSchema(document, validate);
  for (const problem of wrong) problems.report(problem);
  if (wrong.length > 0) return { expected: [], problems: problems.sorted() };
  const reading: ExpectedContext = { problems, taken: new Map() };
  const given = expectedGrammar.read(documentRoot(document))?.expected ?? [];
  return { expected: given.map((one) => loadEntry(one, reading)), problems: problems.sorted() };
}
