import { findAction } from '../../model/action.ts';
import type { RuleRef } from '../../model/rule.ts';
import type { Case, ScriptedResponse, Step } from '../../model/suite.ts';
import type { Template } from '../../model/template.ts';
import { type CompileContext, reportAtKey } from './context.ts';
import { compileRuleRefs } from './rules.ts';
import { compileStep } from './step.ts';
import { at, type Cursor, entries, items, keyPlace, place, text, texts } from '../yaml/cursor.ts';
import { defined } from '../../lib/optional.ts';
import { parseDuration } from '../../lib/duration.ts';
import { checkCase, checkFaults } from './lint-case.ts';
import { commonNames, type Names, stepMembers } from '../template/names.ts';
import { requirementOfPath, requiresOfStep } from '../verbs/needs.ts';
import { compileTemplateMap, type TemplateContext } from '../template/template.ts';

/** Compiles a case: one, or one for each row of its matrix, called `id/row`. */
export function compileCase(cursor: Cursor, context: CompileContext): readonly Case[] {
  const id = text(at(cursor, 'id'));
  if (id === undefined) return [];
  checkFaults(at(cursor, 'detects'), context);
  const rules = compileRuleRefs(at(cursor, 'rule'), context, 'case') ?? [];
  const each = at(cursor, 'each');
  if (each.value === undefined) return [compileRow(cursor, { ...context, rules }, undefined)];
  return entries(each).map(([, row]) => compileRow(cursor, { ...context, rules }, row));
}

interface Reading {
  readonly names: Names;
  readonly reads: (path: readonly string[]) => void;
}

interface RowContext extends CompileContext {
  readonly rules: readonly RuleRef[];
}

function compileRow(cursor: Cursor, context: RowContext, row: Cursor | undefined): Case {
  const id = text(at(cursor, 'id')) ?? '';
  const read = new Set<string>();
  const reads = (path: readonly string[]): void => {
    const need = requirementOfPath(path);
    if (need !== undefined) read.add(need);
  };
  const each = row === undefined ? [] : compileEach(row, context, { names: commonNames, reads });
  const names =
    row === undefined ? commonNames : new Map([...commonNames, ['each', new Set(each.map(([name]) => name))]]);
  const steps = compileSteps(cursor, { ...context, names, reads, row });
  const client = clientOf(cursor);
  const subscriber = text(at(cursor, 'subscriber')) ?? 'consented';
  const compiled: Case = {
    id: row === undefined ? id : `${id}/${String(row.path.at(-1))}`,
    title: text(at(cursor, 'title')) ?? '',
    suite: context.suite,
    area: context.area,
    position: row === undefined ? place(at(cursor, 'id')) : keyPlace(row),
    rules: context.rules,
    client,
    subscriber,
    exclusive: at(cursor, 'exclusive').value === true || steps.some(isMutating),
    requires: requirementsOf({ client, subscriber, read, steps, declared: texts(at(cursor, 'requires')) ?? [] }),
    receiver: items(at(at(cursor, 'receiver'), 'callbacks')).map((response) =>
      scriptedResponse(response, { names, reads, report: context.report }),
    ),
    eventReceiver: items(at(at(cursor, 'receiver'), 'events')).map((response) =>
      scriptedResponse(response, { names, reads, report: context.report }),
    ),
    detects: texts(at(cursor, 'detects')) ?? [],
    each,
    steps,
  };
  checkCase(cursor, compiled, { ...context, row });
  return compiled;
}

/** The values a row gives, its name first. */
function compileEach(row: Cursor, context: CompileContext, reading: Reading): readonly (readonly [string, Template])[] {
  const name = String(row.path.at(-1));
  const itself: Template = { source: name, position: keyPlace(row), paths: [], evaluate: () => name };
  const given = at(row, 'with');
  if (at(given, 'name').value !== undefined) {
    const message = '"name" is the name of the row already';
    reportAtKey(at(given, 'name'), context, { code: 'duplicate-key', message });
  }
  return [['name', itself], ...compileTemplateMap(given, { ...reading, report: context.report })];
}

type StepsContext = Omit<Parameters<typeof compileStep>[1], 'earlier' | 'number'>;

function compileSteps(cursor: Cursor, context: StepsContext): readonly Step[] {
  const earlier: Step[] = [];
  const names = new Map(context.names);
  for (const [index, item] of items(at(cursor, 'steps')).entries()) {
    const step = compileStep(item, { ...context, names, earlier, number: index + 1 });
    if (step === undefined) {
      names.set(text(at(item, 'as')) ?? `step${index + 1}`, undefined);
      continue;
    }
    checkName(item, step.name, { context, names });
    names.set(step.name, stepMembers[step.act.verb]);
    earlier.push(step);
  }
  return earlier;
}

interface Taken {
  readonly context: CompileContext;
  readonly names: Names;
}

function checkName(item: Cursor, name: string, { context, names }: Taken): void {
  if (!names.has(name)) return;
  const message = `the name "${name}" is taken`;
  context.report(item.document.problem({ code: 'duplicate-id', message, position: place(at(item, 'as')) }));
}

function clientOf(cursor: Cursor): Case['client'] {
  const flags = at(cursor, 'flags');
  if (flags.value === undefined) return text(at(cursor, 'client')) ?? 'main';
  return Object.fromEntries(entries(flags).map(([name, { value }]) => [name, value === true]));
}

function isMutating({ act }: Step): boolean {
  const mutates = act.verb === 'trigger' ? findAction(act.action)?.mutates : undefined;
  return mutates === 'subscriber' || mutates === 'client';
}

interface Wants extends Pick<Case, 'client' | 'subscriber' | 'steps'> {
  readonly read: ReadonlySet<string>;
  readonly declared: readonly string[];
}

function requirementsOf({ client, subscriber, read, steps, declared }: Wants): readonly string[] {
  const requires = new Set([
    ...(typeof client === 'string' ? [`client:${client}`] : []),
    `subscriber:${subscriber}`,
    ...read,
    ...steps.flatMap(requiresOfStep),
    ...declared,
  ]);
  return [...requires].sort();
}

function scriptedResponse(cursor: Cursor, templates: TemplateContext): ScriptedResponse {
  const status = at(cursor, 'status').value;
  const headers = at(cursor, 'headers');
  return {
    status: typeof status === 'number' ? status : 200,
    ...defined({
      body: text(at(cursor, 'body')),
      headers: headers.value === undefined ? undefined : compileTemplateMap(headers, templates),
      delay: parseDuration(text(at(cursor, 'delay')) ?? ''),
      reset: at(cursor, 'reset').value === true ? true : undefined,
    }),
  };
}
