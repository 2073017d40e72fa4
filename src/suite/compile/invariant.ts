import type { Invariant, MessageKind } from '../../model/suite.ts';
import { type CompileContext, reportAtKey } from './context.ts';
import { compileExpectations } from '../expectations/compile-expectation.ts';
import { compileRuleRefs } from './rules.ts';
import { at, type Cursor, oneOrMore, place, text, texts } from '../yaml/cursor.ts';
import { checkFaults } from './lint-case.ts';
import { messageNames } from '../template/names.ts';

const kinds: readonly MessageKind[] = [
  'response',
  'accepted',
  'refused',
  'callback',
  'tokens',
  'callback-error',
  'event',
  'userinfo',
  'usertrait',
  'token',
  'discovery',
  'jwks',
  'cancel',
  'run',
];

/** Compiles an invariant; `seenIn` is resolved once all cases are known. */
export function compileInvariant(cursor: Cursor, context: CompileContext): Invariant | undefined {
  const id = text(at(cursor, 'id'));
  if (id === undefined) return undefined;
  checkFaults(at(cursor, 'detects'), context);
  const on = kinds.find((kind) => kind === at(cursor, 'on').value) ?? 'response';
  if (on === 'run') checkRun(cursor, context);
  const rules = compileRuleRefs(at(cursor, 'rule'), context, 'invariant') ?? [];
  const templates = { names: messageNames, report: context.report };
  return {
    id,
    title: text(at(cursor, 'title')) ?? '',
    suite: context.suite,
    area: context.area,
    position: place(at(cursor, 'id')),
    on,
    expectations: compileExpectations(at(cursor, 'expect'), { ...context, by: 'invariant', rules, templates }),
    seenIn: texts(at(cursor, 'seenIn')) ?? [],
    detects: texts(at(cursor, 'detects')) ?? [],
  };
}

/** A whole run is no message: only a named check can look at it. */
function checkRun(cursor: Cursor, context: CompileContext): void {
  for (const entry of oneOrMore(at(cursor, 'expect'))) {
    if (at(entry, 'check').value !== undefined) continue;
    const message = 'an invariant on the whole run is judged by a named check only';
    reportAtKey(entry, context, { code: 'missing-key', message, hint: 'expect: { check: name }' });
  }
}
