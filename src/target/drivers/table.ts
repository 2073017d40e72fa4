import { at, type Cursor, text as textAt } from '../../suite/yaml/document.ts';
import { defined } from '../../lib/optional.ts';
import type { ClockDriver, ClockNames, Driver, ExecDriver, HttpDriver } from '../../model/target.ts';
import { parseDuration } from '../../lib/duration.ts';
import { described, type Keys, named, object, placed, text, word } from '../../suite/grammar/grammar.ts';
import { duration } from '../grammar/values.ts';
import type { Reader } from '../reader.ts';
import { compileAnswer } from '../templates.ts';
import { askKind } from './ask.ts';
import type { DriverKind } from './define.ts';
import { execKind } from './exec.ts';
import { httpKind } from './http.ts';
import { moduleKind } from './module.ts';

/** Every kind of driver; a kind that the model has and this table has not is a type error. */
export const driverKinds: { readonly [Kind in Driver['kind']]: DriverKind<Extract<Driver, { readonly kind: Kind }>> } =
  { http: httpKind, exec: execKind, module: moduleKind, ask: askKind };

type AnyKind = (typeof driverKinds)[Driver['kind']];

const kinds: readonly AnyKind[] = Object.values(driverKinds);
const clockKinds = kinds.filter(({ canDriveClock }) => canDriveClock);

/** The keys of each kind that a driver may be of. */
const keysOf = (of: readonly AnyKind[]): Keys => Object.fromEntries(of.flatMap(({ keys }) => Object.entries(keys)));

/** What a driver of any kind may have; the carrier's clock has no need of it. */
const effectKeys = {
  takes_effect: described(duration, 'How long after it is done the carrier acts by it, such as 45s: the run waits.'),
};

const shown = (description: string) => placed(text({ title: 'a template', description }));

/** Where the answer of a clock has what; without them `now`, `nextDue` and `inFlight`, in milliseconds. */
const nameKeys = {
  now: shown('The carrier\'s time in the answer, such as "{{ body.time }}".'),
  next: shown('The next moment at which something is due there.'),
  in_flight: shown('The number of deliveries that it is sending.'),
  unit: word(['seconds', 'milliseconds'], {
    title: 'seconds or milliseconds',
    description: 'Of these times and of {{ to }}; default milliseconds.',
  }),
};
const clockNames = object(nameKeys);

const mapping = (name: string, keys: Keys, title: string) =>
  named(name, placed(object(keys, { title, minProperties: 1 })));

export const driverGrammar = mapping('driver', { ...keysOf(kinds), ...effectKeys }, 'a driver');
export const clockDriverGrammar = mapping(
  'clockDriver',
  { ...keysOf(clockKinds), ...nameKeys },
  'a driver of the clock',
);

const listed = (names: readonly string[]): string => `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

/** The one kind that a driver's mapping chooses, read. */
function load(cursor: Cursor, reader: Reader, { of, title }: { of: readonly AnyKind[]; title: string }) {
  const [chosen, ...others] = of.filter(({ kind }) => at(cursor, kind).value !== undefined);
  if (chosen === undefined || others.length > 0) {
    reader.complain(cursor, 'verb-count', `${title} is one of ${listed(of.map(({ kind }) => kind))}`);
  } else if (chosen.timeoutHint !== undefined && at(cursor, 'timeout').value !== undefined) {
    const message = `"timeout" is of ask and module; ${chosen.timeoutHint}`;
    reader.complain(at(cursor, 'timeout'), 'unknown-key', message);
  }
  return chosen?.load(cursor, reader);
}

export function loadDriver(cursor: Cursor, reader: Reader): Driver | undefined {
  const driver = load(cursor, reader, { of: kinds, title: 'a driver' });
  const takesEffect = parseDuration(textAt(at(cursor, 'takes_effect')) ?? '');
  return driver === undefined || takesEffect === undefined ? driver : { ...driver, takesEffect };
}

const drivesClock = (driver: Driver): driver is HttpDriver | ExecDriver => driverKinds[driver.kind].canDriveClock;

function loadNames(cursor: Cursor, reader: Reader): ClockNames | undefined {
  const { now, next, in_flight: inFlight, unit = 'milliseconds' } = clockNames.read(cursor) ?? {};
  const compile = (one: Cursor | undefined) => (one === undefined ? undefined : compileAnswer(one, reader));
  const template = compile(now);
  if (template !== undefined)
    return { now: template, unit, ...defined({ next: compile(next), inFlight: compile(inFlight) }) };
  const alone = ['next', 'in_flight', 'unit'].find((name) => at(cursor, name).value !== undefined);
  if (alone === undefined) return undefined;
  return reader.complain(at(cursor, alone), 'missing-key', `"${alone}" goes with "now", which says where the time is`);
}

/** A driver of the clock; one that names nothing of its answer has the names of `like`. */
export function loadClockDriver(cursor: Cursor, reader: Reader, like?: ClockDriver): ClockDriver | undefined {
  const driver = load(cursor, reader, { of: clockKinds, title: 'a driver of the clock' });
  const names = loadNames(cursor, reader) ?? like?.names;
  return driver !== undefined && drivesClock(driver) ? { ...driver, ...defined({ names }) } : undefined;
}
