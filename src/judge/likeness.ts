import { isJsonObject, type Json } from '../model/json.ts';
import type { Expectation } from '../model/suite.ts';
import { MissingValue, type Scope } from '../model/template.ts';
import type { Mismatch } from './mismatch.ts';
import type { AnswerSeen } from './observation.ts';

const errorOf = ({ body }: AnswerSeen): Json => (isJsonObject(body) ? (body['error'] ?? null) : null);

/** Two medians closer than this, in milliseconds or as a share of the smaller one, cannot be told apart. */
const leastDifference = 10;
const leastShare = 0.5;

function medianOf(samples: readonly number[]): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
}

function otherAnswer(step: string, scope: Scope): AnswerSeen {
  const other = scope.root(step);
  if (isAnswer(other)) return other;
  throw new MissingValue(`answer of step ${step}`);
}

const isAnswer = (value: unknown): value is AnswerSeen =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'answer';

/** Whether one answer gives away what another does not (enumeration): by status and error, or by the time it takes. */
export function judgeLikeness({ like, latencyLike }: Expectation, seen: AnswerSeen, scope: Scope): Mismatch[] {
  const found: Mismatch[] = [];
  if (like !== undefined) {
    const other = otherAnswer(like, scope);
    if (other.status !== seen.status || errorOf(other) !== errorOf(seen)) {
      found.push({ code: 'not-equal', path: 'status and error', expected: other.summary, actual: seen.summary });
    }
  }
  if (latencyLike !== undefined) {
    const [theirs, ours] = [medianOf(otherAnswer(latencyLike, scope).samples), medianOf(seen.samples)];
    if (Math.abs(theirs - ours) > Math.max(leastDifference, leastShare * Math.min(theirs, ours))) {
      const text = (median: number): string => `a median of ${median.toFixed(1)} ms`;
      found.push({ code: 'not-equal', path: 'latency', expected: text(theirs), actual: text(ours) });
    }
  }
  return found;
}
