import type { Interface, Timing } from '../../model/interface.ts';
import type { Target } from '../../model/target.ts';
import { MissingValue, type Scope } from '../../model/suite.ts';
import type { Expectation } from '../../suite/expectations/expectations.ts';
import type { Step, Suites } from '../../suite/suites.ts';

/** Course of one request at the slowest conforming carrier. Seconds. */
export interface PlannedRequest {
  readonly step: string;
  readonly at: number;
  readonly refused: boolean;
  /** The request may be accepted, refused or dropped: no callback is certain. */
  silent: boolean;
  /** Life it asks for, of any type: a refused request is observed for that time. */
  readonly asked: unknown;
  /** Life if accepted. */
  readonly life: number;
  /** Time at which its result is delivered; undefined if it times out. */
  result: number | undefined;
  /** Callbacks awaited so far. */
  taken: number;
}

/** Action that a person is asked to do, in seconds after the case began. */
export interface PlannedAsk {
  readonly at: number;
  readonly action: string;
  readonly step: string;
  /** Text of the target file, verbatim. */
  readonly own?: string;
  /** Known inputs of the action, as ` (scopes: openid)`, or an empty text. */
  readonly given: string;
}

/** Planned course of a case at the slowest conforming carrier, which still responds at once. Seconds. */
export interface Walk {
  readonly target: Target;
  readonly suites: Pick<Suites, 'bases'>;
  readonly interface: Interface;
  readonly scope: Scope;
  readonly traces: Map<string, Readonly<Record<string, unknown>>>;
  readonly requests: PlannedRequest[];
  readonly prompt: PlannedAsk[];
  /** Requests that a conforming carrier may accept: each is a push to a phone. */
  pushes: number;
  /** Seconds after the case began at which a phone gets a push, or a person is busy. */
  readonly reaches: Set<number>;
  raisedAt: number | undefined;
  eventsTaken: number;
  now: number;
}

/** Returns the value, or undefined if it needs something that only a run can know. */
export function valueIfKnown<T>(evaluate: () => T): T | undefined {
  try {
    return evaluate();
  } catch (error) {
    if (error instanceof MissingValue) return undefined;
    throw error;
  }
}

const isRefusalStatus = (status: number | string): boolean =>
  typeof status === 'number' ? status >= 400 : status === '4xx';

const demandsRefusal = ({ outcome, status }: Expectation): boolean =>
  outcome === 'denied' || (outcome === undefined && status?.every(isRefusalStatus) === true);

const demandsAcceptance = ({ control, expectations }: Step): boolean =>
  (control && expectations.length === 0) || expectations.some(({ outcome }) => outcome === 'accepted');

/** Whether a conforming carrier must refuse a request; an `error` alone leaves it open. */
export const mustBeRefused = (step: Step): boolean =>
  !demandsAcceptance(step) && step.expectations.some(demandsRefusal);

export const mayBeEither = (step: Step): boolean => !demandsAcceptance(step) && !mustBeRefused(step);

/** Whether a carrier may accept the request of this step and drop it. */
export const mayBeDropped = ({ expectations }: Pick<Step, 'expectations'>): boolean =>
  expectations.some(({ outcome }) => outcome === 'denied-or-dropped' || outcome === 'at-most-one');

/** Seconds for which a request is observed, from the life that it asks for or was granted. */
export const observedLife = (value: unknown, { longestWatch, watchAfter }: Timing): number =>
  typeof value === 'number' && value > 0 ? Math.min(value, longestWatch) : watchAfter;

/** End of an accepted request: its result, or the end of its life. */
export const requestEnd = ({ at, life, result }: PlannedRequest): number => result ?? at + life;

/** End of a request's observation. An undecided accepted request ends with the callback for its timeout. */
export function plannedWindow(request: PlannedRequest, timing: Timing): number {
  const { at, asked, refused, silent, life, result } = request;
  const outlives = result === undefined && life > timing.longestWatch;
  if (refused || silent || outlives) return at + observedLife(asked, timing) + timing.watchAfter;
  return requestEnd(request) + timing.watchAfterResult;
}
