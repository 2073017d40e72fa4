import { isJsonObject, isList, type Json, type JsonObject, listItems } from '../../lib/json.ts';
import { keepAllParts, type Probe } from './exploration.ts';
import type { CasesAttempt } from './settle.ts';

/** Request objects that may show on a phone, by the subscriber's tag. */
type PushCounts = ReadonlyMap<string, number>;

/** Subscriber of a step that names none. */
const defaultSubscriberTag = 'consented';

/** A conforming carrier shows no refused request on a phone. */
function expectsRefusal({ expect }: JsonObject): boolean {
  const first = isList(expect) ? expect[0] : expect;
  const outcome = isJsonObject(first) ? first['outcome'] : first;
  return typeof outcome === 'string' && outcome.startsWith('denied');
}

const subscriberTag = (difference: Json): string =>
  /subscribers\.([a-z0-9-]+)/.exec(JSON.stringify(difference))?.[1] ?? defaultSubscriberTag;

export function countPushes(steps: readonly JsonObject[]): PushCounts {
  const pushes = new Map<string, number>();
  for (const step of steps) {
    const { authorize, times } = step;
    if (authorize === undefined || expectsRefusal(step)) continue;
    const tag = subscriberTag(authorize);
    pushes.set(tag, (pushes.get(tag) ?? 0) + (typeof times === 'number' ? times : 1));
  }
  return pushes;
}

function addPushes(all: Map<string, number>, more: PushCounts): void {
  for (const [tag, count] of more) all.set(tag, (all.get(tag) ?? 0) + count);
}

const countProbePushes = (probe: Probe): PushCounts => countPushes(probe.steps(keepAllParts(probe)) ?? []);

const staysWithinPushes = (sent: PushCounts, more: PushCounts, most: number): boolean =>
  [...more].every(([tag, count]) => (sent.get(tag) ?? 0) + count <= most);

/** Probes that keep every subscriber within `most` pushes, in their order; `sent` counts them. */
export function keepWithinPushes(
  probes: readonly Probe[],
  most: number,
  sent: Map<string, number> = new Map(),
): readonly Probe[] {
  return probes.filter((probe) => {
    const more = countProbePushes(probe);
    if (!staysWithinPushes(sent, more, most)) return false;
    addPushes(sent, more);
    return true;
  });
}

/** Sends no cases that would exceed `most` pushes for a subscriber, and stops there; `sent` counts them. */
export function limitPushes(attempt: CasesAttempt, most: number, sent: Map<string, number> = new Map()): CasesAttempt {
  return async (cases) => {
    const more = new Map<string, number>();
    for (const { steps } of cases) addPushes(more, countPushes(listItems(steps).filter(isJsonObject)));
    if (!staysWithinPushes(sent, more, most)) {
      return { cases: [], invariants: [], stopped: `no subscriber may have more than ${most} pushes` };
    }
    addPushes(sent, more);
    return attempt(cases);
  };
}
