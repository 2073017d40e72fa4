import { type Json, memberOf } from '../lib/json.ts';
import { rankDistance } from '../lib/rank-test.ts';
import type { Expectation } from '../suite/expectations/expectations.ts';
import { MissingValue, type Scope } from '../model/template.ts';
import type { Judgeable, ResponseObservation } from './observation.ts';
import type { Mismatch } from './rule-book.ts';

const errorOf = ({ body }: ResponseObservation): Json => memberOf(body, 'error') ?? null;

/** Standard deviations of a rank sum: beyond them, chance has one case in a thousand. */
const mostDistance = 3.29;
/** Two medians closer than this, in milliseconds, count as equal whatever the ranks. */
const leastDifference = 2;

function medianOf(samples: readonly number[]): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
}

function otherResponse(step: string, scope: Scope): ResponseObservation {
  const other = scope.root(step);
  if (isResponse(other)) return other;
  throw new MissingValue(`response of step ${step}`);
}

const isResponse = (value: unknown): value is ResponseObservation =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'response';

/** Whether the times of two steps can be told apart: by a rank test, and by medians that lie apart. */
function judgeLatency(step: string, { samples: ours, beside }: ResponseObservation, scope: Scope): Mismatch[] {
  const theirs = beside?.step === step ? beside.samples : otherResponse(step, scope).samples;
  const distance = rankDistance(ours, theirs);
  const apart = Math.abs(medianOf(ours) - medianOf(theirs));
  if (Math.abs(distance) <= mostDistance || apart < leastDifference) return [];
  const text = (samples: readonly number[]): string =>
    `a median of ${medianOf(samples).toFixed(1)} ms of ${samples.length}`;
  const actual = `${text(ours)}, ${Math.abs(distance).toFixed(1)} standard deviations away by their ranks`;
  return [{ code: 'not-equal', path: 'latency', expected: text(theirs), actual }];
}

/** Whether one response gives away what another does not (enumeration): by status and error, or by the time it takes. */
export function judgeLikeness({ like, latencyLike }: Expectation, observation: Judgeable, scope: Scope): Mismatch[] {
  if (observation.kind !== 'response') return [];
  const found: Mismatch[] = [];
  if (like !== undefined) {
    const other = otherResponse(like, scope);
    if (other.status !== observation.status || errorOf(other) !== errorOf(observation)) {
      found.push({ code: 'not-equal', path: 'status and error', expected: other.summary, actual: observation.summary });
    }
  }
  return latencyLike === undefined ? found : [...found, ...judgeLatency(latencyLike, observation, scope)];
}
