import { pick, type Random, weighted } from '../../lib/covering/random.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { Probe } from '../probe.ts';
import { type Link, settingOf } from './link.ts';
import { withPrefix } from './rename.ts';

/** Moments that come again, as templates name them, and how often each is drawn. */
const moments = weighted([
  ['minute', 2],
  ['hour', 4],
  ['day', 5],
  ['03:00', 2],
  ['leap-day', 1],
  ['year', 1],
  ['summer-time', 1],
  ['winter-time', 1],
  ['daylight-time', 1],
  ['standard-time', 1],
]);

/** Seconds from the beginning of a case to the moment; below 0 it begins after it. */
const leads = [2, 2, 5, 20, 60, 240, 1800, 4 * 3600, -2, -3600, -45 * 86_400];
/** From a lead of so many seconds on, no step waits for the moment: what is short would be over. */
const longestPause = 60;

const isFree = (step: JsonObject): boolean => ['at', 'by', 'parallel'].every((key) => step[key] === undefined);

interface Timed {
  readonly name: string;
  readonly lead: number;
  /** The step that waits for the moment. */
  readonly pausedAt: number | undefined;
}

function drawTimed({ steps }: Link, random: Random): Timed {
  const name = pick(moments, random) ?? 'hour';
  const lead = pick(leads, random) ?? 2;
  const later = steps.flatMap((step, at) => (at > 0 && isFree(step) ? [at] : []));
  const [first] = steps;
  const pauses = first !== undefined && isFree(first) && lead > 0 && lead <= longestPause && random.below(3) > 0;
  return { name, lead, pausedAt: pauses ? pick(later, random) : undefined };
}

const timesOf = ({ name, lead }: Timed): string =>
  lead < 0 ? `next('${name}') + ${-lead}s` : `next('${name}', ${lead + 1}) - ${lead}s`;

/** The pause is counted from the first step: where others took longer, the moment is over, and nothing is said. */
function timedSteps(steps: readonly JsonObject[], timed: Timed): readonly JsonObject[] {
  const [first, ...others] = steps;
  if (first === undefined) return [];
  const begin = typeof first['as'] === 'string' ? first['as'] : 'begin';
  return [
    { ...first, as: begin, ...(isFree(first) ? { at: timesOf(timed) } : {}) },
    ...others.map((step, at) => (at + 1 === timed.pausedAt ? { ...step, at: `${begin} + ${timed.lead + 1}s` } : step)),
  ];
}

const described = ({ name, lead }: Timed): string =>
  `${Math.abs(lead)} s ${lead < 0 ? 'after' : 'before'} the next ${name}`;

/** A listed case at a moment of the calendar at which something else may happen. */
export function momentProbe(link: Link, random: Random): Probe {
  const timed = drawTimed(link, random);
  return {
    kind: 'sequences',
    base: `${link.id} at ${timed.name}`,
    rules: link.rules,
    title: ([kept]) =>
      kept === true ? `What holds at any time holds ${described(timed)}: ${link.id}` : `What holds in ${link.id}`,
    setting: () => settingOf([link]),
    parts: [`next ${timed.name}`],
    steps: ([kept], prefix) => withPrefix(kept === true ? timedSteps(link.steps, timed) : link.steps, prefix),
    alone: true,
    requests: link.requests,
  };
}
