import { join } from 'node:path';
import type { Limit, LimitMethod, Limits, ProfileEntry } from '../model/limit.ts';
import type { Problem } from '../model/problem.ts';
import type { Rule } from '../model/rule.ts';
import { checkSchema, readSchema } from './grammar/check-schema.ts';
import type { CompileContext } from './compile/context.ts';
import { compileDifference } from './verbs/difference.ts';
import { compileRuleRefs } from './compile/rules.ts';
import { renameKeys } from './yaml/renamed-keys.ts';
import { version1 } from './yaml/version-1.ts';
import { at, type Cursor, items, place, rootOf, text, texts } from './yaml/cursor.ts';
import { defined } from '../lib/optional.ts';
import { type Parse, parseYaml, readYaml } from './yaml/document.ts';
import { parseDuration } from '../lib/duration.ts';
import { labelOf } from './find-files.ts';
import { commonNames } from './template/names.ts';
import { createProblems } from './yaml/problems.ts';

export interface LimitsOptions {
  /** The shipped suites folder. */
  readonly dir: string;
  /** Undefined: the rules that are named are not checked. */
  readonly rules?: readonly Rule[];
  readonly tampers: ReadonlySet<string>;
  readonly parse?: Parse;
}

/** Reads suites/limits.yaml; every mistake at once. */
export function loadLimits({ dir, rules, tampers, parse = parseYaml }: LimitsOptions): {
  readonly limits: Limits;
  readonly problems: readonly Problem[];
} {
  const problems = createProblems();
  const { report } = problems;
  const path = join(dir, 'limits.yaml');
  const { document } = renameKeys(readYaml(path, labelOf(path), parse), version1['limits'] ?? []);
  for (const problem of document.problems) report(problem);
  if (document.readable) {
    for (const problem of checkSchema(document, readSchema(join(dir, 'schema', 'limits.json')))) report(problem);
  }
  const byId = rules === undefined ? undefined : new Map(rules.map((rule) => [rule.id, rule]));
  const known = { rules: byId, checks: new Set<string>(), tampers, faults: undefined };
  const context: CompileContext = { area: 'limits', suite: 'limits', known, report, judged: () => undefined };
  const root = rootOf(document);
  return {
    limits: {
      limits: items(at(root, 'limits')).map((cursor) => compileLimit(cursor, context)),
      profile: items(at(root, 'profile')).map(compileEntry),
    },
    problems: problems.sorted(),
  };
}

/** What a probe may read beside what every template of a case can. */
const probeNames = new Map([...commonNames, ['probe', new Set<string>()]]);

const number = ({ value }: Cursor): number => (typeof value === 'number' ? value : 0);

function compileMethod(cursor: Cursor, context: CompileContext): LimitMethod {
  const bisect = at(cursor, 'bisect');
  const rungs = (texts(at(cursor, 'ladder')) ?? []).flatMap((rung) => parseDuration(rung) ?? []);
  const claim = text(at(cursor, 'repeats'));
  if (claim !== undefined) return { kind: 'repeat', claim, rungs };
  if (bisect.value === undefined) return { kind: 'event', action: text(at(cursor, 'raises')) ?? '', rungs };
  const templates = { names: probeNames, report: context.report };
  return {
    kind: 'bisect',
    from: number(at(bisect, 'from')),
    to: number(at(bisect, 'to')),
    holds: text(at(bisect, 'holds')) === 'response' ? 'response' : 'accepted',
    difference: compileDifference(at(cursor, 'authorize'), context, templates),
  };
}

function besideOf(cursor: Cursor): Limit['beside'] {
  const limit = text(at(cursor, 'limit'));
  return limit === undefined ? undefined : { limit, bytesEach: number(at(cursor, 'bytes-each')) };
}

function compileLimit(cursor: Cursor, context: CompileContext): Limit {
  const word = (key: string): string => text(at(cursor, key)) ?? '';
  return {
    name: word('name'),
    title: word('title'),
    rules: compileRuleRefs(at(cursor, 'rule'), context, 'case') ?? [],
    unit: word('unit') === 's' ? 's' : 'characters',
    clock: at(cursor, 'clock').value === true,
    found: word('found'),
    beyond: word('beyond'),
    ...defined({ beside: besideOf(at(cursor, 'beside')) }),
    method: compileMethod(cursor, context),
    position: place(cursor),
  };
}

function compileEntry(cursor: Cursor): ProfileEntry {
  const word = (key: string): string => text(at(cursor, key)) ?? '';
  return { name: word('name'), description: word('description'), case: word('case'), record: word('record') };
}
