import { type Probe, wholeProbe } from '../../../../explore/probe.ts';
import { randomOf } from '../../../../lib/covering/random.ts';
import { accountHistories } from './accounts.ts';
import type { Abilities, History } from './history.ts';
import { requestHistories } from './requests.ts';

const rows = [...requestHistories, ...accountHistories];

const probeOf = (
  { title, setting = { exclusive: true }, requests, steps }: History,
  seed: string,
  abilities: Abilities,
): Probe =>
  wholeProbe({
    kind: 'sequences',
    title,
    setting,
    rules: [],
    alone: true,
    requests,
    steps: (p) => steps(p, randomOf(seed), abilities),
  });

/** Each history as often as the others, as far as the requests go. */
export function historyProbes(seed: string, requests: number, abilities: Abilities): readonly Probe[] {
  const random = randomOf(`${seed} histories`);
  const able = rows.filter(({ needs }) => needs?.(abilities) !== false);
  const probes: Probe[] = [];
  for (let left = requests, before = -1; before < probes.length; ) {
    before = probes.length;
    for (const [at, row] of random.shuffled(able).entries()) {
      if (row.requests > left) continue;
      probes.push(probeOf(row, `${seed} history ${probes.length} ${at}`, abilities));
      left -= row.requests;
    }
  }
  return probes;
}
