import { type Probe, wholeProbe } from '../../../explore/probe.ts';
import { randomOf } from '../../../lib/covering/random.ts';
import { type History, historyRows } from './history-rows.ts';
import type { ServiceAbilities, SessionAbilities } from './session.ts';

const probeOf = (
  { title, client, requests, steps }: History,
  seed: string,
  abilities: SessionAbilities & ServiceAbilities,
): Probe =>
  wholeProbe({
    kind: 'sequences',
    title,
    setting: { exclusive: true, ...(client === undefined ? {} : { client }) },
    rules: [],
    alone: true,
    requests,
    steps: (p) => steps(p, randomOf(seed), abilities),
  });

/** Each history as often as the others, as far as the requests go. */
export function historyProbes(
  seed: string,
  requests: number,
  abilities: SessionAbilities & ServiceAbilities,
): readonly Probe[] {
  const random = randomOf(`${seed} histories`);
  const able = historyRows.filter(({ needs }) => needs?.(abilities) !== false);
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
