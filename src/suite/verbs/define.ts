import { at, type Cursor } from '../yaml/document.ts';
import type { Json } from '../../lib/json.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { TemplateMap } from '../../model/suite.ts';
import type { Template } from '../../model/template.ts';
import type { CompileContext } from '../compile/context.ts';
import { type Grammar, type Keys, type Members, object } from '../grammar/grammar.ts';
import type { TemplateContext } from '../template/template.ts';

export interface AnyAct {
  readonly verb: string;
}

/** What later steps may name a step for: its pending request, or the signed object that it made. */
export type Makes = 'request' | 'object';

export interface EarlierStep {
  readonly name: string;
  readonly verb: string;
  readonly makes: readonly Makes[];
}

export interface ActContext extends CompileContext {
  readonly templates: TemplateContext;
  /** The row of the matrix, where the case has one. */
  readonly row: Cursor | undefined;
  readonly verbs: VerbTable;
  readonly earlier: readonly EarlierStep[];
  /** Gets the name of every step whose signed object the act sends. */
  readonly sends?: (step: string) => void;
}

interface Written<Value, K extends Keys> {
  /** The place of the verb's value, and what was read there. */
  readonly place: Cursor;
  readonly value: Value;
  readonly keys: Members<K>;
}

/** A step's act in one line, and what is particular about it. */
export interface ActDescription {
  readonly act: string;
  readonly details: readonly string[];
}

/** Renders a value for one line; the caller cuts what is long and hides what a terminal would obey. */
export type Show = (value: Json, mostCharacters?: number) => string;

interface VerbSpec<Verb extends string, Value, K extends Keys, Body extends object> {
  readonly verb: Verb;
  readonly description: string;
  readonly value: Grammar<Value>;
  /** Keys of a step that mean something with this verb, beside those of every step. */
  readonly keys: K;
  readonly outcomes: readonly Outcome[];
  /** Keys of `expect` that mean something with this verb, beside those that no verb lists. */
  readonly expectations: readonly string[];
  /** What templates of later steps may read of a step with this verb. */
  readonly members: readonly string[];
  readonly makes?: readonly Makes[];
  /** Keys that a row of a matrix may have, where the verb takes one. */
  readonly row?: Keys;
  readonly compile: (written: Written<Value, K>, context: ActContext) => Body;
  /** Reports what is wrong with the act between the steps before it. */
  readonly check?: (written: Written<Value, K>, act: Body, context: ActContext) => void;
  /** What the act requires of the target: actions, clients, subscribers, supports. */
  readonly requires?: (act: Body) => readonly string[];
  /** Whether the act changes its subscriber or client, so that no other case may use them meanwhile. */
  readonly exclusive?: (act: Body) => boolean;
  readonly describe: (act: Body, show: Show) => ActDescription;
}

export interface CompiledAct<Act extends AnyAct> {
  readonly act: Act;
  readonly requires: readonly string[];
  readonly exclusive: boolean;
}

type Facts = 'verb' | 'description' | 'keys' | 'outcomes' | 'expectations' | 'members';

/** A verb of the suite language: everything that reading, checking and describing its steps needs. */
export interface VerbDefinition<Act extends AnyAct = AnyAct> extends Pick<VerbSpec<string, unknown, Keys, Act>, Facts> {
  readonly value: Grammar<unknown>;
  readonly makes: readonly Makes[];
  readonly row?: Keys;
  readonly is: (act: AnyAct) => act is Act;
  /** Undefined where the verb's value has another shape, which the schema has reported. */
  readonly compile: (step: Cursor, context: ActContext) => CompiledAct<Act> | undefined;
  /** Undefined for acts of other verbs. */
  readonly describe: (act: AnyAct, show: Show) => ActDescription | undefined;
}

export type VerbTable = readonly VerbDefinition[];

/** A step's act in words; `show` renders the values of a suite. */
export function describeAct(act: AnyAct, verbs: VerbTable, show: Show): ActDescription {
  for (const { describe } of verbs) {
    const described = describe(act, show);
    if (described !== undefined) return described;
  }
  return { act: act.verb, details: [] };
}

export type ActOf<Definition> = Definition extends VerbDefinition<infer Act> ? Act : never;

/** The row of the matrix, as a difference of the verb that takes it. */
export const readRow = <Value>(shape: Grammar<Value>, { row, templates, known }: ActContext): Value | undefined =>
  row === undefined ? undefined : shape.read(row, { ...templates, known });

export function defineVerb<const Verb extends string, Value, const K extends Keys, Body extends object>(
  spec: VerbSpec<Verb, Value, K, Body>,
): VerbDefinition<{ readonly verb: Verb } & Body> {
  type Act = { readonly verb: Verb } & Body;
  const { verb } = spec;
  const keys = object(spec.keys);
  const isAct = (act: AnyAct): act is Act => act.verb === verb;
  return {
    ...spec,
    makes: spec.makes ?? [],
    is: isAct,
    compile: (step, context) => {
      const place = at(step, verb);
      const read = { ...context.templates, known: context.known };
      const [value, beside] = [spec.value.read(place, read), keys.read(step, read)];
      if (value === undefined || beside === undefined) return undefined;
      const written = { place, value, keys: beside };
      const body = spec.compile(written, context);
      spec.check?.(written, body, context);
      const [requires, exclusive] = [spec.requires?.(body) ?? [], spec.exclusive?.(body) ?? false];
      return { act: { verb, ...body }, requires, exclusive };
    },
    describe: (act, show) => (isAct(act) ? spec.describe(act, show) : undefined),
  };
}

export const describeMap = (prefix: string, map: TemplateMap | undefined, show: Show): readonly string[] =>
  (map ?? []).map(([name, { source }]) => `${prefix}${name} = ${show(source)}`);

export const describeValue = (label: string, template: Template | undefined, show: Show): readonly string[] =>
  template === undefined ? [] : [`${label} ${show(template.source)}`];

export const describeName = (before: string, name: string | undefined): readonly string[] =>
  name === undefined ? [] : [`${before} ${name}`];
