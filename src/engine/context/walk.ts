import type { Interface, Timing } from '../../model/interface.ts';
import type { Target } from '../../model/target.ts';
import { MissingValue, type Scope } from '../../model/suite.ts';
import type { Expectation } from '../../suite/expectations/expectations.ts';
import type { Step, Suites } from '../../suite/suites.ts';

/** What comes of one request at the conforming carrier that takes the longest. Seconds. */
export interface PlannedRequest {
  readonly step: string;
  readonly at: number;
  readonly refused: boolean;
  /** It may be accepted or not, or be dropped: no callback is sure to come. */
  silent: boolean;
  /** The life it asks for, whatever that is: a refused request is observed by it. */
  readonly asked: unknown;
  /** Its life if it is accepted. */
  readonly life: number;
  /** When its result is delivered; undefined: it times out. */
  result: number | undefined;
  /** Callbacks that were awaited so far. */
  taken: number;
}

/** Something that a person is asked to do, seconds after the case began. */
export interface PlannedAsk {
  readonly at: number;
  readonly action: string;
  readonly step: string;
  /** The words of the target file, as they are written there. */
  readonly own?: string;
  /** What it is done with, as far as that is known: ` (scopes: openid)`, or an empty text. */
  readonly given: string;
}

/** A case on its way, at the conforming carrier that takes the longest and responds at once. Seconds. */
export interface Walk {
  readonly target: Target;
  readonly suites: Pick<Suites, 'bases'>;
  readonly interface: Interface;
  readonly scope: Scope;
  readonly traces: Map<string, Readonly<Record<string, unknown>>>;
  readonly requests: PlannedRequest[];
  readonly prompt: PlannedAsk[];
  raisedAt: number | undefined;
  eventsTaken: number;
  now: number;
}

/** The value; undefined where it rests on something that only a run can know. */
export function ifKnown<T>(evaluate: () => T): T | undefined {
  try {
    return evaluate();
  } catch (error) {
    if (error instanceof MissingValue) return undefined;
    throw error;
  }
}

const isRefusal = (status: number | string): boolean => (typeof status === 'number' ? status >= 400 : status === '4xx');

const demandsRefusal = ({ outcome, status }: Expectation): boolean =>
  outcome === 'denied' || (outcome === undefined && status?.every(isRefusal) === true);

const demandsAcceptance = ({ control, expectations }: Step): boolean =>
  (control && expectations.length === 0) || expectations.some(({ outcome }) => outcome === 'accepted');

/** Whether a conforming carrier must refuse a request; an `error` alone leaves it open. */
export const isRefused = (step: Step): boolean => !demandsAcceptance(step) && step.expectations.some(demandsRefusal);

export const isLeftOpen = (step: Step): boolean => !demandsAcceptance(step) && !isRefused(step);

/** A carrier may accept the request of this step and drop it. */
export const mayBeDropped = ({ expectations }: Pick<Step, 'expectations'>): boolean =>
  expectations.some(({ outcome }) => outcome === 'denied-or-dropped' || outcome === 'at-most-one');

/** Seconds of the life of a request, asked for or granted, for which it is observed. */
export const observedLife = (value: unknown, { longestWatch, watchAfter }: Timing): number =>
  typeof value === 'number' && value > 0 ? Math.min(value, longestWatch) : watchAfter;

/** When an accepted request ends: with its result, or when its life is over. */
export const endOf = ({ at, life, result }: PlannedRequest): number => result ?? at + life;

/** Until when a request is observed. An accepted one that is left alone ends by the callback that says it timed out. */
export function plannedWindow(request: PlannedRequest, timing: Timing): number {
  const { at, asked, refused, silent, life, result } = request;
  const outlives = result === undefined && life > timing.longestWatch;
  if (refused || silent || outlives) return at + observedLife(asked, timing) + timing.watchAfter;
  return endOf(request) + timing.watchAfterResult;
}
