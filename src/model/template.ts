import type { Json } from '../lib/json.ts';
import type { Position } from './rule.ts';

/** What a template can see when it is evaluated. */
export interface Scope {
  /** The carrier's time, integer epoch seconds. */
  readonly now: () => number;
  /** Random hexadecimal digits, `bytes` bytes of them. */
  readonly random: (bytes: number) => string;
  /** The value of a root name, or undefined where there is none yet. */
  readonly root: (name: string) => unknown;
}

/** A value of a YAML file with its templates compiled. */
export interface Template {
  readonly source: Json;
  readonly position: Position;
  /** The dotted paths it reads, as `['clients', 'second', 'client_id']`. */
  readonly paths: readonly (readonly string[])[];
  /** Throws MissingValue where a path leads nowhere. */
  readonly evaluate: (scope: Scope) => Json;
}

/** A moment: seconds since the epoch, with fraction. A step's name stands for the moment it was sent. */
export interface Moment {
  readonly source: string;
  readonly position: Position;
  readonly paths: readonly (readonly string[])[];
  /** Throws MissingValue where a path leads nowhere. */
  readonly evaluate: (scope: Scope) => number;
}

/** A template reads something that is not there: the condition of a step is unmet. */
export class MissingValue extends Error {
  readonly path: string;

  constructor(path: string) {
    super(`there is no ${path}`);
    this.name = 'MissingValue';
    this.path = path;
  }
}
