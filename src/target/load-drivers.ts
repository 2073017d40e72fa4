import type { ClockDriver, Driver, Target } from '../model/target.ts';
import { at, type Cursor, entries } from '../suite/yaml/cursor.ts';
import { loadDriver } from './load-driver.ts';
import { loadAsk, loadExec } from './load-exec.ts';
import type { Reader } from './reader.ts';

const ways = ['http', 'exec', 'ask'] as const;

function loadOne(cursor: Cursor, reader: Reader): Driver {
  const [way, ...others] = ways.filter((one) => at(cursor, one).value !== undefined);
  if (way === undefined || others.length > 0) {
    reader.complain(cursor, 'verb-count', 'a driver is one of http, exec and ask');
  } else if (way !== 'ask' && at(cursor, 'timeout').value !== undefined) {
    const where =
      way === 'exec' ? 'that of exec stands inside it' : 'an http driver has the deadline of every exchange';
    reader.complain(at(cursor, 'timeout'), 'unknown-key', `"timeout" is of ask; ${where}`);
  }
  if (way === 'exec') return loadExec(at(cursor, 'exec'), reader);
  return way === 'ask' ? loadAsk(cursor, reader) : loadDriver(at(cursor, 'http'), reader);
}

/** How each action is made to happen. */
export function loadDrivers(cursor: Cursor, reader: Reader): Readonly<Record<string, Driver>> {
  return Object.fromEntries(entries(cursor).map(([name, one]) => [name, loadOne(one, reader)] as const));
}

/** The clock of a carrier that can be driven; the schema lets only requests and programs do it. */
export function loadClock(cursor: Cursor, reader: Reader): NonNullable<Target['clock']> {
  const door = (key: 'read' | 'advance'): ClockDriver => {
    const one = at(cursor, key);
    const [http, exec] = [at(one, 'http'), at(one, 'exec')];
    if ((http.value === undefined) === (exec.value === undefined)) {
      reader.complain(one, 'verb-count', 'a driver of the clock is one of http and exec');
    }
    return exec.value === undefined ? loadDriver(http, reader) : loadExec(exec, reader);
  };
  return { read: door('read'), advance: door('advance') };
}
