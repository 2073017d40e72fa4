import { documentRoot, parseYaml } from '../../suite/yaml/document.ts';
import type { Json } from '../../lib/json.ts';
import type { TemplateMap, Moment, Scope, Template } from '../../model/suite.ts';
import type { Names } from '../../suite/template/names.ts';
import { compileMoment, compileTemplate, type TemplateContext } from '../../suite/template/template.ts';

const compileContext = (roots: readonly string[]): TemplateContext => {
  const names: Names = new Map([
    ['now', new Set<string>()] as const,
    ...roots.map((root) => [root, undefined] as const),
  ]);
  return {
    names,
    report: ({ message }) => {
      throw new Error(`a test's template is wrong: ${message}`);
    },
  };
};

const createCursor = (value: Json) => documentRoot(parseYaml(JSON.stringify(value), 'test.yaml'));

/** A template as the suite loader compiles it; `roots` are the names that it may read beside `now`. */
export function buildTemplate(value: Json, roots: readonly string[] = []): Template {
  return compileTemplate(createCursor(value), compileContext(roots));
}

/** A map of templates in the order of the members. */
export function buildTemplates(values: Readonly<Record<string, Json>>, roots: readonly string[] = []): TemplateMap {
  return Object.entries(values).map(([name, value]) => [name, buildTemplate(value, roots)] as const);
}

export function buildMoment(source: string, roots: readonly string[] = []): Moment {
  const compiled = compileMoment(createCursor(source), compileContext(roots));
  if (compiled === undefined) throw new Error(`"${source}" is no moment`);
  return compiled;
}

/** A scope with these roots, a clock that stands at `now`, and random digits that never change. */
export function buildScope(roots: Readonly<Record<string, unknown>> = {}, now = 1_767_225_600): Scope {
  return { now: () => now, random: (bytes) => 'ab'.repeat(bytes), root: (name) => roots[name] };
}
