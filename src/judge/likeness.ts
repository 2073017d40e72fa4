import { type Json, memberOf } from '../lib/json.ts';
import type { Expectation } from '../suite/expectations/expectation.ts';
import { MissingValue, type Scope } from '../model/template.ts';
import type { Judgeable, ResponseObservation } from './observation.ts';
import type { Mismatch } from './rule-book.ts';

const errorOf = ({ body }: ResponseObservation): Json => memberOf(body, 'error') ?? null;

/** Two medians closer than this, in milliseconds or as a share of the smaller one, count as equal. */
const leastDifference = 10;
const leastShare = 0.5;

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
  if (latencyLike !== undefined) {
    const [theirs, ours] = [medianOf(otherResponse(latencyLike, scope).samples), medianOf(observation.samples)];
    if (Math.abs(theirs - ours) > Math.max(leastDifference, leastShare * Math.min(theirs, ours))) {
      const text = (median: number): string => `a median of ${median.toFixed(1)} ms`;
      found.push({ code: 'not-equal', path: 'latency', expected: text(theirs), actual: text(ours) });
    }
  }
  return found;
}
