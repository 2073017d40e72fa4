import type { FindingCode } from '../model/finding.ts';
import type { Json } from '../model/json.ts';
import type { CallbackObservation, EventObservation, Observation } from './observation.ts';

/** What an expectation found, before it is tied to rules. */
export interface Mismatch {
  readonly code: FindingCode;
  readonly aspect?: string;
  readonly path?: string;
  readonly expected: Json;
  readonly actual: Json;
  readonly message?: string;
}

/** What can be judged: a step's observation, or one message of an invariant. */
export type Judgeable = Observation | CallbackObservation | EventObservation;
