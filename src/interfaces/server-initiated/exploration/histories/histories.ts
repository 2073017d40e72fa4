import { type Kept, type Probe, wholeProbe } from '../../../../explore/probe.ts';
import { randomOf } from '../../../../lib/covering/random.ts';
import type { Part } from '../part.ts';
import type { Point } from '../points.ts';
import { type Combination, dealtCombinations } from '../rows.ts';
import { freeParts, stepsWith } from '../varied.ts';
import { accountHistories } from './accounts.ts';
import type { Abilities, History, HistoryGround, Steps } from './history.ts';
import { profileHistories } from './profiles.ts';
import { requestHistories } from './requests.ts';
import { tellingHistories } from './telling.ts';

const rows = [...requestHistories, ...accountHistories, ...profileHistories, ...tellingHistories];

export interface HistoriesGround {
  readonly abilities: Abilities;
  readonly parts: readonly Part[];
  readonly deviations: readonly Point[];
}

/** Half of the histories have other conforming values in their requests. */
function valuesFor({ steps, fixed, setting }: History, ground: HistoriesGround, seed: string): Combination {
  if (fixed === true || randomOf(seed).below(2) === 0) return [];
  const written = steps('p-', randomOf(seed), madeOf(ground, seed));
  const free = freeParts({ steps: written, instant: false, client: setting?.client ?? 'main' }, ground.parts);
  const [combination = []] = dealtCombinations(free, { seed, strength: 2, count: 1, perPart: 5 });
  return combination.slice(0, 4);
}

const madeOf = ({ abilities, deviations }: HistoriesGround, seed: string): HistoryGround => ({
  abilities,
  deviations: randomOf(`${seed} deviations`).shuffled(deviations),
});

function probeOf(history: History, seed: string, ground: HistoriesGround): Probe {
  const { title, setting = { exclusive: true }, requests, steps } = history;
  const combination = valuesFor(history, ground, seed);
  const made = (kept: Kept, p: string): Steps =>
    stepsWith(steps(p, randomOf(seed), madeOf(ground, seed)), combination, kept);
  const whole = wholeProbe({
    kind: 'sequences',
    title,
    setting,
    rules: [],
    alone: true,
    requests,
    steps: (p) => made([], p),
  });
  return {
    ...whole,
    parts: combination.map(({ value }) => value.name),
    varies: combination.map(({ part }) => part),
    steps: made,
  };
}

/** Each history as often as the others, as far as the requests go. */
export function historyProbes(seed: string, requests: number, ground: HistoriesGround): readonly Probe[] {
  const random = randomOf(`${seed} histories`);
  const able = rows.filter(({ needs }) => needs?.(ground.abilities) !== false);
  const probes: Probe[] = [];
  for (let left = requests, before = -1; before < probes.length; ) {
    before = probes.length;
    for (const [at, row] of random.shuffled(able).entries()) {
      if (row.requests > left) continue;
      probes.push(probeOf(row, `${seed} history ${probes.length} ${at}`, ground));
      left -= row.requests;
    }
  }
  return probes;
}
