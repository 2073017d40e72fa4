import { copyJson, isJsonObject, type JsonObject, parseJson, omitUndefined } from '../../lib/json.ts';
import { loadDefault, describeThrown, withTimeout } from '../../files/load-module.ts';
import type { DriverInput, DriverModule } from '../../model/action.ts';
import type { ModuleDriver } from '../../model/target.ts';
import { valueIfThere } from '../../wire/build/http-request.ts';
import { type CaseWith, Unmet } from '../context/case-context.ts';
import { Interrupted } from '../clock/timeline.ts';
import { type ActiveDriverCall, defineDriver, learnVariableSecrets } from './driver.ts';
import { programLocks } from './exec-driver.ts';

type ModuleCall = ActiveDriverCall<ModuleDriver>;

const copyObject = (value: unknown): JsonObject => {
  const copy = copyJson(value);
  return isJsonObject(copy) ? copy : {};
};

function inputRequest({ subject }: ModuleCall): Pick<DriverInput, 'request'> {
  if (subject === undefined) return {};
  const { claims, status, body } = subject;
  const answered = omitUndefined({ status, body: body === undefined ? undefined : copyObject(body) });
  return { request: { claims: copyObject(claims), ...answered } };
}

function driverInput(call: ModuleCall, signal: AbortSignal): DriverInput {
  const { action, given, driver, scope } = call;
  const input = (driver.input ?? []).map(([name, value]) => [name, valueIfThere(value, scope)] as const);
  return {
    action,
    with: copyObject(given),
    ...inputRequest(call),
    subscriber: copyObject(scope.root('subscriber')),
    client: copyObject(scope.root('client')),
    input: copyObject(Object.fromEntries(input)),
    signal,
  };
}

const isDriverModule = (given: unknown): given is DriverModule => typeof given === 'function';

async function loadDriverModule({ file, shown }: ModuleDriver, what: string): Promise<DriverModule> {
  const loaded = await loadDefault(file);
  if ('why' in loaded) throw new Unmet(`${what} did not work: ${shown}: ${loaded.why}`);
  if (!isDriverModule(loaded.given))
    throw new Unmet(`${what} did not work: ${shown}: its default export is no function`);
  return loaded.given;
}

interface ModuleOutput {
  readonly done: boolean;
  readonly body: JsonObject | undefined;
  readonly note: string;
}

const emptyOutput: ModuleOutput = { done: true, body: undefined, note: '' };

/** Longest body as JSON, in characters. */
const maxModuleBody = 64 * 1024;

/** Body as JSON; undefined if it is no object, is circular or is too long. */
function copyModuleBody(given: unknown): JsonObject | undefined {
  try {
    const text = JSON.stringify(given);
    const body = text.length > maxModuleBody ? undefined : parseJson(text);
    return isJsonObject(body) ? body : undefined;
  } catch {
    return undefined;
  }
}

/** Output of the function; undefined if malformed. */
function parseModuleOutput(given: unknown): ModuleOutput | undefined {
  if (given === undefined) return emptyOutput;
  if (typeof given !== 'object' || given === null) return undefined;
  const { done = true, body, note = '' }: { done?: unknown; body?: unknown; note?: unknown } = given;
  if (typeof done !== 'boolean' || typeof note !== 'string') return undefined;
  if (body === undefined) return { done, body, note };
  const copy = copyModuleBody(body);
  return copy === undefined ? undefined : { done, body: copy, note };
}

/** Calls the function in its turn: one driver at a time for each phone. Throws Interrupted, and Unmet if it fails. */
async function callModule(
  of: ModuleCall,
  ctx: CaseWith<'redactor' | 'subscriber', 'programs' | 'timeline'>,
): Promise<unknown> {
  const { driver, action } = of;
  const { timeline, programs } = ctx.services;
  const what = `the driver for ${action}`;
  const act = await loadDriverModule(driver, what);
  return programs.pass(programLocks(ctx.subscriber.name), async () => {
    const over = new AbortController();
    const signal = AbortSignal.any([over.signal, timeline.stopped]);
    try {
      return await withTimeout(Promise.race([act(driverInput(of, signal)), rejectOnAbort(signal)]), driver.timeout);
    } catch (error) {
      if (timeline.stopped.aborted) throw new Interrupted();
      throw new Unmet(`${what} did not work: ${driver.shown}: ${ctx.redactor.text(describeThrown(error))}`);
    } finally {
      over.abort();
    }
  });
}

const rejectOnAbort = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Interrupted()), { once: true }));

export const moduleDriver = defineDriver('module', {
  attended: false,
  quoted: true,
  missingBody: 'gave no body',
  run: async (of, ctx) => {
    const { action, driver } = of;
    learnVariableSecrets(
      (driver.input ?? []).map(([, value]) => value),
      driver.env,
      ctx.redactor,
    );
    const output = parseModuleOutput(await callModule(of, ctx));
    if (output === undefined) {
      throw new Unmet(
        `the driver for ${action} did not work: ${driver.shown}: it gave something else than done, body (64 KiB at most) and note`,
      );
    }
    const { done, body, note } = output;
    if (body !== undefined) ctx.redactor.learnMembers(body);
    const said = note === '' ? '' : `: ${ctx.redactor.text(describeThrown(note))}`;
    const summary = `${driver.shown} ${done ? 'did it' : 'says that it was not possible'}${said}`;
    return { done, at: ctx.services.timeline.now(), summary, ...omitUndefined({ body: done ? body : undefined }) };
  },
});
