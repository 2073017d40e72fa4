import { pickItem, type Random, repeatByWeight, seededRandom } from '../../lib/covering/random.ts';
import { drawWithinRequests, type Probe } from '../explore/exploration.ts';
import { drawSequenceProbe, type SequenceGround } from './sequences.ts';

/** Recurring moments, as templates name them, with their weights. */
const moments = repeatByWeight([
  ['minute', 2],
  ['hour', 4],
  ['day', 5],
  ['03:00', 2],
  ...['leap-day', 'year', 'summer-time', 'winter-time', 'daylight-time', 'standard-time'].map(
    (name) => [name, 1] as const,
  ),
]);
/** Seconds from the start of a case to the moment; below 0, the case starts after it. */
const leads = [2, 2, 5, 20, 60, 240, 1800, 4 * 3600, -2, -3600, -45 * 86_400];

/** Commands with waits between them, so that the windows of the interface lie across a moment. */
function windowProbe(random: Random, ground: SequenceGround): Probe {
  const moment = pickItem(moments, random) ?? 'hour';
  const lead = pickItem(leads, random) ?? 2;
  const at = lead < 0 ? `next('${moment}') + ${-lead}s` : `next('${moment}', ${lead + 1}) - ${lead}s`;
  const probe = drawSequenceProbe({ length: 4 + random.below(8), waits: true }, { random, ground });
  return {
    ...probe,
    kind: 'windows',
    title: (kept) =>
      `${probe.title(kept)}, from ${Math.abs(lead)} s ${lead < 0 ? 'after' : 'before'} the next ${moment}`,
    steps: (kept) => {
      const [first, ...others] = probe.steps(kept) ?? [];
      return first && [{ at, ...first }, ...others];
    },
  };
}

/** Commands of the model around moments of the calendar, as far as the requests go. */
export function windowProbes(seed: string, requests: number, ground: SequenceGround): readonly Probe[] {
  if (!ground.abilities.wait) return [];
  const random = seededRandom(`${seed} windows`);
  return drawWithinRequests(requests, () => windowProbe(random, ground));
}
