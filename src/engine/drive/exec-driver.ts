import { isJsonObject, type Json, parseJson } from '../../model/json.ts';
import type { ExecDriver } from '../../model/target.ts';
import type { Scope } from '../../model/template.ts';
import { commandOf, LooksLikeOption } from '../../wire/exec-command.ts';
import { type Command, type Ran, runCommand } from '../../wire/exec.ts';
import { type CaseContext, Unmet } from '../context/case-context.ts';
import { type Driven, learnVariables } from './driver.ts';
import { Interrupted } from '../clock/timeline.ts';
import type { World } from '../context/world.ts';

const lineLimit = 200;
const commandLimit = 300;

const cut = (text: string, limit: number): string => (text.length > limit ? `${text.slice(0, limit)}…` : text);

/** One line without control and format characters: it came from a program, and ends in a terminal. */
const plainLine = (text: string): string => text.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim();

/** The first line that says something. */
const firstLine = (text: string): string =>
  cut(
    text
      .split(/\r?\n/)
      .map(plainLine)
      .find((line) => line !== '') ?? '',
    lineLimit,
  );

const quoteWord = (word: string): string => (/^[\w./:=@%+,-]+$/.test(word) ? word : JSON.stringify(word));

/** What was run, for people; credentials are taken out. */
const renderCommand = ({ argv }: Command, { redactor }: CaseContext): string =>
  cut(plainLine(redactor.text(argv.map(quoteWord).join(' '))), commandLimit);

function whyNot(ran: Ran, ctx: CaseContext): string {
  const why = ran.how === 'exit' ? `exit code ${ran.code}` : ran.why;
  const said = firstLine(ctx.redactor.text(ran.stderr));
  return said === '' ? why : `${why}: ${said}`;
}

/** Where it printed one JSON object, that is what an http driver would have answered. */
function bodyOf(ran: Ran & { how: 'exit' }, { redactor }: CaseContext): Json | undefined {
  const body = ran.whole ? parseJson(ran.stdout) : undefined;
  if (!isJsonObject(body)) return undefined;
  redactor.learnMembers(body);
  return body;
}

function prepare(driver: ExecDriver, scope: Scope, action: string): Command {
  try {
    return commandOf(driver, scope);
  } catch (error) {
    if (error instanceof LooksLikeOption) throw new Unmet(`the driver for ${action} was not run: ${error.message}`);
    throw error;
  }
}

/** Makes an action happen by a program. Throws MissingValue where an argument is not there, and Unmet. */
export async function execDriver(
  { action, driver, scope }: { readonly action: string; readonly driver: ExecDriver; readonly scope: Scope },
  ctx: CaseContext,
  { timeline, programs }: World,
): Promise<Driven> {
  learnVariables([...driver.argv, ...driver.variables.map(([, value]) => value)], driver.env, ctx.redactor);
  // What stands there as it is may be a credential too.
  for (const [name, { source, paths }] of driver.variables) {
    if (paths.length === 0 && typeof source === 'string') ctx.redactor.learn(name, source);
  }
  const command = prepare(driver, scope, action);
  const ran = await programs.pass(ctx.subscriber.name, () => runCommand(command, timeline.stopped));
  if (ran.how === 'stopped') throw new Interrupted();
  const shown = renderCommand(command, ctx);
  if (ran.how === 'exit') {
    const summary = `${shown} (exit code ${ran.code})`;
    const at = timeline.now();
    if (driver.done.includes(ran.code)) {
      const body = bodyOf(ran, ctx);
      return { done: true, at, summary, ...(body === undefined ? {} : { body }) };
    }
    if (driver.impossible.includes(ran.code)) return { done: false, at, summary };
  }
  throw new Unmet(`the driver for ${action} did not work: ${shown}: ${whyNot(ran, ctx)}`);
}
