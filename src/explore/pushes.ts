import { isJsonObject, type Json, type JsonObject } from '../lib/json.ts';
import { allOf, type Probe } from './probe.ts';
import type { Try } from './settle.ts';

/** How many request objects may show on the phone of a subscriber, by the subscriber's tag. */
export type Pushes = ReadonlyMap<string, number>;

const usualTag = 'consented';

const outcomeOf = (expect: Json | undefined): Json | undefined =>
  isJsonObject(expect) ? expect['outcome'] : Array.isArray(expect) ? outcomeOf((expect as readonly Json[])[0]) : expect;

/** What must be refused shows on no phone of a carrier that conforms. */
const isRefused = ({ expect }: JsonObject): boolean => {
  const outcome = outcomeOf(expect);
  return typeof outcome === 'string' && outcome.startsWith('denied');
};

/** A step says for whom it is, or it is for the subscriber of its case. */
const tagOf = (difference: Json, own: string): string =>
  /subscribers\.([a-z0-9-]+)/.exec(JSON.stringify(difference))?.[1] ?? own;

export function pushesOf(steps: readonly JsonObject[], subscriber: string = usualTag): Pushes {
  const pushes = new Map<string, number>();
  for (const step of steps) {
    const { authorize, times } = step;
    if (authorize === undefined || isRefused(step)) continue;
    const tag = tagOf(authorize, subscriber);
    pushes.set(tag, (pushes.get(tag) ?? 0) + (typeof times === 'number' ? times : 1));
  }
  return pushes;
}

function addPushes(all: Map<string, number>, more: Pushes): void {
  for (const [tag, count] of more) all.set(tag, (all.get(tag) ?? 0) + count);
}

const ofProbe = (probe: Probe): Pushes => {
  const kept = allOf(probe);
  return pushesOf(
    [...(probe.steps(kept, 'p') ?? []), ...(probe.control === undefined ? [] : [{ authorize: probe.control }])],
    probe.setting(kept).subscriber,
  );
};

const fits = (sent: Pushes, more: Pushes, most: number): boolean =>
  [...more].every(([tag, count]) => (sent.get(tag) ?? 0) + count <= most);

/** The probes with which no subscriber has more pushes than so many, in their order, beside what was sent before; it counts them there. */
export function withinPushes(
  probes: readonly Probe[],
  most: number,
  sent: Map<string, number> = new Map(),
): readonly Probe[] {
  return probes.filter((probe) => {
    const more = ofProbe(probe);
    if (!fits(sent, more, most)) return false;
    addPushes(sent, more);
    return true;
  });
}

const asSteps = (json: Json | undefined): readonly JsonObject[] =>
  Array.isArray(json) ? (json as readonly Json[]).filter(isJsonObject) : [];

/** Sends nothing that would be more pushes for a subscriber than so many, beside what was sent before, and stops there. */
export function limitPushes(attempt: Try, most: number, sent: Map<string, number> = new Map()): Try {
  return async (cases) => {
    const more = new Map<string, number>();
    for (const { steps, subscriber } of cases) {
      addPushes(more, pushesOf(asSteps(steps), typeof subscriber === 'string' ? subscriber : undefined));
    }
    if (!fits(sent, more, most)) {
      return { cases: [], invariants: [], stopped: `no subscriber may have more than ${most} pushes` };
    }
    addPushes(sent, more);
    return attempt(cases);
  };
}
