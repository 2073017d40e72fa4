import { actionNames } from '../../model/action.ts';
import { type CompileContext, reportAt, reportAtKey } from './context.ts';
import { at, type Cursor, oneOrMore, text } from '../yaml/cursor.ts';
import { suggestion } from '../../lib/suggest.ts';
import type { Act } from '../verbs/table.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { Step } from '../suites.ts';

interface Place extends CompileContext {
  readonly earlier: readonly Step[];
  readonly row: Cursor | undefined;
}

type Verb = Act['verb'];

const outcomesOf: Readonly<Record<Verb, readonly Outcome[]>> = {
  authorize: ['accepted', 'denied', 'denied-or-dropped', 'at-most-one', 'answered'],
  usertrait: ['accepted', 'denied', 'answered'],
  sign: [],
  http: ['accepted', 'denied', 'answered'],
  await: ['completed', 'failed', 'no-tokens', 'silence', 'delivered'],
  trigger: [],
  look: [],
};

/** Keys that mean something with some verbs only. */
const keysOfVerbs: Readonly<Record<string, readonly Verb[]>> = {
  until: ['await'],
  of: ['await', 'look', 'trigger'],
  client: ['await'],
  subscriber: ['await'],
  times: ['authorize', 'http', 'usertrait'],
  together: ['authorize', 'http', 'usertrait'],
};
const expectationsOfVerbs: Readonly<Record<string, readonly Verb[]>> = {
  idToken: ['await'],
  count: ['await'],
  spacing: ['await'],
  card: ['look'],
  echo: ['authorize', 'await', 'usertrait'],
  error: ['authorize', 'await', 'http', 'usertrait'],
  status: ['authorize', 'http', 'usertrait'],
  set: ['await'],
  setHeader: ['await'],
  like: ['authorize', 'http', 'usertrait'],
  latencyLike: ['authorize', 'http', 'usertrait'],
};

/** Checks what one step says about the steps before it and about its own verb. */
export function checkStep(cursor: Cursor, step: Step, context: Place): void {
  const { verb } = step.act;
  checkKeys(cursor, verb, { context, allowed: keysOfVerbs });
  for (const entry of oneOrMore(at(cursor, 'expect'))) {
    checkKeys(entry, verb, { context, allowed: expectationsOfVerbs });
    checkOutcome(entry, verb, context);
  }
  checkAction(at(cursor, 'trigger'), context);
  checkRequest(cursor, step, context);
  checkAgain(cursor, context);
}

interface Allowed {
  readonly context: Place;
  readonly allowed: Readonly<Record<string, readonly Verb[]>>;
}

function checkKeys(cursor: Cursor, verb: Verb, { context, allowed }: Allowed): void {
  for (const [key, verbs] of Object.entries(allowed)) {
    const value = at(cursor, key);
    if (value.value === undefined || verbs.includes(verb)) continue;
    const message = `"${key}" means nothing with ${verb}; it belongs to ${verbs.join(', ')}`;
    reportAtKey(value, context, { code: 'unknown-key', message });
  }
}

function checkOutcome(entry: Cursor, verb: Verb, context: Place): void {
  const cursor = typeof entry.value === 'string' ? entry : at(entry, 'outcome');
  const outcome = text(cursor);
  const known = Object.values(outcomesOf).flat();
  if (outcome === undefined || !known.some((one) => one === outcome)) return;
  const allowed = outcomesOf[verb];
  if (allowed.some((one) => one === outcome)) return;
  const hint = allowed.length === 0 ? `${verb} has no outcomes` : `outcomes of ${verb}: ${allowed.join(', ')}`;
  reportAt(cursor, context, { code: 'bad-value', message: `"${outcome}" is not an outcome of ${verb}`, hint });
}

function checkAction(trigger: Cursor, context: Place): void {
  const cursor = typeof trigger.value === 'string' ? trigger : at(trigger, 'action');
  const name = text(cursor);
  if (name === undefined || actionNames.has(name)) return;
  const hint = suggestion(name, actionNames);
  reportAt(cursor, context, { code: 'unknown-name', message: `there is no action "${name}"`, hint });
}

/** Acts that are about an authorize step: the one `of` names, else the last one. */
const aboutRequest = new Set(['approve', 'deny', 'ignore']);

function checkRequest(cursor: Cursor, { act }: Step, context: Place): void {
  const written = act.verb === 'trigger' ? at(at(cursor, 'trigger'), 'of') : at(cursor, 'of');
  const of = written.value === undefined ? at(cursor, 'of') : written;
  checkReference(of, context);
  if (text(of) !== undefined) return;
  const needed =
    (act.verb === 'await' && act.what === 'callback') ||
    act.verb === 'look' ||
    (act.verb === 'trigger' && aboutRequest.has(act.action));
  if (!needed || context.earlier.some((step) => step.act.verb === 'authorize')) return;
  const key = at(cursor, act.verb);
  reportAtKey(key, context, { code: 'unknown-name', message: `there is no authorize step before this ${act.verb}` });
}

function checkAgain(cursor: Cursor, context: Place): void {
  const authorize = at(cursor, 'authorize');
  const source = authorize.value === 'each' ? context.row : authorize;
  if (source !== undefined) checkReference(at(source, 'again'), context);
}

/** The verbs whose request object can be sent again. */
const makesObjects: ReadonlySet<Verb> = new Set(['authorize', 'sign']);

function checkReference(cursor: Cursor, { earlier, report }: Place): void {
  const name = text(cursor);
  if (name === undefined) return;
  const found = earlier.find((step) => step.name === name);
  if (found !== undefined && makesObjects.has(found.act.verb)) return;
  const names = earlier.filter(({ act }) => makesObjects.has(act.verb)).map((step) => step.name);
  const message =
    found === undefined
      ? `no step before this one is called "${name}"`
      : `"${name}" is a step of ${found.act.verb}, not of authorize or sign`;
  reportAt(cursor, { report }, { code: 'unknown-name', message, hint: suggestion(name, names) });
}
