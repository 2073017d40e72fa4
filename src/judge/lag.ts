import type { Expectation } from '../suite/expectations/expectations.ts';
import { MissingValue } from '../model/suite.ts';
import type { CheckMismatch } from './check.ts';
import type { AwaitObservation, EventsObservation, Observation, ResponseObservation } from './observation.ts';

/** Part of an expectation that can still be judged, and why the rest cannot. */
export interface LagExcuse {
  readonly reason: string;
  readonly rest: Expectation;
}

type AwaitResult = AwaitObservation | EventsObservation;

const formatLag = (value: number): string => `${value.toFixed(2)} s`;

type Spacing = NonNullable<Expectation['spacing']>;

/** Largest lag among gaps measured as wrong; undefined if a gap is wrong even allowing for lag. */
function explainingLag({ every, early, late }: Spacing, { deliveries }: AwaitResult): number | undefined {
  let most = 0;
  for (const [index, { receivedAt, lag = 0 }] of deliveries.entries()) {
    const before = deliveries[index - 1];
    if (before === undefined) continue;
    const gap = receivedAt - before.receivedAt;
    const [least, longest] = [every - early, every + late];
    if (gap >= least && gap <= longest) continue;
    const lagBefore = before.lag ?? 0;
    // Each delivery arrived up to its lag before it was read.
    if (gap + lagBefore < least || gap - lag > longest) return undefined;
    most = Math.max(most, lag, lagBefore);
  }
  return most;
}

/** Read after the end of the await, but possibly arrived before it. */
const isOnEdge = ({ deliveries, until }: AwaitResult): boolean =>
  deliveries.some(({ receivedAt, lag = 0 }) => receivedAt > until && receivedAt - lag <= until);

function excuseSpacing(expectation: Expectation, observation: AwaitResult): LagExcuse | undefined {
  const { spacing, ...rest } = expectation;
  const lag = spacing === undefined ? 0 : explainingLag(spacing, observation);
  if (lag === undefined || lag === 0) return undefined;
  return {
    rest,
    reason: `a delivery may have come up to ${formatLag(lag)} before it was noted, which could explain the spacing`,
  };
}

function excuseCount(expectation: Expectation, observation: AwaitResult): LagExcuse | undefined {
  const { count, outcome, ...rest } = expectation;
  const counts = count !== undefined || outcome === 'silence' || outcome === 'no-tokens';
  if (!counts || !isOnEdge(observation)) return undefined;
  const reason = 'our receiver was behind when the wait ended, so what was read then may have come before or after';
  return { rest, reason };
}

/** Excuses mismatches that our own lag could explain. Undefined if there is nothing to excuse. */
export function excuseByLag(expectation: Expectation, observation: Observation): LagExcuse | undefined {
  if (observation.kind !== 'await' && observation.kind !== 'events') return undefined;
  return excuseSpacing(expectation, observation) ?? excuseCount(expectation, observation);
}

/** Throws MissingValue, because the response time is too uncertain. */
function throwUncertainTime(took: number, lag: number): never {
  const error = new MissingValue('time of the response');
  error.message = `the response took ${took} s, but up to ${lag.toFixed(2)} s of that may be our own lag`;
  throw error;
}

/** Compares the seconds that a response took, to a tenth, with the maximum. Throws MissingValue if our own lag decides. */
export function judgeTime(took: number, { lag = 0 }: ResponseObservation, most: number): CheckMismatch[] {
  const tenths = (seconds: number): number => Math.round(seconds * 10) / 10;
  if (tenths(took) <= most) return [];
  if (tenths(took - lag) <= most) throwUncertainTime(tenths(took), lag);
  return [{ expected: `a response within ${most} s`, actual: `${tenths(took)} s` }];
}
