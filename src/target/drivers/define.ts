import type { Cursor } from '../../suite/yaml/document.ts';
import type { Driver } from '../../model/target.ts';
import type { Grammar } from '../../suite/grammar/grammar.ts';
import type { Reader } from '../reader.ts';

type Keys = Readonly<Record<string, Grammar<unknown>>>;

/** One way to make an action happen: how a target file writes it, and what it is read as. */
export interface DriverKind<D extends Driver> {
  /** Also the key of the driver's mapping that chooses it. */
  readonly kind: D['kind'];
  /** Every key of the driver's mapping that belongs to this kind. */
  readonly keys: Keys;
  /** In messages and docs. */
  readonly description: string;
  /** A person makes it happen: it counts only where an operator is at a terminal. */
  readonly attended: boolean;
  readonly canDriveClock: boolean;
  /** What to say of a `timeout` beside it; undefined where it has one there. */
  readonly timeoutHint?: string;
  /** Undefined where the mapping has another shape, which the schema has reported. */
  readonly load: (cursor: Cursor, reader: Reader) => D | undefined;
}

interface Definition<D extends Driver, Given> extends Omit<DriverKind<D>, 'keys' | 'load'> {
  /** The driver's mapping, with the keys of this kind. */
  readonly grammar: Grammar<Given> & { readonly keys: Keys };
  readonly load: (given: Given, reader: Reader) => D;
}

export function defineDriverKind<D extends Driver, Given>(definition: Definition<D, Given>): DriverKind<D> {
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
