import { at, type Cursor, items, text } from '../../suite/yaml/document.ts';
import { accessSync, constants } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { whyNot } from '../../lib/errors.ts';
import type { ExecDriver } from '../../model/target.ts';
import { anyText, described, integer, list, named, object, placed } from '../../suite/grammar/grammar.ts';
import { duration, namedTemplates } from '../grammar/values.ts';
import { type Reader, readTimeout, variableOf } from '../reader.ts';
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

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** A program without a slash is looked for in PATH, as the run does it; where there is none, the run says so. */
function requireOnPath(cursor: Cursor, name: string, reader: Reader): void {
  const folders = variableOf(reader.env, 'PATH')?.split(delimiter) ?? [];
  if (folders.length === 0 || folders.some((folder) => isExecutable(join(folder, name)))) return;
  reader.complain(cursor, 'file-unreadable', `${name} cannot be run: no folder of PATH has such a program`);
}

/** A program must be there, and executable. */
function requireProgram(cursor: Cursor | undefined, reader: Reader): void {
  const path = cursor === undefined ? undefined : text(cursor);
  if (cursor === undefined || path === undefined || path.includes('{{')) return;
  if (!path.includes('/')) {
    requireOnPath(cursor, path, reader);
    return;
  }
  try {
    accessSync(resolve(reader.folder, path), constants.X_OK);
  } catch (error) {
    reader.complain(cursor, 'file-unreadable', `${path} cannot be run: ${whyNot('run', error)}`);
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
