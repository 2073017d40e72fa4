import { list, named, object, type Read, text } from '../grammar/grammar.ts';
import type { Case, Invariant } from '../suites.ts';
import type { VerbTable } from '../verbs/define.ts';
import { type Cursor, place, text as textOf } from '../yaml/cursor.ts';
import { caseShape, compileCase } from './case.ts';
import type { CompileContext } from './context.ts';
import { compileInvariant, invariantShape } from './invariant.ts';
import type { SeenIn } from './lint.ts';

const makeSuiteFile = (verbs: VerbTable) =>
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
  );

type SuiteFile = ReturnType<typeof makeSuiteFile>;
const suiteFiles = new WeakMap<VerbTable, SuiteFile>();

/** A `*.suite.yaml` whose steps have these verbs. */
export function suiteFile(verbs: VerbTable): SuiteFile {
  const made = suiteFiles.get(verbs) ?? makeSuiteFile(verbs);
  suiteFiles.set(verbs, made);
  return made;
}

/** What the suite files hold together; the names of `seenIn` are resolved when all cases are known. */
export interface Drafts {
  readonly cases: Case[];
  readonly invariants: { readonly invariant: Invariant; readonly seenIn: readonly SeenIn[] }[];
}

export interface SuiteContext extends Omit<CompileContext, 'suite'> {
  readonly verbs: VerbTable;
  /** Reports an id that is taken. */
  readonly ids: (kind: string, cursor: Cursor) => void;
}

/** Compiles one suite file into the drafts. */
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
    if (invariant !== undefined) drafts.invariants.push({ invariant, seenIn: (one.seenIn ?? []).flatMap(seenInOf) });
  }
}

function seenInOf(item: Cursor): readonly SeenIn[] {
  const name = textOf(item);
  if (name === undefined) return [];
  const message = `there is no case "${name}"`;
  return [{ name, problem: item.document.problem({ code: 'unknown-name', message, position: place(item) }) }];
}
