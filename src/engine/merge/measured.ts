import type { LimitResult, ProfileValue } from '../../model/limit.ts';
import type { CaseResult, ResultFooter } from '../../model/result.ts';
import type { ShardPart } from './parts.ts';

type Cases = readonly Pick<CaseResult, 'id' | 'reason'>[];

/** A limit with the part that measured it. */
interface Claim {
  readonly shard: ShardPart['shard'];
  readonly limit: LimitResult;
}

/** They are the same within their uncertainty. */
function agree(one: LimitResult, other: LimitResult): boolean {
  if (one.state !== other.state) return false;
  const gap = Math.abs((one.value ?? 0) - (other.value ?? 0));
  return gap <= (one.uncertainty ?? 0) + (other.uncertainty ?? 0);
}

/** Where parts agree, the sharpest figure. Where they do not, none: it is unknown which of them is right. */
function joinLimit(claims: readonly [Claim, ...Claim[]]): LimitResult {
  const known = claims.filter(({ limit }) => limit.state !== 'unmeasured');
  const [sharpest] = known.toSorted((a, b) => (a.limit.uncertainty ?? 0) - (b.limit.uncertainty ?? 0));
  if (sharpest === undefined) return claims[0].limit;
  const apart = known.some((one, at) => known.slice(at + 1).some((other) => !agree(one.limit, other.limit)));
  if (!apart) return sharpest.limit;
  const { name, title, rules, unit } = sharpest.limit;
  const said = known.map(({ shard, limit }) => `shard ${shard.index} of ${shard.of} ${limit.words}`);
  const reason = `the parts do not agree: ${said.join('; ')}`;
  const probes = known.flatMap(({ limit }) => limit.probes);
  return { name, title, rules, state: 'unmeasured', unit, words: `not measured: ${reason}`, reason, probes };
}

/** Each limit that any part measured, in the order they were first met. */
function joinLimits(parts: readonly ShardPart[]): readonly LimitResult[] | undefined {
  const measured = parts.flatMap(({ shard, result }) => {
    const limits = result.footer?.limits;
    return limits === undefined ? [] : [{ shard, limits }];
  });
  if (measured.length === 0) return undefined;
  const byName = new Map<string, [Claim, ...Claim[]]>();
  for (const { shard, limits } of measured) {
    for (const limit of limits) {
      const claims = byName.get(limit.name);
      if (claims === undefined) byName.set(limit.name, [{ shard, limit }]);
      else claims.push({ shard, limit });
    }
  }
  return [...byName.values()].map(joinLimit);
}

/** An entry as the part has it that had its case: what the others say is that they did not have it. */
function joinBehaviour(entry: ProfileValue, parts: readonly ShardPart[], cases: Cases): ProfileValue {
  const holder = parts.find(({ result }) => [...result.cases].some(({ id }) => id === entry.case));
  const found = holder?.result.footer?.profile?.find(({ name }) => name === entry.name);
  if (found !== undefined) return found;
  const { value: _, reason: own, ...rest } = entry;
  const reason =
    holder === undefined
      ? (cases.find(({ id }) => id === entry.case)?.reason ?? own ?? 'its case was not selected')
      : `shard ${holder.shard.index} of ${holder.shard.of}, which had its case, has no profile`;
  return { ...rest, reason };
}

/**
 * Limits and profile of the parts that measured; none where none did. A limit that two parts found otherwise counts as not
 * measured, and says what each found; no verdict depends on it, so the parts are joined all the same.
 */
export function joinMeasured(parts: readonly ShardPart[], cases: Cases): Pick<ResultFooter, 'limits' | 'profile'> {
  const limits = joinLimits(parts);
  const lists = parts.flatMap(({ result: { footer } }) => (footer?.profile === undefined ? [] : [footer.profile]));
  const byName = new Map(lists.toReversed().flatMap((list) => list.map((one) => [one.name, one] as const)));
  const entries = [...new Set(lists.flatMap((list) => list.map(({ name }) => name)))].flatMap(
    (name) => byName.get(name) ?? [],
  );
  return {
    ...(limits === undefined ? {} : { limits }),
    ...(lists.length === 0 ? {} : { profile: entries.map((entry) => joinBehaviour(entry, parts, cases)) }),
  };
}
