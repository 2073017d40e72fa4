import type { JsonObject } from '../lib/json.ts';

/** What the function of a driver module is given. It is a copy: nothing of the run changes with it. */
export interface DriverInput {
  /** The action, as `approve` or `move-sim`. */
  readonly action: string;
  /** The values of the action, such as the scopes that are granted. */
  readonly with: JsonObject;
  /** The request it is about: what was sent, and the response to it; absent where the action is about none. */
  readonly request?: { readonly claims: JsonObject; readonly status?: number; readonly body?: JsonObject };
  /** The subscriber and the client of the case, as templates of a target file read them. */
  readonly subscriber: JsonObject;
  readonly client: JsonObject;
  /** What `input` of the target file says, with its templates evaluated. */
  readonly input: JsonObject;
  /** Aborted when the run stops, or when the time of the driver is over. */
  readonly signal: AbortSignal;
}

/** What came of it. */
export interface DriverOutput {
  /** False: it was not possible, because the push is gone. Default: it was done. */
  readonly done?: boolean;
  /** Stands for the body of a response; of `look`, the card that the phone shows. */
  readonly body?: JsonObject;
  /** One line for people. */
  readonly note?: string;
}

/** The default export of a module that a target file names as a driver. An error that it throws makes the case inconclusive. */
export type DriverModule = (input: DriverInput) => Promise<DriverOutput | undefined> | DriverOutput | undefined;
