import { onceEach } from '../../lib/lists.ts';
import { documentRoot, at, type Cursor, place, text as textOf, parseYaml } from '../yaml/document.ts';
import type { Json } from '../../lib/json.ts';
import type { Problem } from '../../model/problem.ts';
import { messageKinds } from '../../model/suite.ts';
import { compileExpectations, expectShape } from '../expectations/expectations.ts';
import { described, list, named, object, placed, type Read, text, word } from '../grammar/grammar.ts';
import { cites, faults, name, ruleRefs } from '../grammar/shared.ts';
import type { Case, Invariant } from '../suites.ts';
import { messageNames } from '../template/names.ts';
import type { VerbTable } from '../verbs/define.ts';
import { caseShape, compileCase } from './case.ts';
import { type CompileContext, reportAtKey } from './context.ts';
import { checkFaults, type SeenIn } from './lint.ts';
import { compileRuleRefs } from './rules.ts';

/** A suite that a command makes instead of reading it. */
interface GeneratedSuite {
  /** Names where it comes from in messages: `command line`. */
  readonly source: string;
  readonly area: string;
  readonly tampers: ReadonlySet<string>;
  readonly verbs: VerbTable;
  /** Named checks that its expectations may name; none unless said. */
  readonly checks?: ReadonlySet<string>;
}

interface Generated {
  readonly cases: readonly Case[];
  /** Problems of the operator's input: templates, names. */
  readonly problems: readonly Problem[];
}

/** Compiles cases of the suite language that were made, not read: `cases` is what would stand below `cases:`. They judge no rule. */
export function compileGenerated(
  cases: Json,
  { source, area, tampers, verbs, checks = new Set() }: GeneratedSuite,
): Generated {
  const drafts: Drafts = { cases: [], invariants: [] };
  const problems: Problem[] = [];
  const document = parseYaml(JSON.stringify({ suite: source, cases }), source);
  compileSuite(
    suiteFile(verbs).read(documentRoot(document)),
    {
      area,
      verbs,
      report: (problem) => problems.push(problem),
      ids: () => undefined,
      known: { rules: undefined, checks, tampers, faults: undefined },
      judged: () => undefined,
    },
    drafts,
  );
  return { cases: drafts.cases, problems: [...document.problems, ...problems] };
}

/** A text that templates leave as it is. */
export const literal = (text: string): string => text.replaceAll('{{', "{{ '{{' }}");

const invariantShape = object(
  {
    id: placed(name('Unique over all suites.')),
    title: text({ description: 'One sentence: what always holds.' }),
    rule: described(ruleRefs, 'The rule or aspect it judges.'),
    on: word(messageKinds, { description: 'Every message of this kind; `run` is once, over the whole run.' }),
    expect: described(expectShape, 'What holds for each of them.'),
    seenIn: list(placed(text()), {
      title: 'a list of cases',
      minItems: 1,
      description: 'The cases that run when only this rule is selected.',
    }),
    detects: described(faults, 'Faults of the reference carrier that must turn this invariant red.'),
    cites: described(cites, 'Principles and decisions of docs/corrections.md that it follows.'),
  },
  { title: 'an invariant', required: ['id', 'title', 'rule', 'on', 'expect', 'seenIn'] },
);

const itemTexts = (all: readonly Cursor[] = []): readonly string[] => all.flatMap((item) => textOf(item) ?? []);

/** Compiles an invariant; `seenIn` is resolved once all cases are known. */
function compileInvariant(read: Read<typeof invariantShape>, context: CompileContext): Invariant | undefined {
  const { title = '', on = 'response', expect = [] } = read;
  const id = read.id === undefined ? undefined : textOf(read.id);
  if (read.id === undefined || id === undefined) return undefined;
  checkFaults(read.detects, context);
  if (on === 'run') checkRun(expect, context);
  const rules = compileRuleRefs(at(read.cursor, 'rule'), context, 'invariant') ?? [];
  const templates = { names: messageNames, report: context.report };
  return {
    id,
    title,
    suite: context.suite,
    area: context.area,
    position: place(read.id),
    on,
    expectations: compileExpectations(expect, { ...context, by: 'invariant', rules, templates }),
    seenIn: itemTexts(read.seenIn),
    detects: itemTexts(read.detects),
  };
}

/** A whole run is no message: only a named check can look at it. */
function checkRun(expect: readonly Cursor[], context: CompileContext): void {
  for (const entry of expect) {
    if (at(entry, 'check').value !== undefined) continue;
    const message = 'an invariant on the whole run is judged by a named check only';
    reportAtKey(entry, context, { code: 'missing-key', message, hint: 'expect: { check: name }' });
  }
}

/** A `*.suite.yaml` whose steps have these verbs. */
export const suiteFile = onceEach((verbs: VerbTable) =>
  object(
    {
      suite: text({ description: 'What the suite is about.' }),
      cases: list(caseShape(verbs), { title: 'a list of cases', description: 'Scenarios.' }),
      invariants: list(named('invariant', invariantShape), {
        title: 'a list of invariants',
        description: 'Expectations on every message of a kind, over the whole run.',
      }),
    },
    { title: 'a suite', description: 'Cases and invariants; see docs/suite-language.md.', required: ['suite'] },
  ),
);

type SuiteFile = ReturnType<typeof suiteFile>;

/** Content of all suite files; the names of `seenIn` are resolved when all cases are known. */
export interface Drafts {
  readonly cases: Case[];
  readonly invariants: { readonly invariant: Invariant; readonly seenIn: readonly SeenIn[] }[];
}

export interface SuiteContext extends Omit<CompileContext, 'suite'> {
  readonly verbs: VerbTable;
  /** Reports an id that is taken. */
  readonly ids: (kind: string, cursor: Cursor) => void;
}

export function compileSuite(read: Read<SuiteFile> | undefined, shared: SuiteContext, drafts: Drafts): void {
  const { suite = '', cases = [], invariants = [] } = read ?? {};
  const context = { ...shared, suite };
  for (const one of cases) {
    if (one.id !== undefined) shared.ids('case', one.id);
    drafts.cases.push(...compileCase(one, context));
  }
  for (const one of invariants) {
    if (one.id !== undefined) shared.ids('case', one.id);
    const invariant = compileInvariant(one, context);
    if (invariant !== undefined) drafts.invariants.push({ invariant, seenIn: (one.seenIn ?? []).flatMap(readSeenIn) });
  }
}

function readSeenIn(item: Cursor): readonly SeenIn[] {
  const name = textOf(item);
  if (name === undefined) return [];
  const message = `there is no case "${name}"`;
  return [{ name, problem: () => item.document.problem({ code: 'unknown-name', message, position: place(item) }) }];
}
