import { at, type Cursor, cursorText as textAt } from '../../suite/yaml/document.ts';
import { omitUndefined } from '../../lib/json.ts';
import type {
  AskDriver,
  ClockDriver,
  ClockNames,
  Driver,
  ExecDriver,
  HttpDriver,
  ModuleDriver,
} from '../../model/target.ts';
import { parseDuration } from '../../lib/duration.ts';
import { described, type Keys, named, object, placed, nonEmptyText, word, json } from '../../suite/grammar/grammar.ts';
import { durationValue, templates } from '../values.ts';
import { type TargetReader, readTimeout } from '../reader.ts';
import { compileAnswer, compileOptionalMap, compileTargetTemplate } from '../templates.ts';
import { type DriverKind, defineDriverKind, execKind, httpKind } from './kinds.ts';
import { resolve } from 'node:path';
import { refusalReason } from '../../files/file-error.ts';
import { requireReadable } from '../../files/read.ts';

/** Default seconds for a module's function. */
const defaultModuleTimeout = 30;

/** Reports a module that is missing or no regular file. */
function requireModule(
  cursor: Cursor,
  { path, file }: { readonly path: string; readonly file: string },
  reader: TargetReader,
): void {
  try {
    requireReadable(file, 'module');
  } catch (error) {
    reader.complain(cursor, 'file-unreadable', `${path} cannot be read: ${refusalReason(error)}`);
  }
}

const moduleKind = defineDriverKind({
  kind: 'module',
  grammar: object({
    module: placed(
      nonEmptyText({
        title: 'a path',
        description:
          'Calls a function: the default export of this JavaScript module, relative to the folder of this file.',
      }),
    ),
    input: templates('For module: members of `input`, with templates; those without a value are left out.'),
    timeout: described(
      durationValue,
      "Time limit for the operator (default 2m) or the module's function (default 30s).",
    ),
  }),
  description: 'a function of a module',
  attended: false,
  canDriveClock: false,
  load: ({ module, input, cursor }, reader): ModuleDriver => {
    const path = (module === undefined ? undefined : textAt(module)) ?? '';
    const file = resolve(reader.folder, path);
    if (module !== undefined) requireModule(module, { path, file }, reader);
    return {
      kind: 'module',
      file,
      shown: path,
      timeout: readTimeout(at(cursor, 'timeout'), reader) ?? defaultModuleTimeout,
      env: reader.env,
      ...omitUndefined({ input: compileOptionalMap(input, reader) }),
    };
  },
});

/** Default seconds for a person to find the phone and act. */
const defaultAskTimeout = 120;

const askKind = defineDriverKind({
  kind: 'ask',
  grammar: object({
    ask: json({
      type: ['string', 'boolean'],
      minLength: 1,
      title: 'a sentence or true',
      description: "Asks the operator: the question, with templates, or true for the action's own words.",
    }),
    timeout: described(
      durationValue,
      "Time limit for the operator (default 2m) or the module's function (default 30s).",
    ),
  }),
  description: 'the operator, who is asked',
  attended: true,
  canDriveClock: false,
  load: ({ ask, cursor }, reader): AskDriver => {
    if (ask?.value === false) reader.complain(ask, 'bad-value', '"ask" must be a sentence or true, not false');
    return {
      kind: 'ask',
      ...(typeof ask?.value === 'string' ? { description: compileTargetTemplate(ask, reader) } : {}),
      timeout: readTimeout(at(cursor, 'timeout'), reader) ?? defaultAskTimeout,
      env: reader.env,
    };
  },
});

/** Drivers by kind; a kind of the model that is missing here is a type error. */
export const driverKinds: { readonly [Kind in Driver['kind']]: DriverKind<Extract<Driver, { readonly kind: Kind }>> } =
  { http: httpKind, exec: execKind, module: moduleKind, ask: askKind };

type AnyDriverKind = (typeof driverKinds)[Driver['kind']];

const allDriverKinds: readonly AnyDriverKind[] = Object.values(driverKinds);
const clockKinds = allDriverKinds.filter(({ canDriveClock }) => canDriveClock);

const driverKeys = (of: readonly AnyDriverKind[]): Keys =>
  Object.fromEntries(of.flatMap(({ keys }) => Object.entries(keys)));

/** Keys for drivers of any kind, except the carrier's clock. */
const effectKeys = {
  takes_effect: described(durationValue, 'Delay until the carrier acts on it, such as 45s; the run waits.'),
};

const answerTemplate = (description: string) => placed(nonEmptyText({ title: 'a template', description }));

/** Templates for a clock's response; default: `now`, `nextDue` and `inFlight`, in milliseconds. */
const clockNameKeys = {
  now: answerTemplate('The carrier\'s time in the answer, such as "{{ body.time }}".'),
  next: answerTemplate('The next time at which something is due at the carrier.'),
  in_flight: answerTemplate('The number of deliveries that it is sending.'),
  unit: word(['seconds', 'milliseconds'], {
    title: 'seconds or milliseconds',
    description: 'Unit of these times and of {{ to }}; default milliseconds.',
  }),
};
const clockNames = object(clockNameKeys);

const driverMapping = (name: string, keys: Keys, title: string) =>
  named(name, placed(object(keys, { title, minProperties: 1 })));

export const driverGrammar = driverMapping('driver', { ...driverKeys(allDriverKinds), ...effectKeys }, 'a driver');
export const clockDriverGrammar = driverMapping(
  'clockDriver',
  { ...driverKeys(clockKinds), ...clockNameKeys },
  'a driver of the clock',
);

const joinKinds = (names: readonly string[]): string => `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

/** Loads a driver by the one kind that its mapping selects. */
function loadByKind(
  cursor: Cursor,
  reader: TargetReader,
  { of, title }: { of: readonly AnyDriverKind[]; title: string },
) {
  const [chosen, ...others] = of.filter(({ kind }) => at(cursor, kind).value !== undefined);
  if (chosen === undefined || others.length > 0) {
    reader.complain(cursor, 'verb-count', `${title} is one of ${joinKinds(of.map(({ kind }) => kind))}`);
  } else if (chosen.timeoutHint !== undefined && at(cursor, 'timeout').value !== undefined) {
    const message = `only ask and module have a "timeout"; ${chosen.timeoutHint}`;
    reader.complain(at(cursor, 'timeout'), 'unknown-key', message);
  }
  return chosen?.load(cursor, reader);
}

export function loadDriver(cursor: Cursor, reader: TargetReader): Driver | undefined {
  const driver = loadByKind(cursor, reader, { of: allDriverKinds, title: 'a driver' });
  const takesEffect = parseDuration(textAt(at(cursor, 'takes_effect')) ?? '');
  return driver === undefined || takesEffect === undefined ? driver : { ...driver, takesEffect };
}

const drivesClock = (driver: Driver): driver is HttpDriver | ExecDriver => driverKinds[driver.kind].canDriveClock;

function loadClockNames(cursor: Cursor, reader: TargetReader): ClockNames | undefined {
  const { now, next, in_flight: inFlight, unit = 'milliseconds' } = clockNames.read(cursor) ?? {};
  const compile = (one: Cursor | undefined) => (one === undefined ? undefined : compileAnswer(one, reader));
  const template = compile(now);
  if (template !== undefined)
    return { now: template, unit, ...omitUndefined({ next: compile(next), inFlight: compile(inFlight) }) };
  const alone = ['next', 'in_flight', 'unit'].find((name) => at(cursor, name).value !== undefined);
  if (alone === undefined) return undefined;
  return reader.complain(at(cursor, alone), 'missing-key', `"${alone}" goes with "now", which says where the time is`);
}

/** Loads a driver of the clock. If it names no parts of its answer, it takes the names of `like`. */
export function loadClockDriver(cursor: Cursor, reader: TargetReader, like?: ClockDriver): ClockDriver | undefined {
  const driver = loadByKind(cursor, reader, { of: clockKinds, title: 'a driver of the clock' });
  const names = loadClockNames(cursor, reader) ?? like?.names;
  return driver !== undefined && drivesClock(driver) ? { ...driver, ...omitUndefined({ names }) } : undefined;
}
