import { isJsonObject, omitUndefined, readMember } from '../../lib/json.ts';
import { memoizeByObject, readWhileHeld } from '../../lib/lists.ts';
import { outcomes } from '../../model/outcome.ts';
import { CarrierspecError, type Problem } from '../../model/problem.ts';
import type { RuleRef } from '../../model/rule.ts';
import { type CaseFacts, type CompileContext, reportAt, reportAtKey } from '../context.ts';
import { compileExpectations, expectShape } from '../expectations/expectations.ts';
import { momentShape, ruleRefs, templateText, values } from '../grammar/common-shapes.ts';
import { described, flag, type Grammar, type Keys, named, object, pattern, placed } from '../grammar/grammar.ts';
import { compileRuleRefs } from '../rules.ts';
import { type Case, rememberRules, type Step } from '../suites.ts';
import type { Names } from '../template/names.ts';
import { compileTemplateMap, type TemplateContext } from '../template/template.ts';
import {
  type AnyAct,
  type CompiledAct,
  checkEarlier,
  type EarlierStep,
  repeatKeys,
  type VerbDefinition,
  type VerbTable,
} from '../verbs/verb.ts';
import {
  at,
  type Cursor,
  cursorText,
  items,
  keyPlace,
  listOrSingle,
  place,
  cursorText as textOf,
} from '../yaml/document.ts';
import { nearShape, withNearMisses } from './near-misses.ts';

const stepKeys = {
  as: placed(
    pattern('^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$', {
      title: 'a kebab-case name such as first',
      description: 'The name of the step, for moments and templates of later ones.',
    }),
  ),
  at: described(
    momentShape,
    "When: a step's name is the moment it was sent. Without it, at once after the step before.",
  ),
  by: described(momentShape, 'The latest moment to be sent: what goes out later makes the case inconclusive.'),
  near: nearShape,
  over: templateText(
    'A list of the target: the step is done and judged once for each entry, which its templates read as {{ entry }}.',
  ),
  expect: described(
    expectShape,
    'The expected observation. A step without it must succeed for the case to mean anything.',
  ),
  rule: described(ruleRefs, "The rule the expectations of this step judge, instead of the case's."),
  record: placed(values('Values to keep in the result.')),
  control: flag({
    description:
      'This step must succeed for the case to mean anything, as one without expect must; false: any response will do.',
  }),
  parallel: flag({ description: 'It is done at the same time as the step before it, whose results it cannot read.' }),
};

/** Keys of every step, and the repetition keys of repeatable steps. */
const commonShape = object({ ...stepKeys, ...repeatKeys });

export function stepShape(verbs: VerbTable): Grammar<Cursor> {
  const { as, at: when, by, ...others } = stepKeys;
  const keys: Keys = {
    as,
    at: when,
    by,
    ...Object.fromEntries(verbs.map(({ verb, value, description }) => [verb, described(value, description)])),
    ...Object.fromEntries(verbs.flatMap((definition) => Object.entries(definition.keys))),
    ...others,
  };
  return named('step', placed(object(keys, { title: 'a step' })));
}

interface StepContext extends CompileContext {
  readonly verbs: VerbTable;
  readonly rules: readonly RuleRef[];
  readonly names: Names;
  readonly reads: (path: readonly string[]) => void;
  /** Row of the matrix, if any. */
  readonly row: Cursor | undefined;
  readonly earlier: readonly EarlierStep[];
}

export interface CompiledStep extends Pick<CompiledAct<AnyAct>, 'requires' | 'exclusive'> {
  readonly step: Step;
  readonly definition: VerbDefinition;
}

const readableMembers = memoizeByObject(({ members }: VerbDefinition) => new Set(members));

const trueOrUndefined = (flagged: boolean | undefined): true | undefined => (flagged === true ? true : undefined);

/** Compiles one step; undefined if it has no verb. */
function compileStep(cursor: Cursor, number: number, context: StepContext): CompiledStep | undefined {
  const definition = findStepVerb(cursor, context);
  const { report, reads, known } = context;
  const isOverList = at(cursor, 'over').value !== undefined;
  const names: Names = isOverList ? new Map(context.names).set('entry', undefined) : context.names;
  const templates: TemplateContext = { names, report, reads };
  const read = commonShape.read(cursor, { ...templates, known });
  if (definition === undefined || read === undefined) return undefined;
  const { as, record } = read;
  const name = readStepName(as, number);
  const after = { ...templates, names: new Map(names).set(name, readableMembers(definition)) };
  const rules = compileRuleRefs(at(cursor, 'rule'), context, 'case') ?? context.rules;
  if (record !== undefined) for (const { rule } of rules) context.judged(rule, 'record');
  const sent = trackEarlierUse(context);
  const compiled = definition.compile(cursor, {
    ...context,
    templates: { ...templates, reads: sent.reads },
    sends: sent.sends,
  });
  if (compiled === undefined) return undefined;
  checkVerbKeys(cursor, definition, context);
  checkEarlier(at(cursor, 'interleave'), context);
  const { act, requires, exclusive } = compiled;
  const step: Step = {
    name,
    position: as === undefined ? keyPlace(at(cursor, definition.verb)) : place(as),
    act,
    control: read.control ?? read.expect === undefined,
    expectations: compileExpectations(read.expect, { ...context, by: 'case', rules, templates: after }),
    record: record === undefined ? [] : compileTemplateMap(record, after),
    ...omitUndefined({ at: read.at, by: read.by, over: read.over, times: read.times, interleave: read.interleave }),
    ...omitUndefined({ together: trueOrUndefined(read.together), parallel: trueOrUndefined(read.parallel) }),
    ...omitUndefined({ sendsEarlier: trueOrUndefined(sent.isEarlier()) }),
  };
  return { step, definition, requires, exclusive };
}

/** Members of an earlier step that can be used only once. */
const singleUseMembers: ReadonlySet<string> = new Set(['jws', 'body']);

/** Tracks whether an act sends something that an earlier step made or got. */
function trackEarlierUse({ earlier, reads }: StepContext) {
  let isEarlier = false;
  return {
    isEarlier: () => isEarlier,
    sends: () => {
      isEarlier = true;
    },
    reads: (path: readonly string[]): void => {
      const [root, part = ''] = path;
      if (singleUseMembers.has(part) && earlier.some(({ name }) => name === root)) isEarlier = true;
      reads(path);
    },
  };
}

const readStepName = (as: Cursor | undefined, number: number): string =>
  (as === undefined ? undefined : cursorText(as)) ?? `step${number}`;

function findStepVerb(cursor: Cursor, context: StepContext): VerbDefinition | undefined {
  const present = context.verbs.filter(({ verb }) => readMember(cursor.value, verb) !== undefined);
  if (present.length === 1) return present[0];
  const hint = `a step has exactly one of ${context.verbs.map(({ verb }) => verb).join(', ')}`;
  const [, second] = present;
  if (second === undefined) {
    reportAt(cursor, context, { code: 'verb-count', message: 'this step has no verb', hint });
  } else {
    const message = `this step has ${present.length} verbs: ${present.map(({ verb }) => verb).join(', ')}`;
    reportAtKey(at(cursor, second.verb), context, { code: 'verb-count', message, hint });
  }
  return present[0];
}

/** Reports keys and outcomes that belong to other verbs. */
function checkVerbKeys(cursor: Cursor, { verb, outcomes: own }: VerbDefinition, context: StepContext): void {
  const owners = indexOwners(context.verbs);
  checkOwners(cursor, verb, { context, owners: owners.keys });
  for (const entry of listOrSingle(at(cursor, 'expect'))) {
    checkOwners(entry, verb, { context, owners: owners.expectations });
    const written = typeof entry.value === 'string' ? entry : at(entry, 'outcome');
    const outcome = outcomes.find((one) => one === written.value);
    if (outcome === undefined || own.includes(outcome)) continue;
    const hint = own.length === 0 ? `${verb} has no outcomes` : `outcomes of ${verb}: ${own.join(', ')}`;
    reportAt(written, context, { code: 'bad-value', message: `"${outcome}" is not an outcome of ${verb}`, hint });
  }
}

/** Names of the verbs that have a key, by key. */
type VerbsByKey = ReadonlyMap<string, readonly string[]>;

function keyOwners(verbs: VerbTable, keysOf: (definition: VerbDefinition) => readonly string[]): VerbsByKey {
  const owners = new Map<string, string[]>();
  for (const definition of verbs) {
    for (const key of keysOf(definition)) owners.set(key, [...(owners.get(key) ?? []), definition.verb].sort());
  }
  return owners;
}

const indexOwners = memoizeByObject((verbs: VerbTable) => ({
  keys: keyOwners(verbs, ({ keys }) => Object.keys(keys)),
  expectations: keyOwners(verbs, ({ expectations }) => expectations),
}));

interface AllowedKeys {
  readonly context: StepContext;
  readonly owners: VerbsByKey;
}

function checkOwners(cursor: Cursor, verb: string, { context, owners }: AllowedKeys): void {
  for (const key of Object.keys(isJsonObject(cursor.value) ? cursor.value : {})) {
    const verbs = owners.get(key) ?? [verb];
    if (verbs.includes(verb)) continue;
    const message = `"${key}" means nothing with ${verb}; it belongs to ${verbs.join(', ')}`;
    reportAtKey(at(cursor, key), context, { code: 'unknown-key', message });
  }
}

/** Maximum steps of a case, because each is checked against the names of all before it. */
const maxSteps = 500;

type StepsContext = Omit<StepContext, 'earlier'>;

/** Compiles the steps of a case. */
export function compileSteps(whole: Cursor, context: StepsContext): readonly CompiledStep[] {
  const given = items(at(whole, 'steps')).flatMap((step, index) => withNearMisses(step, index + 1, context));
  const earlier: EarlierStep[] = [];
  const compiled: CompiledStep[] = [];
  const names = new Map(context.names);
  const ofStep = { ...context, names, earlier };
  const [first] = given.slice(maxSteps);
  if (first !== undefined) {
    const message = `a case has at most ${maxSteps} steps, not ${given.length}`;
    context.report(first.document.problem({ code: 'bad-value', message, position: place(first) }));
  }
  for (const [index, item] of given.slice(0, maxSteps).entries()) {
    const found = compileStep(item, index + 1, ofStep);
    if (found === undefined) {
      names.set(textOf(at(item, 'as')) ?? `step${index + 1}`, undefined);
      continue;
    }
    const { step, definition } = found;
    checkName(item, step, { context, names });
    names.set(step.name, readableMembers(definition));
    earlier.push({ name: step.name, verb: definition.verb, makes: definition.makes });
    compiled.push(found);
  }
  return compiled;
}

interface TakenNames {
  readonly context: CompileContext;
  readonly names: Names;
}

function checkName(item: Cursor, step: Step, { context, names }: TakenNames): void {
  if (!names.has(step.name)) return;
  const message = `the name "${step.name}" is taken`;
  context.report(item.document.problem({ code: 'duplicate-id', message, position: place(at(item, 'as')) }));
}

/** Compiles the steps on demand: that is most of the cost of a suite, and most commands need only a few cases. */
export function deferSteps(
  begun: Omit<Case, 'steps' | 'requires' | 'exclusive'>,
  { requires, exclusive, judges }: CaseFacts,
  { given, context }: { readonly given: Cursor; readonly context: StepsContext },
): Case {
  const steps = readWhileHeld(() => compileSteps(given, { ...context, report: reportStale }).map(({ step }) => step));
  const whole: Case = {
    ...begun,
    requires,
    exclusive,
    get steps(): readonly Step[] {
      return steps();
    },
  };
  return rememberRules(whole, judges);
}

/** Throws, because the build found no mistake in the same bytes. */
function reportStale(problem: Problem): never {
  const message = 'the suites were prepared by another build, which did not find this mistake';
  throw new CarrierspecError(message, { code: 'suites-broken', problems: [problem] });
}
