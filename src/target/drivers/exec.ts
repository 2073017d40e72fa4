import { accessSync, constants } from 'node:fs';
import { resolve } from 'node:path';
import { causeCode } from '../../lib/errors.ts';
import type { ExecDriver } from '../../model/target.ts';
import { at, type Cursor, items, text } from '../../suite/yaml/cursor.ts';
import { anyText, described, integer, list, named, object, placed } from '../../suite/grammar/grammar.ts';
import { duration, namedTemplates } from '../grammar/values.ts';
import { type Reader, readTimeout } from '../reader.ts';
import { compileMap, compileText } from '../templates.ts';
import { defineDriverKind } from './define.ts';

const exitCodes = named(
  'exitCodes',
  list(integer(0, 255, { title: 'an exit code' }), { title: 'a list of exit codes' }),
);

export const program = object(
  {
    argv: placed(
      list(anyText(), {
        title: 'a list of arguments',
        minItems: 1,
        description: 'The program and its arguments, with templates; no shell reads them.',
      }),
    ),
    env: namedTemplates(
      { pattern: '^[A-Za-z_][A-Za-z0-9_]*$', title: 'the name of a variable' },
      'Environment beside PATH, HOME, LANG and TZ, with templates; those without a value are left out.',
    ),
    timeout: described(duration, 'After this the program is ended, with all that it started; default 30s.'),
    done: described(exitCodes, 'Exit codes that mean that it happened; default 0.'),
    impossible: described(
      exitCodes,
      'Exit codes that mean that it was not possible, because the push is gone; default none.',
    ),
  },
  {
    required: ['argv'],
    title: 'a program',
    description:
      'A program, in the folder of the target file; templates read request, with, client, subscriber, target, env.',
  },
);

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EACCES: 'this user may not run it',
};

/** A program that is named by its path must be there; one without a slash is found when it is run. */
function requireProgram(cursor: Cursor | undefined, reader: Reader): void {
  const path = cursor === undefined ? undefined : text(cursor);
  if (cursor === undefined || path === undefined || !path.includes('/') || path.includes('{{')) return;
  try {
    accessSync(resolve(reader.folder, path), constants.X_OK);
  } catch (error) {
    const code = causeCode(error);
    reader.complain(cursor, 'file-unreadable', `${path} cannot be run: ${reasons[code] ?? code}`);
  }
}

const defaultTimeout = 30;

export const execKind = defineDriverKind({
  kind: 'exec',
  grammar: object({ exec: described(named('exec', program), 'A program does it.') }),
  description: 'a program',
  attended: false,
  canDriveClock: true,
  timeoutHint: 'that of exec stands inside it',
  load: ({ exec, cursor }, reader): ExecDriver => {
    const { argv = at(cursor, 'exec'), env, done = [], impossible = [] } = exec ?? {};
    const [first = argv, ...args] = items(argv);
    requireProgram(first, reader);
    return {
      kind: 'exec',
      argv: [compileText(first, reader), ...args.map((one) => compileText(one, reader))],
      variables: env === undefined ? [] : compileMap(env, reader),
      folder: reader.folder,
      timeout: readTimeout(at(exec?.cursor ?? cursor, 'timeout'), reader) ?? defaultTimeout,
      done: done.length > 0 ? done : [0],
      impossible,
      env: reader.env,
    };
  },
});
