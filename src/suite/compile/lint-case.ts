import type { Level, RuleRef } from '../../model/rule.ts';
import { wantsControl } from '../../model/outcome.ts';
import type { Case } from '../suites.ts';
import { type CompileContext, reportAt, reportAtKey } from './context.ts';
import { at, type Cursor, entries, items, text } from '../yaml/cursor.ts';
import { suggestion } from '../../lib/suggest.ts';

interface Row extends CompileContext {
  readonly row: Cursor | undefined;
}

interface Written {
  readonly cursor: Cursor;
  readonly flags?: unknown;
  readonly client?: unknown;
}

/** Checks what a case says as a whole. */
export function checkCase({ cursor, flags, client }: Written, compiled: Case, context: Row): void {
  checkControl(cursor, compiled, context);
  if (flags !== undefined && client !== undefined) {
    const message = '"flags" picks the client; "client" names another';
    reportAtKey(at(cursor, 'client'), context, { code: 'bad-value', message });
  }
  if (context.row !== undefined) checkRowIsUsed(cursor, context.row, context);
}

/** A denial proves nothing while the same request, right in the one property, was not accepted beside it. */
function checkControl(cursor: Cursor, { steps }: Case, context: Row): void {
  if (items(at(cursor, 'steps')).some((step) => at(step, 'control').value === true)) return;
  for (const { outcome, rules, position } of steps.flatMap(({ expectations }) => expectations)) {
    if (outcome === undefined || !wantsControl(outcome)) continue;
    if (!rules.some((ref) => levelOf(ref, context) !== 'informational')) continue;
    const message = `"${outcome}" proves nothing: no step of this case has control: true`;
    const hint = 'add the same request, right in the one property under test, with control: true';
    context.report(cursor.document.problem({ code: 'no-control', message, position, hint }));
    return;
  }
}

function levelOf({ rule, aspect }: RuleRef, { known }: CompileContext): Level | undefined {
  const found = known.rules?.get(rule);
  if (found === undefined) return 'informational';
  return aspect === undefined ? found.level : found.aspects.find(({ id }) => id === aspect)?.level;
}

function checkRowIsUsed(cursor: Cursor, row: Cursor, context: Row): void {
  const taken = items(at(cursor, 'steps')).some((step) => entries(step).some(([, { value }]) => value === 'each'));
  const differs = Object.keys(typeof row.value === 'object' && row.value !== null ? row.value : {});
  if (taken || differs.every((key) => key === 'with')) return;
  const message = 'no step takes this row';
  reportAtKey(row, context, { code: 'bad-value', message, hint: 'a step with authorize: each takes it' });
}

/** Checks the faults that a case or an invariant says it detects. */
export function checkFaults(all: readonly Cursor[] | undefined, context: CompileContext): void {
  const { faults } = context.known;
  if (faults === undefined) return;
  for (const item of all ?? []) {
    const name = text(item);
    if (name === undefined || faults.has(name)) continue;
    const hint = suggestion(name, faults);
    reportAt(item, context, { code: 'unknown-fault', message: `there is no fault "${name}"`, hint });
  }
}
