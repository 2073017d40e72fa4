/** A share in one resource, or all of it. */
export interface Want {
  /** `subscriber:first`, `client:main`, `exchanges`. */
  readonly lock: string;
  readonly exclusive: boolean;
}

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

interface State {
  /** By who stands first in each. */
  readonly lines: Line[];
  readonly byKey: Map<string, Line>;
  /** How many have come. */
  count: number;
}

const insertLine = ({ lines }: State, line: Line): void => insert(lines, line, (a, b) => compare(a.first, b.first));

/** Takes the first of a line out; the line goes where its next one belongs. */
function takeFirst(state: State, line: Line, at = state.lines.indexOf(line)): void {
  state.lines.splice(at, 1);
  const next = line.rest.shift();
  if (next === undefined) {
    state.byKey.delete(line.key);
    return;
  }
  line.first = next;
  insertLine(state, line);
}

function add(state: State, entry: Entry): void {
  state.count += 1;
  const placed: Placed = { entry, number: state.count };
  const key = keyOf(entry.wants);
  const line = state.byKey.get(key);
  if (line === undefined) {
    const own: Line = { key, first: placed, rest: [] };
    state.byKey.set(key, own);
    insertLine(state, own);
  } else if (compare(line.first, placed) < 0) {
    insert(line.rest, placed, compare);
  } else {
    state.lines.splice(state.lines.indexOf(line), 1);
    line.rest.unshift(line.first);
    line.first = placed;
    insertLine(state, line);
  }
}

function remove(state: State, entry: Entry): void {
  const line = state.byKey.get(keyOf(entry.wants));
  if (line?.first.entry === entry) {
    takeFirst(state, line);
    return;
  }
  const at = line?.rest.findIndex((placed) => placed.entry === entry) ?? -1;
  if (at >= 0) line?.rest.splice(at, 1);
}

function grantInOrder(state: State, grant: (entry: Entry) => boolean): readonly Entry[] {
  const granted: Entry[] = [];
  for (let at = 0; at < state.lines.length; ) {
    const line = state.lines[at];
    if (line !== undefined && grant(line.first.entry)) {
      granted.push(line.first.entry);
      takeFirst(state, line, at);
    } else {
      at += 1;
    }
  }
  return granted;
}

function takeOut({ lines, byKey }: State, lock: string): readonly Entry[] {
  const out = lines.filter(({ first }) => first.entry.wants.some((want) => want.lock === lock));
  for (const line of out) {
    lines.splice(lines.indexOf(line), 1);
    byKey.delete(line.key);
  }
  return out
    .flatMap(({ first, rest }) => [first, ...rest])
    .toSorted(compare)
    .map(({ entry }) => entry);
}

export function createWaitQueue(): WaitQueue {
  const state: State = { lines: [], byKey: new Map(), count: 0 };
  return {
    add: (entry) => add(state, entry),
    remove: (entry) => remove(state, entry),
    grant: (grant) => grantInOrder(state, grant),
    takeOut: (lock) => takeOut(state, lock),
    isEmpty: () => state.lines.length === 0,
  };
}
