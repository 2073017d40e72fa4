import type { Problem } from '../../model/problem.ts';
import type { Case, Invariant } from '../../model/suite.ts';
import { compileCase } from './case.ts';
import type { CompileContext } from './context.ts';
import { compileInvariant } from './invariant.ts';
import { at, type Cursor, items, place, rootOf, text } from '../yaml/cursor.ts';
import type { YamlDocument } from '../yaml/document.ts';
import type { SeenIn } from './lint.ts';

/** What the suite files hold together; the names of `seenIn` are resolved when all cases are known. */
export interface Drafts {
  readonly cases: Case[];
  readonly invariants: { readonly invariant: Invariant; readonly seenIn: readonly SeenIn[] }[];
}

export interface SuiteContext extends Omit<CompileContext, 'suite'> {
  readonly ids: (kind: string, cursor: Cursor) => void;
}

/** Compiles one suite file into the drafts. */
export function compileSuite(document: YamlDocument, shared: SuiteContext, drafts: Drafts): void {
  const root = rootOf(document);
  const context: CompileContext = { ...shared, suite: text(at(root, 'suite')) ?? '' };
  for (const cursor of items(at(root, 'cases'))) {
    shared.ids('case', at(cursor, 'id'));
    drafts.cases.push(...compileCase(cursor, context));
  }
  for (const cursor of items(at(root, 'invariants'))) {
    shared.ids('case', at(cursor, 'id'));
    const invariant = compileInvariant(cursor, context);
    if (invariant !== undefined) drafts.invariants.push({ invariant, seenIn: seenInOf(cursor) });
  }
}

function seenInOf(cursor: Cursor): readonly SeenIn[] {
  return items(at(cursor, 'seenIn')).flatMap((item) => {
    const name = text(item);
    if (name === undefined) return [];
    const problem: Problem = item.document.problem({
      code: 'unknown-name',
      message: `there is no case "${name}"`,
      position: place(item),
    });
    return [{ name, problem }];
  });
}
