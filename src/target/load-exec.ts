import { accessSync, constants } from 'node:fs';
import { resolve } from 'node:path';
import type { AskDriver, ExecDriver } from '../model/target.ts';
import type { Template } from '../model/template.ts';
import { at, type Cursor, items, text } from '../suite/yaml/cursor.ts';
import { parseDuration } from '../lib/duration.ts';
import { compileTemplate, compileTemplateMap } from '../suite/template/template.ts';
import { driverNames, numbers, requireVariables } from './load-driver.ts';
import type { Reader } from './reader.ts';

/** Seconds: a program, and a person who has to find the phone. */
const defaults = { exec: 30, ask: 120 };

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EACCES: 'this user may not run it',
};

/** A program that is named by its path must be there; one without a slash is found when it is run. */
function requireProgram(cursor: Cursor | undefined, reader: Reader): void {
  const program = cursor === undefined ? undefined : text(cursor);
  if (cursor === undefined || program === undefined || !program.includes('/') || program.includes('{{')) return;
  try {
    accessSync(resolve(reader.folder, program), constants.X_OK);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    reader.complain(cursor, 'file-unreadable', `${program} cannot be run: ${reasons[code] ?? code}`);
  }
}

/** How long there is, in seconds. */
function loadTimeout(cursor: Cursor, reader: Reader): number | undefined {
  const seconds = parseDuration(text(cursor) ?? '');
  return seconds === 0 ? reader.complain(cursor, 'bad-value', 'a timeout of nothing: its time is up at once') : seconds;
}

/** A driver that makes an action happen by a program. */
export function loadExec(cursor: Cursor, reader: Reader): ExecDriver {
  const context = { names: driverNames, report: reader.report };
  const [argv, variables, done] = [at(cursor, 'argv'), at(cursor, 'env'), numbers(at(cursor, 'done'))];
  for (const templates of [argv, variables]) requireVariables(templates, reader);
  requireProgram(items(argv)[0], reader);
  const compiled: readonly Template[] = items(argv).map((item) => compileTemplate(item, context));
  const [program = compileTemplate(argv, context), ...args] = compiled;
  return {
    kind: 'exec',
    argv: [program, ...args],
    variables: variables.value === undefined ? [] : compileTemplateMap(variables, context),
    folder: reader.folder,
    timeout: loadTimeout(at(cursor, 'timeout'), reader) ?? defaults.exec,
    done: done.length > 0 ? done : [0],
    impossible: numbers(at(cursor, 'impossible')),
    env: reader.env,
  };
}

/** A driver that asks the operator: in these words, or, where `ask` is true, in those of the action. */
export function loadAsk(cursor: Cursor, reader: Reader): AskDriver {
  const description = at(cursor, 'ask');
  requireVariables(description, reader);
  if (description.value === false)
    reader.complain(description, 'bad-value', '"ask" must be a sentence or true, not false');
  return {
    kind: 'ask',
    ...(typeof description.value === 'string'
      ? { description: compileTemplate(description, { names: driverNames, report: reader.report }) }
      : {}),
    timeout: loadTimeout(at(cursor, 'timeout'), reader) ?? defaults.ask,
    env: reader.env,
  };
}
