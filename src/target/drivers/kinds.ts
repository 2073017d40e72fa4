import { refusalReason } from '../../files/file-error.ts';
import { requireRunnable } from '../../files/look.ts';
import { omitUndefined } from '../../lib/json.ts';
import type { Driver, ExecDriver, HttpDriver } from '../../model/target.ts';
import {
  type Grammar,
  anyText,
  described,
  integer,
  list,
  named,
  object,
  placed,
  nonEmptyText,
} from '../../suite/grammar/grammar.ts';
import { type Cursor, at, items, cursorText as textAt } from '../../suite/yaml/document.ts';
import { durationValue, namedTemplateMap, headerTemplates, templates } from '../values.ts';
import { type TargetReader, readTimeout, readVariable } from '../reader.ts';
import { compileTargetMap, compileTargetTemplate, compileOptionalMap } from '../templates.ts';
import { delimiter, join, resolve } from 'node:path';

type KeyGrammars = Readonly<Record<string, Grammar<unknown>>>;

/** One way to make an action happen: how a target file writes it, and how to load it. */
export interface DriverKind<D extends Driver> {
  /** Also the key in a driver's mapping that selects this kind. */
  readonly kind: D['kind'];
  /** All keys in a driver's mapping for this kind. */
  readonly keys: KeyGrammars;
  /** For messages and docs. */
  readonly description: string;
  /** Needs a person, so it is used only with an operator at a terminal. */
  readonly attended: boolean;
  readonly canDriveClock: boolean;
  /** Hint for a misplaced `timeout` next to this kind's key; undefined if `timeout` is allowed there. */
  readonly timeoutHint?: string;
  /** Undefined if the mapping has a wrong shape, which the schema has reported. */
  readonly load: (cursor: Cursor, reader: TargetReader) => D | undefined;
}

interface KindDefinition<D extends Driver, Given> extends Omit<DriverKind<D>, 'keys' | 'load'> {
  /** Grammar of the driver's mapping with this kind's keys. */
  readonly grammar: Grammar<Given> & { readonly keys: KeyGrammars };
  readonly load: (given: Given, reader: TargetReader) => D;
}

export function defineDriverKind<D extends Driver, Given>(definition: KindDefinition<D, Given>): DriverKind<D> {
  const { grammar, load, ...facts } = definition;
  return {
    ...facts,
    keys: grammar.keys,
    load: (cursor, reader) => {
      const given = grammar.read(cursor);
      return given === undefined ? undefined : load(given, reader);
    },
  };
}

const exitCodeList = named(
  'exitCodes',
  list(integer(0, 255, { title: 'an exit code' }), { title: 'a list of exit codes' }),
);

export const programGrammar = object(
  {
    argv: placed(
      list(anyText(), {
        title: 'a list of arguments',
        minItems: 1,
        description: 'The program and its arguments, with templates; no shell reads them.',
      }),
    ),
    env: namedTemplateMap(
      { pattern: '^[A-Za-z_][A-Za-z0-9_]*$', title: 'the name of a variable' },
      'Environment in addition to PATH, HOME, LANG and TZ, with templates; those without a value are left out.',
    ),
    timeout: described(
      durationValue,
      'Time limit, after which the program and all that it started are killed; default 30s.',
    ),
    done: described(exitCodeList, 'Exit codes that mean success; default 0.'),
    impossible: described(
      exitCodeList,
      'Exit codes that mean that the action was impossible because the push is gone; default none.',
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
    requireRunnable(path);
    return true;
  } catch {
    return false;
  }
};

/** Looks for a program without a slash in PATH, as the run does. Without a PATH, the run reports it. */
function requireOnPath(cursor: Cursor, name: string, reader: TargetReader): void {
  const folders = readVariable(reader.env, 'PATH')?.split(delimiter) ?? [];
  if (folders.length === 0 || folders.some((folder) => isExecutable(join(folder, name)))) return;
  reader.complain(cursor, 'file-unreadable', `${name} cannot be run: no folder of PATH has such a program`);
}

/** Reports a program that is missing or not executable. */
function requireExecutable(cursor: Cursor | undefined, reader: TargetReader): void {
  const path = cursor === undefined ? undefined : textAt(cursor);
  if (cursor === undefined || path === undefined || path.includes('{{')) return;
  if (!path.includes('/')) {
    requireOnPath(cursor, path, reader);
    return;
  }
  try {
    requireRunnable(resolve(reader.folder, path));
  } catch (error) {
    reader.complain(cursor, 'file-unreadable', `${path} cannot be run: ${refusalReason(error)}`);
  }
}

const execTimeout = 30;

export const execKind = defineDriverKind({
  kind: 'exec',
  grammar: object({ exec: described(named('exec', programGrammar), 'Runs a program.') }),
  description: 'a program',
  attended: false,
  canDriveClock: true,
  timeoutHint: 'write the timeout of exec as a key of exec',
  load: ({ exec, cursor }, reader): ExecDriver => {
    const { argv = at(cursor, 'exec'), env, done = [], impossible = [] } = exec ?? {};
    const [first = argv, ...args] = items(argv);
    requireExecutable(first, reader);
    return {
      kind: 'exec',
      argv: [compileTargetTemplate(first, reader), ...args.map((one) => compileTargetTemplate(one, reader))],
      variables: env === undefined ? [] : compileTargetMap(env, reader),
      folder: reader.folder,
      timeout: readTimeout(at(exec?.cursor ?? cursor, 'timeout'), reader) ?? execTimeout,
      done: done.length > 0 ? done : [0],
      impossible,
      env: reader.env,
    };
  },
});

const statusList = (description: string) =>
  list(integer(100, 999, { title: 'a status code' }), { title: 'a list of status codes', description });

const requestGrammar = object(
  {
    method: anyText({ title: 'a method', description: 'Default: POST with json, otherwise GET.' }),
    url: placed(
      nonEmptyText({
        title: 'a URL',
        description: 'URL, with templates; each value becomes one segment, except values of env.',
      }),
    ),
    headers: headerTemplates,
    json: templates('Members of the JSON body; those without a value are left out.'),
    done: statusList('Statuses that mean success; default 200, 201, 202, 204.'),
    impossible: statusList('Statuses that mean that the action was impossible because the push is gone; default none.'),
  },
  {
    required: ['url'],
    title: 'http',
    description: 'A request; templates read request, with, client, subscriber, target, env.',
  },
);

const driverSchemes = ['http:', 'https:'];

/** Templates that never give a URL. */
const nonUrlTemplate = /^\{\{\s*(?:request|subscriber|now|fresh|letters|to)\b/;

/** Reports a URL that is not http or https. If it begins with a template, the run checks it. */
function requireHttp(cursor: Cursor, reader: TargetReader): void {
  const url = textAt(cursor);
  if (url === undefined) return;
  const [literal = '', ...templatesAfter] = url.trimStart().toLowerCase().split('{{');
  const isOpen = (scheme: string): boolean => templatesAfter.length > 0 && scheme.startsWith(literal);
  if (nonUrlTemplate.test(url.trimStart())) {
    const message = 'the URL of a driver begins with http:// or https://, or with a template that gives such a URL';
    reader.complain(cursor, 'bad-value', message);
    return;
  }
  if (driverSchemes.some((scheme) => literal.startsWith(scheme) || isOpen(scheme))) return;
  reader.complain(cursor, 'bad-value', 'the URL of a driver begins with http:// or https://');
}

export const httpKind = defineDriverKind({
  kind: 'http',
  grammar: object({ http: described(named('http', requestGrammar), 'Sends a request.') }),
  description: 'a request',
  attended: false,
  canDriveClock: true,
  timeoutHint: 'an http driver has the request timeout of every exchange',
  load: ({ http, cursor }, reader): HttpDriver => {
    const { method, url = at(cursor, 'url'), headers, json, done = [], impossible = [] } = http ?? {};
    requireHttp(url, reader);
    return {
      kind: 'http',
      method: method ?? (json === undefined ? 'GET' : 'POST'),
      url: compileTargetTemplate(url, reader),
      ...omitUndefined({ headers: compileOptionalMap(headers, reader), json: compileOptionalMap(json, reader) }),
      done: done.length > 0 ? done : [200, 201, 202, 204],
      impossible,
      env: reader.env,
    };
  },
});
