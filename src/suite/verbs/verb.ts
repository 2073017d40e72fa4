import type { Json } from '../../lib/json.ts';
import { suggestKnown } from '../../lib/suggestion.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { Risk } from '../../model/risk.ts';
import type { TemplateMap, Template } from '../../model/suite.ts';
import { type CompileContext, reportAt, reportAtKey } from '../context.ts';
import { type Grammar, type Keys, type Members, object, anyText, flag, integer, json } from '../grammar/grammar.ts';
import type { TemplateContext } from '../template/template.ts';
import { at, type Cursor, cursorText } from '../yaml/document.ts';

export interface AnyAct {
  readonly verb: string;
}

/** Product of a step that later steps can refer to: its pending request, or its signed object. */
type StepProduct = 'request' | 'object';

export interface EarlierStep {
  readonly name: string;
  readonly verb: string;
  readonly makes: readonly StepProduct[];
}

interface ActContext extends CompileContext {
  readonly templates: TemplateContext;
  /** Row of the matrix, if any. */
  readonly row: Cursor | undefined;
  readonly verbs: VerbTable;
  readonly earlier: readonly EarlierStep[];
  /** Receives the name of each step whose signed object the act sends. */
  readonly sends?: (step: string) => void;
}

interface WrittenVerb<Value, K extends Keys> {
  /** Place of the verb's value. */
  readonly place: Cursor;
  readonly value: Value;
  readonly keys: Members<K>;
}

/** Step's act in one line, and its particulars. */
export interface ActDescription {
  readonly act: string;
  readonly details: readonly string[];
}

/** Renders a value for one line; truncates long values and hides characters that a terminal would obey. */
export type ShowValue = (value: Json, mostCharacters?: number) => string;

interface VerbSpec<Verb extends string, Value, K extends Keys, Body extends object> {
  readonly verb: Verb;
  readonly description: string;
  readonly value: Grammar<Value>;
  /** Keys of a step that this verb adds. */
  readonly keys: K;
  /** Whether its steps send requests to the carrier. */
  readonly sends: boolean;
  readonly outcomes: readonly Outcome[];
  /** Keys of `expect` that this verb adds; keys that no verb lists are always allowed. */
  readonly expectations: readonly string[];
  /** Members of its steps that templates of later steps may read. */
  readonly members: readonly string[];
  readonly makes?: readonly StepProduct[];
  /** Keys of a matrix row, if the verb takes one. */
  readonly row?: Keys;
  readonly compile: (written: WrittenVerb<Value, K>, context: ActContext) => Body;
  /** Reports mistakes that depend on the earlier steps. */
  readonly check?: (written: WrittenVerb<Value, K>, act: Body, context: ActContext) => void;
  /** Requirements on the target: actions, clients, subscribers, supports. */
  readonly requires?: (act: Body) => readonly string[];
  /** Whether the act changes its subscriber or client, so that no other case may use them meanwhile. */
  readonly exclusive?: (act: Body) => boolean;
  /** Harm that the act may do at a carrier with real users. */
  readonly risks?: (act: Body) => readonly Risk[];
  readonly describe: (act: Body, show: ShowValue) => ActDescription;
}

export interface CompiledAct<Act extends AnyAct> {
  readonly act: Act;
  readonly requires: readonly string[];
  readonly exclusive: boolean;
}

type VerbFact = 'verb' | 'description' | 'keys' | 'sends' | 'outcomes' | 'expectations' | 'members';

/** Verb of the suite language: everything needed to read, check and describe its steps. */
export interface VerbDefinition<Act extends AnyAct = AnyAct>
  extends Pick<VerbSpec<string, unknown, Keys, Act>, VerbFact> {
  readonly value: Grammar<unknown>;
  readonly makes: readonly StepProduct[];
  readonly row?: Keys;
  readonly is: (act: AnyAct) => act is Act;
  /** Undefined if the verb's value has a wrong shape, which the schema has reported. */
  readonly compile: (step: Cursor, context: ActContext) => CompiledAct<Act> | undefined;
  /** Empty for acts of other verbs. */
  readonly risks: (act: AnyAct) => readonly Risk[];
  /** Undefined for acts of other verbs. */
  readonly describe: (act: AnyAct, show: ShowValue) => ActDescription | undefined;
}

export type VerbTable = readonly VerbDefinition[];

/** Describes a step's act; `show` renders values of a suite. */
export function describeAct(act: AnyAct, verbs: VerbTable, show: ShowValue): ActDescription {
  for (const { describe } of verbs) {
    const described = describe(act, show);
    if (described !== undefined) return described;
  }
  return { act: act.verb, details: [] };
}

export type VerbAct<Definition> = Definition extends VerbDefinition<infer Act> ? Act : never;

/** Reads the matrix row as a difference of the verb that takes it. */
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
    risks: (act) => (isAct(act) ? (spec.risks?.(act) ?? []) : []),
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

export const describeMap = (prefix: string, map: TemplateMap | undefined, show: ShowValue): readonly string[] =>
  (map ?? []).map(([name, { source }]) => `${prefix}${name} = ${show(source)}`);

export const describeTemplate = (label: string, template: Template | undefined, show: ShowValue): readonly string[] =>
  template === undefined ? [] : [`${label} ${show(template.source)}`];

export const describeName = (before: string, name: string | undefined): readonly string[] =>
  name === undefined ? [] : [`${before} ${name}`];

/** Grammar of `of`: the place of an earlier step's name. */
export const ofShape: Grammar<Cursor> = json({
  type: 'string',
  description: 'The step that sent the request which is meant; the last one unless said.',
});

export const repeatKeys = {
  times: integer(1, 100, { title: 'a whole number from 1 to 100', description: 'How often the exchange is repeated.' }),
  together: flag({
    title: 'true or false',
    description: 'The repetitions are sent all at once instead of one after the other.',
  }),
  interleave: anyText({
    title: 'the name of an earlier step',
    description: 'The exchange of that step is repeated as well, in random order with this one.',
  }),
};

/** Members of an exchange that later steps can read. */
export const exchangeMembers = [
  'status',
  'headers',
  'body',
  'text',
  'url',
  'outcome',
  'summary',
  'sentAt',
  'receivedAt',
];

/** Reports a name that no earlier step has. */
export function checkEarlier(cursor: Cursor, { earlier, report }: Pick<ActContext, 'earlier' | 'report'>): void {
  const name = cursorText(cursor);
  if (name === undefined || earlier.some((step) => step.name === name)) return;
  const hint = suggestKnown(
    name,
    earlier.map((step) => step.name),
  );
  reportAt(cursor, { report }, { code: 'unknown-name', message: `no step before this one is called "${name}"`, hint });
}

const listMakers = (what: StepProduct, verbs: VerbTable): string =>
  verbs
    .filter(({ makes }) => makes.includes(what))
    .map(({ verb }) => verb)
    .join(' or ');

/** Reports a name that no earlier step with a signed object has. */
export function checkReference(cursor: Cursor | undefined, { earlier, verbs, report, sends }: ActContext): void {
  const name = cursor === undefined ? undefined : cursorText(cursor);
  if (cursor === undefined || name === undefined) return;
  const found = earlier.find((step) => step.name === name);
  if (found?.makes.includes('object') === true) {
    sends?.(name);
    return;
  }
  const names = earlier.filter(({ makes }) => makes.includes('object')).map((step) => step.name);
  const message =
    found === undefined
      ? `no step before this one is called "${name}"`
      : `"${name}" is a step of ${found.verb}, not of ${listMakers('object', verbs)}`;
  reportAt(cursor, { report }, { code: 'unknown-name', message, hint: suggestKnown(name, names) });
}

/** Checks `of` for an act on a pending request. Without `of`, there must be an earlier step that makes one. */
export function checkRequest(of: Cursor | undefined, place: Cursor, context: ActContext): void {
  checkReference(of, context);
  if (of !== undefined && cursorText(of) !== undefined) return;
  if (context.earlier.some(({ makes }) => makes.includes('request'))) return;
  const message = `there is no ${listMakers('request', context.verbs)} step before this ${String(place.path.at(-1))}`;
  reportAtKey(place, context, { code: 'unknown-name', message });
}
