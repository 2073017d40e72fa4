import type { ClockDriver, Driver } from '../../model/target.ts';
import { parseDuration } from '../../lib/duration.ts';
import { at, type Cursor, text } from '../../suite/yaml/cursor.ts';
import { described, type Keys, named, object, placed } from '../../suite/grammar/grammar.ts';
import { duration } from '../grammar/values.ts';
import type { Reader } from '../reader.ts';
import { askKind } from './ask.ts';
import type { DriverKind } from './define.ts';
import { execKind } from './exec.ts';
import { httpKind } from './http.ts';

/** Every kind of driver; a kind that the model has and this table has not is a type error. */
export const driverKinds: { readonly [Kind in Driver['kind']]: DriverKind<Extract<Driver, { readonly kind: Kind }>> } =
  { http: httpKind, exec: execKind, ask: askKind };

type AnyKind = (typeof driverKinds)[Driver['kind']];

const kinds: readonly AnyKind[] = Object.values(driverKinds);
const clockKinds = kinds.filter(({ canDriveClock }) => canDriveClock);

/** The keys of each kind that a driver may be of. */
const keysOf = (of: readonly AnyKind[]): Keys => Object.assign({}, ...of.map(({ keys }) => keys));

/** What a driver of any kind may have; the carrier's clock has no need of it. */
const effectKeys = {
  takes_effect: described(duration, 'How long after it is done the carrier acts by it, such as 45s: the run waits.'),
};

const mapping = (name: string, keys: Keys, title: string) =>
  named(name, placed(object(keys, { title, minProperties: 1 })));

export const driverGrammar = mapping('driver', { ...keysOf(kinds), ...effectKeys }, 'a driver');
export const clockDriverGrammar = mapping('clockDriver', keysOf(clockKinds), 'a driver of the clock');

const listed = (names: readonly string[]): string => `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

/** The one kind that a driver's mapping chooses, read. */
function load(cursor: Cursor, reader: Reader, { of, title }: { of: readonly AnyKind[]; title: string }) {
  const [chosen, ...others] = of.filter(({ kind }) => at(cursor, kind).value !== undefined);
  if (chosen === undefined || others.length > 0) {
    reader.complain(cursor, 'verb-count', `${title} is one of ${listed(of.map(({ kind }) => kind))}`);
  } else if (chosen.timeoutHint !== undefined && at(cursor, 'timeout').value !== undefined) {
    const message = `"timeout" is of ask; ${chosen.timeoutHint}`;
    reader.complain(at(cursor, 'timeout'), 'unknown-key', message);
  }
  return chosen?.load(cursor, reader);
}

export function loadDriver(cursor: Cursor, reader: Reader): Driver | undefined {
  const driver = load(cursor, reader, { of: kinds, title: 'a driver' });
  const takesEffect = parseDuration(text(at(cursor, 'takes_effect')) ?? '');
  return driver === undefined || takesEffect === undefined ? driver : { ...driver, takesEffect };
}

const drivesClock = (driver: Driver): driver is ClockDriver => driverKinds[driver.kind].canDriveClock;

export function loadClockDriver(cursor: Cursor, reader: Reader): ClockDriver | undefined {
  const driver = load(cursor, reader, { of: clockKinds, title: 'a driver of the clock' });
  return driver !== undefined && drivesClock(driver) ? driver : undefined;
}
