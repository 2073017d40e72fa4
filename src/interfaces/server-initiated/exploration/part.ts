import type { JsonObject } from '../../../lib/json.ts';

/** One value of a part of a request that leaves the request valid. */
export interface Value {
  readonly name: string;
  readonly difference: JsonObject;
  /** The registration that sends, where not the case's own. */
  readonly client?: string;
  /** It reads what not every registration has. */
  readonly ofClient?: true;
  /** Steps before the request, which its difference reads: `{{ @hint.body }}`, where @ is what names of steps begin with. */
  readonly before?: readonly JsonObject[];
  /** What becomes of such a request is not the same everywhere: it only stands beside what is refused anyway. */
  readonly besideOnly?: true;
  /** The rule that says that it is accepted. */
  readonly rule: string;
}

/** The value of the valid request. */
export const isPlain = ({ difference, client }: Value): boolean =>
  client === undefined && Object.keys(difference).length === 0;

/** A part of a request with values of which each leaves it valid; the first is that of the valid request. */
export interface Part {
  /** `claims.acr_values`, `client`. */
  readonly id: string;
  readonly values: readonly Value[];
}

/** What the target says of a case: one that does not run there has no values to take. */
export type Runs = (id: string) => boolean;

/** The rule of all that is valid: it is accepted. */
export const acceptedRule = 'TRN-014';

/** A value that needs neither another client nor steps before it, and is accepted everywhere. */
export const standsAlone = ({ client, before, besideOnly }: Value): boolean =>
  client === undefined && before === undefined && besideOnly !== true;
