import type { Want } from './scheduler.ts';

/** One who waits for resources. */
export interface Entry {
  readonly wants: readonly Want[];
  /** The lowest goes first; of equal ones the one who came first. */
  readonly order: number;
  /** False: refused, because of a quarantine. */
  readonly wake: (granted: boolean) => void;
}

interface Placed {
  readonly entry: Entry;
  /** When it came. */
  readonly number: number;
}

/** Those who want the same: where the first cannot have it, nobody behind can. */
interface Line {
  readonly key: string;
  first: Placed;
  readonly rest: Placed[];
}

/** First come, first served; each resource is looked at once for all who want the same. */
export interface WaitQueue {
  readonly add: (entry: Entry) => void;
  readonly remove: (entry: Entry) => void;
  /** Visits in their order whoever may be next, and takes out whom `grant` gives what it wants. */
  readonly grant: (grant: (entry: Entry) => boolean) => readonly Entry[];
  /** Takes out all who want a resource. */
  readonly takeOut: (lock: string) => readonly Entry[];
  readonly isEmpty: () => boolean;
}

const keyOf = (wants: readonly Want[]): string =>
  wants.map(({ lock, exclusive }) => `${exclusive ? '!' : ''}${lock}`).join('\n');

const compare = (a: Placed, b: Placed): number => a.entry.order - b.entry.order || a.number - b.number;

/** Puts one where it belongs; most belong to the end. */
function insert<T>(list: T[], one: T, order: (a: T, b: T) => number): void {
  const at = list.findLastIndex((other) => order(other, one) < 0);
  list.splice(at + 1, 0, one);
}

export function createWaitQueue(): WaitQueue {
  /** By who stands first in each. */
  const lines: Line[] = [];
  const byKey = new Map<string, Line>();
  let count = 0;
  const insertLine = (line: Line): void => insert(lines, line, (a, b) => compare(a.first, b.first));
  const takeFirst = (line: Line, at = lines.indexOf(line)): void => {
    lines.splice(at, 1);
    const next = line.rest.shift();
    if (next === undefined) {
      byKey.delete(line.key);
      return;
    }
    line.first = next;
    insertLine(line);
  };
  const addTo = (line: Line, placed: Placed): void => {
    if (compare(line.first, placed) < 0) {
      insert(line.rest, placed, compare);
      return;
    }
    lines.splice(lines.indexOf(line), 1);
    line.rest.unshift(line.first);
    line.first = placed;
    insertLine(line);
  };
  return {
    add: (entry) => {
      count += 1;
      const placed: Placed = { entry, number: count };
      const key = keyOf(entry.wants);
      const line = byKey.get(key);
      if (line !== undefined) {
        addTo(line, placed);
        return;
      }
      const own: Line = { key, first: placed, rest: [] };
      byKey.set(key, own);
      insertLine(own);
    },
    remove: (entry) => {
      const line = byKey.get(keyOf(entry.wants));
      if (line?.first.entry === entry) {
        takeFirst(line);
        return;
      }
      const at = line?.rest.findIndex((placed) => placed.entry === entry) ?? -1;
      if (at >= 0) line?.rest.splice(at, 1);
    },
    grant: (grant) => {
      const granted: Entry[] = [];
      for (let at = 0; at < lines.length; ) {
        const line = lines[at];
        if (line !== undefined && grant(line.first.entry)) {
          granted.push(line.first.entry);
          takeFirst(line, at);
        } else {
          at += 1;
        }
      }
      return granted;
    },
    takeOut: (lock) => {
      const out = lines.filter(({ first }) => first.entry.wants.some((want) => want.lock === lock));
      for (const line of out) {
        lines.splice(lines.indexOf(line), 1);
        byKey.delete(line.key);
      }
      return out
        .flatMap(({ first, rest }) => [first, ...rest])
        .toSorted(compare)
        .map(({ entry }) => entry);
    },
    isEmpty: () => lines.length === 0,
  };
}
