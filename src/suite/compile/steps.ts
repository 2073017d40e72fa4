import { CarrierspecError, type Problem } from '../../model/problem.ts';
import type { Case, Step } from '../suites.ts';
import type { Names } from '../template/names.ts';
import type { EarlierStep } from '../verbs/define.ts';
import { at, type Cursor, place, text as textOf } from '../yaml/cursor.ts';
import { rememberRules } from '../rules-of.ts';
import type { CaseFacts, CompileContext } from './context.ts';
import { withNearMisses } from './near.ts';
import { type CompiledStep, compileStep, type StepContext } from './step.ts';

/** Steps of one case; each is held against the names of all before it. */
const mostSteps = 500;

type StepsContext = Omit<StepContext, 'earlier' | 'number'>;

/** Compiles the steps of one case, each of which may name the ones before it. */
export function compileSteps(whole: readonly Cursor[] = [], context: StepsContext): readonly CompiledStep[] {
  const given = whole.flatMap((step, index) => withNearMisses(step, index + 1, context));
  const earlier: EarlierStep[] = [];
  const compiled: CompiledStep[] = [];
  const names = new Map(context.names);
  const [first] = given.slice(mostSteps);
  if (first !== undefined) {
    const message = `a case has at most ${mostSteps} steps, not ${given.length}`;
    context.report(first.document.problem({ code: 'bad-value', message, position: place(first) }));
  }
  for (const [index, item] of given.slice(0, mostSteps).entries()) {
    const found = compileStep(item, { ...context, names, earlier, number: index + 1 });
    if (found === undefined) {
      names.set(textOf(at(item, 'as')) ?? `step${index + 1}`, undefined);
      continue;
    }
    const { step, definition } = found;
    checkName(item, step, { context, names });
    names.set(step.name, new Set(definition.members));
    earlier.push({ name: step.name, verb: definition.verb, makes: definition.makes });
    compiled.push(found);
  }
  return compiled;
}

interface Taken {
  readonly context: CompileContext;
  readonly names: Names;
}

function checkName(item: Cursor, step: Step, { context, names }: Taken): void {
  if (!names.has(step.name)) return;
  const message = `the name "${step.name}" is taken`;
  context.report(item.document.problem({ code: 'duplicate-id', message, position: place(at(item, 'as')) }));
}

interface Later {
  readonly given: readonly Cursor[] | undefined;
  readonly context: StepsContext;
}

/** Most commands look at the steps of a few cases only, and compiling them is most of reading a suite. */
export function withStepsLater(
  begun: Omit<Case, 'steps' | 'requires' | 'exclusive'>,
  { requires, exclusive, judges }: CaseFacts,
  { given, context }: Later,
): Case {
  let steps: readonly Step[] | undefined;
  const whole: Case = {
    ...begun,
    requires,
    exclusive,
    get steps(): readonly Step[] {
      steps ??= compileSteps(given, { ...context, report: reportStale }).map(({ step }) => step);
      return steps;
    },
  };
  return rememberRules(whole, judges);
}

/** A build found no mistake in these very bytes. */
function reportStale(problem: Problem): never {
  const message = 'the suites were prepared by another build, which did not find this mistake';
  throw new CarrierspecError(message, { code: 'suites-broken', problems: [problem] });
}
