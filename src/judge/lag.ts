import type { AwaitObservation, EventsObservation, Observation } from './observation.ts';
import type { Expectation } from '../suite/expectations/expectation.ts';

/** What is left to judge of an expectation, and why the rest cannot be. */
export interface LagExcuse {
  readonly reason: string;
  readonly rest: Expectation;
}

type Awaited = AwaitObservation | EventsObservation;

const seconds = (value: number): string => `${value.toFixed(2)} s`;

type Spacing = NonNullable<Expectation['spacing']>;

/** The largest lag behind gaps that are wrong as they were measured; undefined where one is wrong whatever the lag. */
function lagBehindSpacing({ every, early, late }: Spacing, { deliveries }: Awaited): number | undefined {
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

/** Read after the end of the await, yet it may have arrived before. */
const onTheEdge = ({ deliveries, until }: Awaited): boolean =>
  deliveries.some(({ receivedAt, lag = 0 }) => receivedAt > until && receivedAt - lag <= until);

function excuseSpacing(expectation: Expectation, observation: Awaited): LagExcuse | undefined {
  const { spacing, ...rest } = expectation;
  const lag = spacing === undefined ? 0 : lagBehindSpacing(spacing, observation);
  if (lag === undefined || lag === 0) return undefined;
  return { rest, reason: `our receiver was up to ${seconds(lag)} behind, which could explain the spacing` };
}

function excuseCount(expectation: Expectation, observation: Awaited): LagExcuse | undefined {
  const { count, outcome, ...rest } = expectation;
  const counts = count !== undefined || outcome === 'silence' || outcome === 'no-tokens';
  if (!counts || !onTheEdge(observation)) return undefined;
  const reason = 'our receiver was behind when the wait ended, so what was read then may have come before or after';
  return { rest, reason };
}

/** What our own lag could explain is no finding. Undefined where there is nothing to excuse. */
export function excuseByLag(expectation: Expectation, observation: Observation): LagExcuse | undefined {
  if (observation.kind !== 'await' && observation.kind !== 'events') return undefined;
  return excuseSpacing(expectation, observation) ?? excuseCount(expectation, observation);
}
