import { copyJson, isJsonObject, type JsonObject, parseJson, defined } from '../../lib/json.ts';
import { loadDefault, thrownWords, within } from '../../lib/load-module.ts';
import type { DriverInput, DriverModule } from '../../model/action.ts';
import type { ModuleDriver } from '../../model/target.ts';
import { valueIfThere } from '../../wire/build/http-request.ts';
import { type CaseContext, Unmet } from '../context/case-context.ts';
import { Interrupted } from '../clock/timeline.ts';
import { type DriverCall, defineDriver, learnVariables } from './driver.ts';
import { programOf } from './exec-driver.ts';

type Call = DriverCall<ModuleDriver>;

const objectOf = (value: unknown): JsonObject => {
  const copy = copyJson(value);
  return isJsonObject(copy) ? copy : {};
};

function requestOf({ subject }: Call): Pick<DriverInput, 'request'> {
  if (subject === undefined) return {};
  const { claims, status, body } = subject;
  const answered = defined({ status, body: body === undefined ? undefined : objectOf(body) });
  return { request: { claims: objectOf(claims), ...answered } };
}

function inputOf(call: Call, signal: AbortSignal): DriverInput {
  const { action, given, driver, scope } = call;
  const input = (driver.input ?? []).map(([name, value]) => [name, valueIfThere(value, scope)] as const);
  return {
    action,
    with: objectOf(given),
    ...requestOf(call),
    subscriber: objectOf(scope.root('subscriber')),
    client: objectOf(scope.root('client')),
    input: objectOf(Object.fromEntries(input)),
    signal,
  };
}

const isFunction = (given: unknown): given is DriverModule => typeof given === 'function';

async function functionOf({ file, shown }: ModuleDriver, what: string): Promise<DriverModule> {
  const loaded = await loadDefault(file);
  if ('why' in loaded) throw new Unmet(`${what} did not work: ${shown}: ${loaded.why}`);
  if (!isFunction(loaded.given)) throw new Unmet(`${what} did not work: ${shown}: its default export is no function`);
  return loaded.given;
}

interface Output {
  readonly done: boolean;
  readonly body: JsonObject | undefined;
  readonly note: string;
}

const nothing: Output = { done: true, body: undefined, note: '' };

/** Longest body as JSON, in characters. */
const longestBody = 64 * 1024;

/** Body as JSON; undefined if it is no object, is circular or is too long. */
function bodyOf(given: unknown): JsonObject | undefined {
  try {
    const text = JSON.stringify(given);
    const body = text.length > longestBody ? undefined : parseJson(text);
    return isJsonObject(body) ? body : undefined;
  } catch {
    return undefined;
  }
}

/** Output of the function; undefined if malformed. */
function outputOf(given: unknown): Output | undefined {
  if (given === undefined) return nothing;
  if (typeof given !== 'object' || given === null) return undefined;
  const { done = true, body, note = '' }: { done?: unknown; body?: unknown; note?: unknown } = given;
  if (typeof done !== 'boolean' || typeof note !== 'string') return undefined;
  if (body === undefined) return { done, body, note };
  const copy = bodyOf(body);
  return copy === undefined ? undefined : { done, body: copy, note };
}

/** Calls the function in its turn: one driver at a time for each phone. Throws Interrupted, and Unmet if it fails. */
async function call(of: Call, ctx: CaseContext): Promise<unknown> {
  const { driver, action } = of;
  const { timeline, programs } = ctx.world;
  const what = `the driver for ${action}`;
  const act = await functionOf(driver, what);
  return programs.pass(programOf(ctx.subscriber.name), async () => {
    const over = new AbortController();
    const signal = AbortSignal.any([over.signal, timeline.stopped]);
    try {
      return await within(Promise.race([act(inputOf(of, signal)), stopped(signal)]), driver.timeout);
    } catch (error) {
      if (timeline.stopped.aborted) throw new Interrupted();
      throw new Unmet(`${what} did not work: ${driver.shown}: ${ctx.redactor.text(thrownWords(error))}`);
    } finally {
      over.abort();
    }
  });
}

const stopped = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Interrupted()), { once: true }));

export const moduleDriver = defineDriver('module', {
  attended: false,
  quoted: true,
  missingBody: 'gave no body',
  run: async (of, ctx) => {
    const { action, driver } = of;
    learnVariables(
      (driver.input ?? []).map(([, value]) => value),
      driver.env,
      ctx.redactor,
    );
    const output = outputOf(await call(of, ctx));
    if (output === undefined) {
      throw new Unmet(
        `the driver for ${action} did not work: ${driver.shown}: it gave something else than done, body (64 KiB at most) and note`,
      );
    }
    const { done, body, note } = output;
    if (body !== undefined) ctx.redactor.learnMembers(body);
    const said = note === '' ? '' : `: ${ctx.redactor.text(thrownWords(note))}`;
    const summary = `${driver.shown} ${done ? 'did it' : 'says that it was not possible'}${said}`;
    return { done, at: ctx.world.timeline.now(), summary, ...defined({ body: done ? body : undefined }) };
  },
});
