import type { CompileContext } from '../compile/context.ts';
import type { Grammar } from '../grammar/grammar.ts';
import type { TemplateContext } from '../template/template.ts';
import { at, type Cursor } from '../yaml/cursor.ts';
import type { Show } from '../verbs/define.ts';

export interface KeyContext extends CompileContext {
  readonly templates: TemplateContext;
}

interface KeySpec<Key extends string, Value, Part extends object> {
  readonly key: Key;
  /** The member of a compiled expectation that it fills; the key unless given. */
  readonly member?: string;
  readonly value: Grammar<Value>;
  /** Undefined where something was reported and nothing is left to judge. */
  readonly compile: (value: Value, context: KeyContext) => Part | undefined;
  readonly describe: (part: Part, show: Show) => readonly string[];
}

/** A key of `expect`: everything that reading and describing it needs. */
export interface KeyDefinition<Part extends object = object> {
  readonly key: string;
  readonly value: Grammar<unknown>;
  readonly compile: (entry: Cursor, context: KeyContext) => Part | undefined;
  /** None where the expectation has no such key. */
  readonly describe: (expectation: object, show: Show) => readonly string[];
}

export type PartOf<Definition> = Definition extends KeyDefinition<infer Part> ? Part : never;

export function defineExpectation<const Key extends string, Value, Part extends object>({
  key,
  member = key,
  value,
  compile,
  describe,
}: KeySpec<Key, Value, Part>): KeyDefinition<Part> {
  const isPart = (expectation: object): expectation is Part => Object.hasOwn(expectation, member);
  return {
    key,
    value,
    compile: (entry, context) => {
      const read = value.read(at(entry, key));
      return read === undefined ? undefined : compile(read, context);
    },
    describe: (expectation, show) => (isPart(expectation) ? describe(expectation, show) : []),
  };
}
