import type { Limit, LimitResult, LimitState, LimitUnit } from '../../model/limit.ts';

/** What was found, before it is put into words. */
export interface Measured extends Pick<LimitResult, 'probes' | 'reason'> {
  readonly state: LimitState;
  readonly value?: number;
  readonly uncertainty?: number;
}

function quantity(value: number, uncertainty: number, unit: LimitUnit): string {
  const number = Number.isInteger(value) ? String(value) : value.toFixed(1);
  if (unit === 'characters') return `${number} ${value === 1 ? 'character' : 'characters'}`;
  return uncertainty === 0 ? `${number} s` : `${number} s ± ${uncertainty} s`;
}

function wordsFor(limit: Limit, { state, value = 0, uncertainty = 0, reason, probes }: Measured): string {
  const amount = quantity(value, uncertainty, limit.unit);
  const sentences: Readonly<Record<LimitState, string>> = {
    limit: limit.found.replace('{limit}', amount),
    beyond: limit.beyond.replace('{limit}', amount),
    nothing: `no limit to be found: ${probes[0]?.response ?? 'nothing was answered'} already at ${amount}`,
    unmeasured: `not measured: ${reason ?? 'nobody knows why'}`,
  };
  return sentences[state];
}

/** A limit with what was found, in words. */
export function conclude({ name, title, rules, unit, ...limit }: Limit, measured: Measured): LimitResult {
  const { state, value, uncertainty, reason, probes } = measured;
  const known = state === 'limit' || state === 'beyond';
  return {
    name,
    title,
    rules,
    state,
    ...(known && value !== undefined ? { value, uncertainty: uncertainty ?? 0 } : {}),
    unit,
    words: wordsFor({ name, title, rules, unit, ...limit }, measured),
    ...(reason === undefined ? {} : { reason }),
    probes,
  };
}

/** Beside the same text in characters of one byte each, it shows what a carrier counts. */
export function sayWhatIsCounted(
  results: readonly LimitResult[],
  limits: readonly Pick<Limit, 'name' | 'beside'>[],
): readonly LimitResult[] {
  const found = new Map(results.map((result) => [result.name, result]));
  return results.map((result) => {
    const beside = limits.find(({ name }) => name === result.name)?.beside;
    const other = found.get(beside?.limit ?? '');
    if (beside === undefined || result.state !== 'limit' || other?.state !== 'limit') return result;
    const [many, one] = [result.value ?? 0, other.value ?? 0];
    const counts = many === one ? 'characters' : many === Math.floor(one / beside.bytesEach) ? 'bytes' : undefined;
    return counts === undefined ? result : { ...result, words: `${result.words}: ${counts} are counted` };
  });
}
